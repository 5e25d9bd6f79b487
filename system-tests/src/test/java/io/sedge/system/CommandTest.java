package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.system.testkit.Browser;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import io.sedge.system.testkit.SiteNetwork;
import io.sedge.system.testkit.SiteProcesses;
import io.sedge.system.testkit.StartedCenter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A command that is given at the center's shell arrives at a broker beside the site, once, whoever
 * is killed; one whose time is over never does. The simulated plant obeys one that a person gives
 * in a browser.
 */
@Timeout(900)
final class CommandTest {
  /** Exit code of what may not be done now. */
  private static final int NOT_DONE = 2;

  private static final Pattern RUNNING =
      Pattern.compile("\"tasks\":([1-9]\\d*),\"runningTasks\":\\1,");

  private static final String PRESS =
      """
      CREATE TABLE numbers (n DOUBLE)
        WITH ('connector' = 'datagen', 'rows-per-second' = '5',
              'fields.n.kind' = 'random', 'fields.n.min' = '1', 'fields.n.max' = '2');
      CREATE TABLE valve (setpoint DOUBLE)
        WITH ('connector' = 'mqtt', 'url' = 'mqtt://127.0.0.1:BROKER', 'topic' = 'valve/set',
              'format' = 'json');
      CREATE TABLE pump (`value` DOUBLE)
        WITH ('connector' = 'mqtt', 'url' = 'mqtt://127.0.0.1:BROKER',
              'topic' = 'plant/process/pump-2/set/speed', 'format' = 'json');
      INSERT INTO valve SELECT n FROM numbers WHERE n < 0;
      INSERT INTO pump SELECT n FROM numbers WHERE n < 0;
      """;

  /** In a page: whether the row of a command says that it is written. */
  private static final String OBEYED =
      "return [...document.querySelectorAll('tr')].some(row =>"
          + " row.innerText.includes('value=1234') && row.innerText.includes('written'))";

  private static final String HEARD =
      """
      CREATE TABLE valve (setpoint DOUBLE)
        WITH ('connector' = 'mqtt', 'url' = 'mqtt://127.0.0.1:BROKER', 'topic' = 'valve/set',
              'format' = 'json');
      SELECT setpoint FROM valve;
      """;

  @TempDir private Path directory;
  private final List<SedgeProcess> running = new ArrayList<>();

  @Test
  void aCommandIsWrittenOnceOrNotAtAllWhoeverIsKilled() {
    Sedge sedge = Sedge.in(directory);
    SiteProcesses site = new SiteProcesses(sedge, SiteNetwork.loopback());
    int broker = SiteProcesses.freePorts();
    String port = Integer.toString(broker);
    sedge.script("press.sql", PRESS.replace("BROKER", port));
    sedge.script("heard.sql", HEARD.replace("BROKER", port));
    String listen = "127.0.0.1:" + SiteProcesses.freePorts();
    try {
      SedgeProcess mqtt = broker(sedge, broker);
      SedgeProcess heard = started(sedge.start("run", "heard.sql", "--output", "json"));
      StartedCenter center = center(sedge, listen);
      SedgeProcess device = started(site.device("a", SiteProcesses.freePorts(), "start"));
      SiteProcesses.awaitUp(device);
      site.answer(
          "site",
          "report",
          "--to",
          listen,
          "--token",
          center.token(),
          "--as",
          "north",
          "--data",
          "a");
      site.answer("job", "submit", "press.sql", "--data", "a");
      device.until(() -> RUNNING.matcher(jobs(site)).find(), () -> "its tasks run: " + jobs(site));

      assertThat(send(sedge, 40, NOT_DONE)).contains("refused").contains("sedge site allow");
      allow(site, "press.valve", "setpoint", 100);
      assertThat(send(sedge, 101, NOT_DONE)).contains("the site allows 0 to 100");
      assertThat(send(sedge, 40, 0)).contains("written");
      awaitHeard(heard, 40);

      center.process().kill();
      device.kill();
      center = center(sedge, listen);
      device = started(site.again("a"));
      SiteProcesses.awaitUp(device);
      assertThat(send(sedge, 41, 0)).contains("written");
      awaitHeard(heard, 41);

      mqtt.kill();
      assertThat(send(sedge, 42, "5s", NOT_DONE)).contains("expired");
      broker(sedge, broker);
      // Until somebody hears at the broker, it is for nobody.
      heard.until(
          () -> {
            send(sedge, 43, 0);
            return heard.out().contains(row(43));
          },
          () -> "43 at the broker");
      assertThat(heard.out()).noneMatch(line -> line.contains("42"));
      assertThat(site.answer("center", "audit", "--data", "center"))
          .contains("press.valve setpoint=40");
      obeyed(sedge, site, center, port);
    } finally {
      running.reversed().forEach(SedgeProcess::close);
    }
  }

  private static void allow(SiteProcesses site, String table, String column, int most) {
    site.answer(
        "site",
        "allow",
        table,
        "--column",
        column,
        "--min",
        "0",
        "--max",
        Integer.toString(most),
        "--rate",
        "20/min",
        "--data",
        "a");
  }

  /** The simulated plant takes the set-point that a person types at the page of its site. */
  private void obeyed(Sedge sedge, SiteProcesses site, StartedCenter center, String port) {
    Browser.assumeInstalled();
    allow(site, "press.pump", "value", 1500);
    SedgeProcess plant =
        started(sedge.start("simulate", "plant", "--broker", "mqtt://127.0.0.1:" + port));
    plant.awaitMessage("connected to");
    try (Browser browser = Browser.start()) {
      browser.beginAs(center.link(), "first");
      browser.open(center.address() + "/#/sites/north");
      browser.type("input[name=to]", "press.pump");
      browser.type("input[name=values]", "value=1234");
      browser.click("Send");
      browser.awaitText("Write to press.pump at north");
      browser.clickOn("dialog .main-action");
      assertThat(plant.awaitMessage("-> 1234")).contains("pump-2");
      browser.awaitTrue(
          () -> Boolean.TRUE.equals(browser.run(OBEYED)), "the page says that it is written");
    }
  }

  private static String jobs(SiteProcesses site) {
    return site.answer("job", "list", "--output", "json", "--data", "a");
  }

  private SedgeProcess started(SedgeProcess process) {
    running.add(process);
    return process;
  }

  private SedgeProcess broker(Sedge sedge, int port) {
    SedgeProcess broker = started(sedge.start("broker", "--port", Integer.toString(port)));
    broker.awaitMessage("127.0.0.1:" + port);
    return broker;
  }

  private StartedCenter center(Sedge sedge, String listen) {
    StartedCenter center = StartedCenter.at(sedge, listen);
    running.add(center.process());
    return center;
  }

  /** What is said of a command that is waited for. */
  private static String send(Sedge sedge, int value, int exitCode) {
    return send(sedge, value, "2min", exitCode);
  }

  private static String send(Sedge sedge, int value, String expires, int exitCode) {
    try (SedgeProcess process =
        sedge.start(
            "center",
            "command",
            "send",
            "north",
            "press.valve",
            "setpoint=" + value,
            "--expires",
            expires,
            "--wait",
            "--data",
            "center")) {
      assertThat(process.exitCode()).as(process::toString).isEqualTo(exitCode);
      return String.join("\n", process.out());
    }
  }

  private static String row(int value) {
    return "{\"setpoint\":%d.0}".formatted(value);
  }

  private static void awaitHeard(SedgeProcess heard, int value) {
    heard.until(() -> heard.out().contains(row(value)), () -> value + " at the broker");
    assertThat(heard.out().stream().filter(row(value)::equals)).hasSize(1);
  }
}
