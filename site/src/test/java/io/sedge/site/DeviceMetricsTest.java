package io.sedge.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.ledger.JobState;
import io.sedge.site.api.BuildVersion;
import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.LoopbackAddress;
import io.sedge.site.api.SiteException;
import io.sedge.site.testkit.Devices;
import io.sedge.task.testkit.FakeConnector;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a device tells programs on its machine. */
@Timeout(600)
class DeviceMetricsTest {
  private static final Path PAGE = Path.of("..", "docs", "operations.md");
  private static final String SCRIPT =
      """
      CREATE TABLE numbers (
        n BIGINT, ts AS TO_TIMESTAMP_LTZ(n, 3), WATERMARK FOR ts AS ts
      ) WITH ('connector' = 'fake');
      CREATE TABLE kept (n BIGINT) WITH ('connector' = 'fake');
      INSERT INTO kept SELECT n FROM numbers;
      """;

  @TempDir Path root;
  private final FakeConnector tables = new FakeConnector();
  private final HttpClient client = HttpClient.newHttpClient();
  private LoopbackAddress address;
  private Devices devices;

  @BeforeEach
  void site() {
    address = new LoopbackAddress("127.0.0.1", Devices.freePorts());
    devices = new Devices(root).with(tables);
  }

  @AfterEach
  void close() {
    client.close();
    devices.close();
  }

  private Device start() throws SiteException {
    return devices.start("a", options -> options.withMetrics(Optional.of(address)));
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(HttpRequest.newBuilder(uri(path)).build());
  }

  private URI uri(String path) {
    return URI.create("http://%s%s".formatted(address, path));
  }

  private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return client.send(request, BodyHandlers.ofString());
  }

  private Map<String, Double> metrics() throws IOException, InterruptedException {
    Map<String, Double> values = new TreeMap<>();
    get("/metrics")
        .body()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(
            line -> {
              int blank = line.lastIndexOf(' ');
              values.put(line.substring(0, blank), Double.valueOf(line.substring(blank + 1)));
            });
    return values;
  }

  @Test
  void theVersionIsWhatTheCommandSays() throws Exception {
    Device device = start();
    assertThat(get("/metrics").body()).contains("version=\"%s\"".formatted(BuildVersion.ofThis()));
    assertThat(device.control().status().devices())
        .extracting(DeviceStatus::version)
        .containsExactly(BuildVersion.ofThis());
  }

  @Test
  void whatAJobDoesIsCountedOnce() throws Exception {
    tables.available = 500;
    Device device = start();
    device.control().submit("plant", SCRIPT);
    String out = "sedge_rows_out_total{job=\"plant\",table=\"kept\"}";
    Map<String, Double> expected =
        Map.of(
            out,
            500.0,
            "sedge_rows_out_bytes_total{job=\"plant\",table=\"kept\"}",
            500.0,
            "sedge_readings_total{job=\"plant\",table=\"numbers\"}",
            500.0,
            "sedge_readings_bytes_total{job=\"plant\",table=\"numbers\"}",
            4000.0,
            "sedge_readings_malformed_total{job=\"plant\",table=\"numbers\"}",
            1.0,
            "sedge_task_starts_total{job=\"plant\"}",
            2.0,
            "sedge_tasks_running",
            2.0,
            "sedge_ledger_leader",
            1.0,
            "sedge_site_jobs{state=\"running\"}",
            1.0,
            "sedge_site_devices{health=\"up\"}",
            1.0);
    devices.until("all is counted", () -> metrics().entrySet().containsAll(expected.entrySet()));
    Map<String, Double> metrics = metrics();
    assertThat(metrics.get("sedge_commit_seconds_count")).isPositive();
    assertThat(metrics.get("sedge_certificate_expiry_timestamp_seconds"))
        .isGreaterThan(metrics.get("process_start_time_seconds"));
    assertThat(metrics.keySet())
        .as("rows on their way through the ledger are no readings of a table")
        .noneMatch(name -> name.startsWith("sedge_readings_total") && name.contains("kept"));
    device.control().pause("plant");
    devices.until("no task runs", () -> metrics().get("sedge_tasks_assigned") == 0);
    assertThat(metrics()).containsEntry(out, 500.0);
    device.control().stop("plant");
    var _ = device.control().removeJob("plant", true);
    devices.until("its series are gone", () -> !metrics().containsKey(out));
  }

  @Test
  void theAddressIsKeptAndStartsAreCounted() throws Exception {
    Device device = start();
    assertThat(metrics()).containsEntry("sedge_device_starts_total", 1.0);
    assertThat(Device.in(root.resolve("a")).orElseThrow().metrics()).contains(address);
    devices.close(device);
    start();
    assertThat(metrics()).containsEntry("sedge_device_starts_total", 2.0);
  }

  @Test
  void readinessNamesWhatIsMissing() throws Exception {
    tables.onPoll = () -> new IllegalStateException("the wire is cut");
    Device device = start();
    devices.until("it is ready", () -> get("/health/ready").statusCode() == 200);
    device.control().submit("plant", SCRIPT);
    devices.until(
        "it is not, for this reason alone",
        () -> {
          HttpResponse<String> answer = get("/health/ready");
          return answer.statusCode() == 503
              && answer.body().contains("{\"name\":\"ledger\",\"ok\":true")
              && answer.body().contains("{\"name\":\"registration\",\"ok\":true")
              && answer.body().contains("{\"name\":\"certificate\",\"ok\":true")
              && answer.body().contains("{\"name\":\"tasks\",\"ok\":false")
              && answer.body().matches("(?s).*the wire is cut.*; tried again in \\d+ s.*");
        });
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    // It is of its site, so another machine may be emptied.
    assertThat(get("/health/member").statusCode()).isEqualTo(200);
    tables.available = 0;
    tables.onPoll = () -> null;
    devices.until("it is ready again", () -> get("/health/ready").statusCode() == 200);
    assertThat(metrics().get("sedge_task_failures_total{job=\"plant\"}")).isPositive();
  }

  @Test
  void whoIsRefusedAtTheLedgersPortIsCounted() throws Exception {
    Device device = start();
    assertThat(metrics()).containsEntry("sedge_ledger_refusals_total", 0.0);
    try (Socket socket = new Socket(address.host(), device.options().port())) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      devices.until("it is counted", () -> metrics().get("sedge_ledger_refusals_total") == 1);
    }
  }

  @Test
  void onlyTheseQuestionsAreAnswered() throws Exception {
    start();
    assertThat(get("/").statusCode()).isEqualTo(404);
    assertThat(get("/metrics/more").statusCode()).isEqualTo(404);
    assertThat(get("/health/../device.properties").statusCode()).isEqualTo(404);
    HttpResponse<String> put =
        send(HttpRequest.newBuilder(uri("/metrics")).PUT(BodyPublishers.ofString("x")).build());
    assertThat(put.statusCode()).isEqualTo(405);
    HttpResponse<String> head = send(HttpRequest.newBuilder(uri("/metrics")).HEAD().build());
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.body()).isEmpty();
    assertThat(get("/metrics").headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/plain; version=0.0.4");
  }

  /** Clients that are slow, many, or say too much: others are served, and soon again. */
  @Test
  void hostileClientsHurtNobody() throws Exception {
    Device device = start();
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 200; i++) {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.connect(new InetSocketAddress(address.host(), address.port()), 10_000);
        if (i % 2 == 0) {
          socket.getOutputStream().write("GET /metrics HT".getBytes(StandardCharsets.UTF_8));
        }
      }
      assertThat(device.control().status().device()).isEqualTo("a");
      devices.until("silent ones are shut out", this::answers);
      try (Socket socket = new Socket(address.host(), address.port())) {
        assertThat(refused(socket)).isTrue();
      }
      devices.until("others are served", this::answers);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private boolean answers() throws InterruptedException {
    try {
      return get("/metrics").statusCode() == 200;
    } catch (IOException e) {
      return false; // There is no room for this connection now.
    }
  }

  /** Sends a header that does not end; whether the other side ends that. */
  private static boolean refused(Socket socket) throws IOException {
    socket.setSoTimeout((int) Duration.ofSeconds(60).toMillis());
    byte[] kilobyte = "a".repeat(1024).getBytes(StandardCharsets.UTF_8);
    try {
      socket
          .getOutputStream()
          .write("GET /metrics HTTP/1.1\r\nX: ".getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < 10_000; i++) {
        socket.getOutputStream().write(kilobyte);
      }
      InputStream answer = socket.getInputStream();
      String text = new String(answer.readAllBytes(), StandardCharsets.UTF_8);
      return !text.contains("200 OK");
    } catch (IOException e) {
      return true;
    }
  }

  private record Documented(String type, String labels, String meaning) {}

  /** The page is what operators go by: it has each metric, and none that is not there. */
  @Test
  void thePageHasEveryMetric() throws Exception {
    tables.available = 500;
    Device device = start();
    device.control().submit("plant", SCRIPT);
    devices.until(
        "tasks run",
        () ->
            device.control().jobs().getFirst().state() == JobState.RUNNING
                && metrics()
                    .keySet()
                    .containsAll(
                        List.of(
                            "sedge_task_lag_seconds{job=\"plant\",task=\"all\"}",
                            "sedge_rows_out_total{job=\"plant\",table=\"kept\"}")));
    Map<String, Documented> told = new TreeMap<>();
    Map<String, String> help = new TreeMap<>();
    Pattern series = Pattern.compile("([a-z_]+?)(?:_bucket|_sum|_count)?(?:\\{(.*)})? \\S+");
    for (String line : get("/metrics").body().lines().toList()) {
      String[] words = line.split(" ", 4);
      if (line.startsWith("# HELP ")) {
        help.put(words[2], words[3]);
      } else if (line.startsWith("# TYPE ")) {
        told.put(words[2], new Documented(words[3], "", String.valueOf(help.get(words[2]))));
      } else {
        Matcher matcher = series.matcher(line);
        assertThat(matcher.matches()).as(line).isTrue();
        String name = told.containsKey(words[0]) ? words[0] : matcher.group(1);
        String labels =
            matcher.group(2) == null
                ? ""
                : matcher
                    .group(2)
                    .replaceAll("(?<![a-z])le=\"[^\"]*\",?", "")
                    .replaceAll("=\"[^\"]*\"", "");
        told.computeIfPresent(
            name,
            (_, known) -> new Documented(known.type(), labels.replace(",", ", "), known.meaning()));
      }
    }
    // Comes with a model that is watched, once a window has ended; this job has none.
    told.put("sedge_model_drift", documented().get("sedge_model_drift"));
    if (System.getProperty("sedge.golden", "").equals("write")) {
      write(told);
    }
    assertThat(documented()).containsExactlyInAnyOrderEntriesOf(told);
    assertThat(new TreeSet<>(told.keySet()))
        .allMatch(name -> name.matches("(sedge|process|jvm)_[a-z_]+"));
  }

  private static Map<String, Documented> documented() throws IOException {
    Pattern row = Pattern.compile("\\| `([a-z_]+)` \\| (\\w+) \\| ([^|]*) \\| ([^|]*) \\|");
    Map<String, Documented> rows = new TreeMap<>();
    for (String line : Files.readAllLines(PAGE)) {
      Matcher matcher = row.matcher(line);
      if (matcher.matches()) {
        rows.put(
            matcher.group(1),
            new Documented(matcher.group(2), matcher.group(3).strip(), matcher.group(4)));
      }
    }
    return rows;
  }

  private static void write(Map<String, Documented> told) throws IOException {
    StringBuilder rows = new StringBuilder();
    told.forEach(
        (name, of) ->
            rows.append(
                "| `%s` | %s | %s | %s |\n".formatted(name, of.type(), of.labels(), of.meaning())));
    String page = Files.readString(PAGE);
    Files.writeString(
        PAGE,
        page.replaceAll("(?m)^\\| `[a-z_]+` \\| (counter|gauge|histogram) .*\\n", "")
            .replace(
                "| metric | type | labels | meaning |\n| --- | --- | --- | --- |\n",
                "| metric | type | labels | meaning |\n| --- | --- | --- | --- |\n" + rows));
  }
}
