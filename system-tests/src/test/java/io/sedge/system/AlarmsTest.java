package io.sedge.system;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import io.sedge.system.testkit.SiteNetwork;
import io.sedge.system.testkit.SiteProcesses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Alarms of a site whose devices are killed one after the other, while rows go on raising them. */
@Timeout(600)
@Order(4)
final class AlarmsTest {
  private static final List<String> NAMES = List.of("a", "b", "c");

  @TempDir private Path directory;
  private final Map<String, SedgeProcess> devices = new HashMap<>();

  /** What the webhook got, by the name of the notice. */
  private final Map<String, String> notices = new ConcurrentHashMap<>();

  private SiteProcesses site;

  @Test
  void anAlarmOutlastsEachDeviceAndIsRaisedAndToldOnce() throws IOException {
    Sedge sedge = Sedge.in(directory);
    site = new SiteProcesses(sedge, SiteNetwork.loopback());
    HttpServer webhook = webhook();
    sedge.script("alarms.sql", script("http://127.0.0.1:" + webhook.getAddress().getPort() + "/"));
    try {
      begin();
      site.answer("job", "submit", "alarms.sql", "--data", "a");
      await("a", "three alarms", () -> alarms("a").size() == 3);
      site.answer("alarm", "acknowledge", "1", "--note", "on my way", "--data", "b");
      await("c", "the acknowledgement", () -> acknowledged("c"));
      for (String name : NAMES) {
        String other = NAMES.get((NAMES.indexOf(name) + 1) % NAMES.size());
        device(name).kill();
        long rows = rows(other);
        await(other, "rows that go on", () -> rows(other) > rows + 300);
        assertThat(acknowledged(other)).as("%s", alarms(other)).isTrue();
        devices.put(name, site.again(name));
        SiteProcesses.awaitUp(device(name));
      }
      assertThat(alarms("a"))
          .hasSize(3)
          .allSatisfy(alarm -> assertThat(alarm).contains("\"raised\":1,"));
      assertThat(site.answer("alarm", "show", "1", "--data", "c"))
          .contains("raise", "acknowledge", "on my way");
      String told = String.join("\n", notices.values());
      for (int i = 0; i < 3; i++) {
        assertThat(told.split("\"key\":\"pump-" + i, -1)).as(told).hasSize(2);
      }
    } finally {
      devices.values().forEach(SedgeProcess::close);
      webhook.stop(0);
    }
  }

  private static String script(String webhook) {
    return """
    CREATE TABLE numbers (n BIGINT)
      WITH ('connector' = 'datagen', 'rows-per-second' = '100',
            'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '10000000');
    CREATE TABLE hot (machine STRING, v DOUBLE, PRIMARY KEY (machine) NOT ENFORCED)
      WITH ('connector' = 'alarm', 'priority' = 'high', 'value-column' = 'v', 'high-limit' = '80',
            'webhook.url' = '%s', 'notice.interval' = '1 s');
    INSERT INTO hot SELECT CONCAT('pump-', CAST(MOD(n, 3) AS STRING)), 90.0E0 FROM numbers;
    """
        .formatted(webhook);
  }

  private HttpServer webhook() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
          notices.put(key, new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  private void begin() {
    devices.put("a", site.device("a", SiteProcesses.freePorts(), "start"));
    SiteProcesses.awaitUp(device("a"));
    for (String name : List.of("b", "c")) {
      devices.put(name, site.device(name, SiteProcesses.freePorts(), site.joining("a")));
      SiteProcesses.awaitUp(device(name));
    }
  }

  private SedgeProcess device(String name) {
    return Objects.requireNonNull(devices.get(name), name);
  }

  private void await(String name, String what, BooleanSupplier condition) {
    device(name).until(condition, () -> what + ": " + alarms(name));
  }

  private List<String> alarms(String data) {
    return site.answer("alarm", "list", "--output", "json", "--data", data)
        .lines()
        .filter(line -> !line.isEmpty())
        .toList();
  }

  private boolean acknowledged(String data) {
    return alarms(data).stream()
        .anyMatch(alarm -> alarm.contains("\"id\":1,") && alarm.contains("\"ACKNOWLEDGED\""));
  }

  private long rows(String data) {
    String jobs = site.answer("job", "list", "--output", "json", "--data", data);
    return Long.parseLong(jobs.replaceAll("(?s).*\"rows\":(\\d+).*", "$1"));
  }
}
