package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.mqtt.testkit.Await;
import io.sedge.system.testkit.Browser;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import io.sedge.system.testkit.SiteNetwork;
import io.sedge.system.testkit.SiteProcesses;
import io.sedge.system.testkit.StartedCenter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console in a real browser: of one job, of a site, of a center. Pictures of its pages are kept
 * in {@code target/console}; with {@code -Dsedge.docs.write=true} those that the documentation
 * shows are made anew from them.
 */
@Timeout(600)
@Order(2)
final class ConsoleTest {
  /** Those that the documentation has. */
  private static final Set<String> SHOWN = Set.of("machine", "site-overview", "center-data");

  private static final boolean WRITES = Boolean.getBoolean("sedge.docs.write");

  private static final String HOSTILE = "<img src=x onerror=document.title=1>";

  /** The eighth row is left out. */
  private static final String NUMBERS =
      """
      CREATE TABLE numbers (n BIGINT)
        WITH ('connector' = 'datagen', 'rows-per-second' = '50',
              'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '1000000');
      CREATE TABLE gone (n BIGINT) WITH ('connector' = 'blackhole');
      INSERT INTO gone SELECT 100 / (n - 8) FROM numbers WHERE MOD(n, 2) = 0;
      """;

  private static final String CENTER =
      """
      CREATE TABLE numbers (n BIGINT, ts AS LOCALTIMESTAMP, WATERMARK FOR ts AS ts)
        WITH ('connector' = 'datagen', 'rows-per-second' = '100',
              'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '1000000');
      CREATE VIEW readings AS
      SELECT CONCAT('pump-', CAST(MOD(n, 2) + 1 AS STRING)) AS machine,
        CAST(MOD(n, 50) AS DOUBLE) AS v, ts FROM numbers;
      CREATE TABLE windows (machine STRING, window_end TIMESTAMP(3), n BIGINT, mean DOUBLE)
        WITH ('connector' = 'center', 'credential' = '${secret:center}');
      CREATE TABLE hot (what STRING, n BIGINT, PRIMARY KEY (what) NOT ENFORCED)
        WITH ('connector' = 'alarm', 'priority' = 'high');
      EXECUTE STATEMENT SET BEGIN
      INSERT INTO windows
      SELECT machine, window_end, COUNT(*), AVG(v)
      FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' SECOND))
      GROUP BY machine, window_start, window_end;
      INSERT INTO hot SELECT '%s', n FROM numbers WHERE n = 10;
      END;
      """
          .formatted(HOSTILE);

  @TempDir private Path directory;

  private Sedge sedge;
  private final List<String> found = new ArrayList<>();

  @BeforeEach
  void begin() {
    sedge = Sedge.in(directory);
  }

  /** One job: its results live, its plan, a change that is checked, and its end. */
  @Test
  void aJobIsSeenWhileItRuns() {
    sedge.script("job.sql", job(250, 100_000));
    String address = "http://127.0.0.1:" + SiteProcesses.freePorts();
    try (SedgeProcess job = sedge.start("run", "job.sql", "--console=" + port(address));
        Browser browser = Browser.start()) {
      job.awaitMessage("console at " + address);
      browser.open(address);
      browser.awaitCount(".card sedge-spark canvas", 4);
      assertThat(browser.text()).contains(HOSTILE).contains("Readings");
      browser.awaitTrue(() -> browser.text().matches("(?s).*2[0-9]{2}/s.*in all.*"), "a rate");
      look(browser, "run-overview");
      browser.click("Rows");
      browser.awaitCount("sedge-rows tbody tr", 4);
      look(browser, "run-rows");
      browser.open(address + "/#/data");
      browser.awaitCount("sedge-chart canvas", 1);
      look(browser, "run-data");
      browser.open(address + "/#/job");
      browser.awaitCount(".graph g.source", 1);
      browser.awaitText("readings/s");
      assertThat(browser.count(".graph g.sink")).isEqualTo(1);
      look(browser, "run-job");
      browser.click("Try a change");
      browser.awaitCount("sedge-editor", 1);
      browser.awaitText("accepted");
      assertThat(browser.count("ol.problems li")).isZero();
      browser.run(
          "const e = document.querySelector('sedge-editor'); e.value = e.value.replace('AVG(v)',"
              + " 'AVG(w)')");
      browser.awaitText("problems: 1");
      browser.awaitText(Browser.place(job(250, 100_000).replace("AVG(v)", "AVG(w)"), "w) AS mean"));
      look(browser, "run-check");
      browser.open(address + "/#/job/left-out");
      browser.awaitText("rows for which an expression failed");
      browser.awaitText("n=7");
      look(browser, "run-left-out");
      browser.open(address + "/#/");
      job.interrupt();
      browser.awaitText("The job has ended.");
      assertThat(job.exitCode()).isZero();
      browser.click("Data");
      browser.awaitCount("sedge-chart canvas", 1);
      assertThat(browser.run("return document.title")).isNotEqualTo("1");
    }
    assertThat(found).isEmpty();
  }

  /** The picture at the top of the README: as much as a minute shows. */
  @Test
  void theMachineIsSeen() {
    Assumptions.assumeTrue(
        WRITES, "pictures of the documentation are made with -Dsedge.docs.write");
    String address = "http://127.0.0.1:" + SiteProcesses.freePorts();
    String script = Sedge.project().resolve("examples/machine-health.sql").toString();
    try (SedgeProcess job = sedge.start("run", script, "--console=" + port(address));
        Browser browser = Browser.start()) {
      job.awaitMessage("console at " + address);
      browser.open(address);
      browser.awaitText("for 58 s");
      look(browser, "machine");
    }
    assertThat(found).isEmpty();
  }

  /** Chinese, dark, and as narrow as a phone: the page fits, and nobody is shut out. */
  @Test
  void eachPageFitsAPhone() {
    sedge.script("job.sql", job(250, 100_000));
    String address = "http://127.0.0.1:" + SiteProcesses.freePorts();
    try (SedgeProcess job = sedge.start("run", "job.sql", "--console=" + port(address));
        Browser browser = Browser.start()) {
      job.awaitMessage("console at " + address);
      browser.width(500);
      browser.open(address);
      browser.run(
          "localStorage.setItem('sedge-theme', 'dark'); localStorage.setItem('sedge-language',"
              + " 'zh')");
      for (String page : List.of("overview", "data", "job", "logs")) {
        browser.open("about:blank");
        browser.open(address + "/#/" + page);
        browser.awaitCount(".content section, .content .switch", 1);
        assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
            .as(page)
            .isEqualTo(true);
        look(browser, "phone-" + page);
      }
    }
    assertThat(found).isEmpty();
  }

  /** A site of three: a job is submitted in the page, and devices go, one of them that it asks. */
  @Test
  void aSiteIsSeenAndChanged() {
    String address = "http://127.0.0.1:" + SiteProcesses.freePorts();
    SiteProcesses site = new SiteProcesses(sedge, SiteNetwork.loopback());
    List<SedgeProcess> devices = new ArrayList<>();
    try (Browser browser = Browser.start()) {
      devices.add(
          site.device("a", SiteProcesses.freePorts(), "start", "--console=" + port(address)));
      SiteProcesses.awaitUp(devices.getFirst());
      for (String name : List.of("b", "c")) {
        devices.add(site.device(name, SiteProcesses.freePorts(), site.joining("a")));
        SiteProcesses.awaitUp(devices.getLast());
      }
      browser.open(address);
      browser.awaitText("3 / 3");
      assertThat(browser.count(".content .button")).as("what a stranger may do").isZero();
      logIn(browser, site);
      browser.open(address + "/#/jobs/new");
      browser.type("#job-name", "numbers");
      browser.edit("SELECT n FROM nowhere");
      browser.awaitText("problems: 1");
      assertThat(browser.run("return document.querySelector('.main-action').disabled"))
          .isEqualTo(true);
      browser.edit(NUMBERS);
      browser.awaitText("accepted");
      look(browser, "site-new-job");
      browser.click("Submit");
      browser.awaitText("running");
      browser.awaitCount(".graph g.source", 1);
      look(browser, "site-job");
      browser.click("Left out");
      browser.awaitText("rows for which an expression failed");
      browser.awaitText("n=8");
      look(browser, "site-left-out");
      browser.open(address + "/#/overview");
      browser.awaitCount(".shard", 1);
      browser.clickOn(".shard");
      browser.awaitCount("dialog[open] pre", 1);
      look(browser, "site-why");
      browser.click("Close");
      devices.get(2).kill();
      browser.awaitText("2 / 3");
      browser.awaitText("has said nothing for");
      look(browser, "site-overview");
      devices.getFirst().kill();
      browser.awaitText("Device a does not answer.");
      devices.set(0, site.again("a", "--console=" + port(address)));
      browser.awaitNoText("Device a does not answer.");
      browser.awaitText("2 / 3");
    } finally {
      devices.forEach(SedgeProcess::close);
    }
    found.removeIf(fault -> fault.contains("ERR_")); // What a killed device leaves.
    assertThat(found).isEmpty();
  }

  private static void logIn(Browser browser, SiteProcesses site) {
    String said = site.answer("device", "console", "--data", "a");
    browser.open(said.substring(said.indexOf("http")).strip());
    browser.awaitText("Log out");
    assertThat(browser.run("return document.cookie")).as("what scripts see").isEqualTo("");
  }

  /** A center: the first person, a site, its rows over time, a query, and the end of a session. */
  @Test
  void aCenterIsSeen() {
    SiteProcesses site = new SiteProcesses(sedge, SiteNetwork.loopback());
    String listen = "127.0.0.1:" + SiteProcesses.freePorts();
    sedge.script("rows.sql", CENTER);
    StartedCenter center = StartedCenter.at(sedge, listen);
    SedgeProcess device = site.device("a", SiteProcesses.freePorts(), "start");
    try (Browser browser = Browser.start()) {
      String address = center.address();
      SiteProcesses.awaitUp(device);
      browser.open(center.link());
      browser.type("input[name=name]", "first");
      browser.type("input[name=password]", "correct horse battery");
      browser.type("input[name=again]", "correct horse battery");
      look(browser, "center-first");
      browser.click("Begin");
      browser.awaitText("No site reports here yet");
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
      site.answer("job", "submit", "rows.sql", "--data", "a");
      browser.awaitText("north");
      browser.awaitText("windows");
      look(browser, "center-overview");
      awaitStored(site, WRITES ? 80 : 4);
      browser.open(address + "/#/data/windows");
      browser.awaitCount("sedge-chart canvas", 1);
      browser.awaitText("pump-1");
      look(browser, "center-data");
      browser.open(address + "/#/query");
      browser.type("textarea", "SELECT machine, count(*) AS n FROM windows GROUP BY machine");
      browser.click("Ask");
      browser.awaitCount("sedge-rows tbody tr", 2);
      browser.type("textarea", "DELETE FROM windows");
      browser.click("Ask");
      browser.awaitCount("[role=alert]", 1);
      look(browser, "center-query");
      commandAsAPerson(browser, address);
      acknowledgeAsAPerson(browser, address, site);
      diagnoseAsAPerson(browser, address, site);
      browser.open(address + "/#/audit");
      browser.awaitText("first");
      look(browser, "center-audit");
      browser.open(address + "/#/settings");
      browser.awaitText("People");
      permitAsAPerson(browser, site);
      look(browser, "center-settings");
      browser.click("Log out");
      browser.awaitText("Log in");
      browser.open(address + "/#/query");
      browser.awaitText("Log in");
      browser.type("input[name=name]", "first");
      browser.type("input[name=password]", "wrong horse battery");
      browser.click("Log in");
      browser.awaitCount("[role=alert]:not([hidden])", 1);
      browser.type("input[name=password]", "correct horse battery");
      browser.click("Log in");
      browser.awaitCount("textarea", 1); // The page that was asked for.
    } finally {
      center.process().close();
      device.close();
    }
    // The query that writes is refused, and so is a site that there is not: the browser writes it
    // down.
    found.removeIf(fault -> fault.contains("/api/v1/query") && fault.contains("status of 422"));
    found.removeIf(fault -> fault.contains("/north/log") && fault.contains("status of 422"));
    found.removeIf(fault -> fault.contains("/access-tokens") && fault.contains("status of 404"));
    assertThat(found).isEmpty();
  }

  /** A program gets a token, and then may change something at one site alone. */
  private static void permitAsAPerson(Browser browser, SiteProcesses site) {
    browser.type("[aria-label='Programs'] ~ form input[name=name]", "scada");
    browser.clickOn("[aria-label='Programs'] ~ form button");
    browser.type("[aria-label='Sites scada']", "north\n");
    browser.clickOn("dialog .main-action");
    browser.awaitText("Saved");
    browser.type("[aria-label='Programs'] ~ form input[name=name]", "other");
    browser.type("[aria-label='Programs'] ~ form input[name=sites]", "nort");
    browser.clickOn("[aria-label='Programs'] ~ form button");
    browser.awaitText("no site is called 'nort'");
    assertThat(site.answer("center", "access", "list", "--data", "center"))
        .containsPattern("scada +viewer +north ");
  }

  /** A site has labels, says how it is, and refuses a command that its owner has not allowed. */
  private void commandAsAPerson(Browser browser, String address) {
    browser.open(address + "/#/sites/north");
    browser.click("Set labels");
    browser.type("dialog input", "zone=north");
    browser.click("Save");
    browser.awaitText("zone=north");
    browser.awaitText("Disk free");
    browser.type("input[name=to]", "rows.windows");
    browser.type("input[name=values]", "machine=pump-1 n=7");
    browser.click("Send");
    browser.awaitText("Write to rows.windows at north");
    browser.clickOn("dialog .main-action");
    browser.awaitText("refused");
    browser.awaitText("first");
    look(browser, "center-site");
  }

  /** The alarm of a site, which its owner has not let the center act on at first. */
  private void acknowledgeAsAPerson(Browser browser, String address, SiteProcesses site) {
    String chosen = "sedge-rows input[type=checkbox]";
    String acknowledge = ".row .main-action:not([disabled])";
    browser.open(address + "/#/alarms");
    browser.awaitText(HOSTILE);
    browser.clickOn(chosen);
    browser.clickOn(acknowledge);
    browser.awaitText("north: the site lets no center act on its alarms");
    site.answer("site", "allow", "--alarms", "--data", "a");
    browser.clickOn(chosen);
    browser.clickOn(acknowledge);
    browser.awaitText("acknowledged");
    look(browser, "center-alarms");
    assertThat(site.answer("alarm", "show", "1", "--data", "a"))
        .contains("first (127.0.0.1) at the center");
  }

  /** What a device says, and a bundle of it, once the site's owner lets the center have them. */
  private void diagnoseAsAPerson(Browser browser, String address, SiteProcesses site) {
    browser.open(address + "/#/sites/north");
    browser.awaitText("The site is asked when you press Read");
    browser.click("Read");
    browser.awaitText("the site lets no center read what its devices have said");
    site.answer("site", "allow", "--diagnosis", "--data", "a");
    browser.click("Read");
    browser.awaitText("asks for the log of all devices");
    browser.click("Support bundle");
    browser.awaitText("Being made");
    browser.awaitNoText("Being made");
    assertThat(browser.count("[role=alert]")).isZero();
    look(browser, "center-site-log");
    assertThat(site.answer("center", "site", "log", "north", "--device", "a", "--data", "center"))
        .contains("first (127.0.0.1) at the center asks for the bundle of device a");
    site.answer("center", "site", "bundle", "north", "a", "--to", "a.zip", "--data", "center");
    assertThat(directory.resolve("a.zip")).isNotEmptyFile().isReadable();
  }

  private static void awaitStored(SiteProcesses site, int rows) {
    Await.until(
        Duration.ofMinutes(2),
        () ->
            Long.parseLong(
                    site.answer(
                            "center",
                            "query",
                            "SELECT count(*) AS n FROM windows",
                            "--output",
                            "csv",
                            "--data",
                            "center")
                        .lines()
                        .toList()
                        .getLast())
                >= rows,
        () -> rows + " rows");
  }

  private static String port(String address) {
    return address.substring(address.lastIndexOf(':') + 1);
  }

  /** Four machines, of which one has a name that is a script. The seventh row is left out. */
  private static String job(int rate, int rows) {
    return """
    CREATE TABLE numbers (
      n BIGINT,
      ts AS LOCALTIMESTAMP,
      WATERMARK FOR ts AS ts
    ) WITH (
      'connector' = 'datagen', 'rows-per-second' = '%d',
      'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '%d'
    );
    CREATE VIEW readings AS
    SELECT CASE MOD(n, 4) WHEN 0 THEN '%s' ELSE CONCAT('pump-', CAST(MOD(n, 4) AS STRING)) END AS machine,
      CAST(MOD(n, 50 / CASE n WHEN 7 THEN 0 ELSE 1 END) AS DOUBLE) AS v, ts FROM numbers;
    SELECT machine, window_end, COUNT(*) AS n, AVG(v) AS mean
    FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' SECOND))
    GROUP BY machine, window_start, window_end;
    """
        .formatted(rate, rows, HOSTILE);
  }

  /** Keeps a picture, and what is wrong with the page. */
  private void look(Browser browser, String name) {
    browser.picture(Sedge.project().resolve("system-tests/target/console").resolve(name + ".png"));
    if (WRITES && SHOWN.contains(name)) {
      browser.picture(Sedge.project().resolve("docs/images/console-%s.png".formatted(name)));
    }
    browser.barriers().forEach(barrier -> found.add(name + ": " + barrier));
    browser.faults().forEach(fault -> found.add(name + ": " + fault));
  }
}
