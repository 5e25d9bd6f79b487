package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.system.testkit.Browser;
import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import io.sedge.system.testkit.SiteNetwork;
import io.sedge.system.testkit.SiteProcesses;
import io.sedge.system.testkit.StartedCenter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A person gives a job to two sites in a browser: a wrong script is not given, a good one comes in
 * two waves while the center is killed, what is not well goes back, and windows are merged over
 * both sites.
 */
@Timeout(1200)
@Order(1)
final class FleetTest {
  private static final String GOOD = "fleet.sql";

  @TempDir private Path directory;

  private Sedge sedge;
  private SiteProcesses sites;
  private SedgeProcess center;
  private String listen;
  private String address;

  @Test
  void aJobComesToItsSitesInWavesAndGoesBackIfItIsNotWell() throws IOException {
    Browser.assumeInstalled();
    sedge = Sedge.in(directory);
    sites = new SiteProcesses(sedge, SiteNetwork.loopback());
    listen = "127.0.0.1:" + SiteProcesses.freePorts();
    String script = Files.readString(Sedge.project().resolve("examples/fleet.sql"));
    sedge.script(GOOD, script);
    StartedCenter first = StartedCenter.at(sedge, listen);
    center = first.process();
    address = first.address();
    SedgeProcess north = site("north");
    SedgeProcess south = site("south");
    try (Browser browser = Browser.start()) {
      browser.beginAs(first.link(), "first");
      ask("site", "label", "north", "zone=plant");
      ask("site", "label", "south", "zone=plant");
      assertThat(refused(GOOD, "--sites", "zone=plant", "--wait"))
          .contains("takes no jobs of a center");
      sites.answer("site", "allow", "--jobs", "--data", "north");
      sites.answer("site", "allow", "--jobs", "--data", "south");
      give(browser, script, 5);
      browser.awaitText("watched");
      center.kill();
      browser.awaitText("The center does not answer");
      center = StartedCenter.at(sedge, listen).process();
      browser.awaitText("The session has ended");
      browser.clickOn(".banner button");
      browser.type("input[name=name]", "first");
      browser.type("input[name=password]", Browser.FIRST_PASSWORD);
      browser.clickOn("form .main-action");
      browser.awaitText("version 2 on 2");
      browser.awaitText("State\ngiven");
      look(browser, "center-job");
      assertThat(sites.answer("job", "list", "--data", "south")).contains("center's version");
      center.until(() -> merged() > 0, () -> "windows of both sites");
      String sick = script.replace("MAX(`value`)", "MAX(CAST(1 / (machine - machine) AS DOUBLE))");
      give(browser, sick, 1);
      browser.awaitText("State\nrolled back");
      browser.awaitText("version 2 on 2");
      assertThat(sites.answer("job", "list", "--data", "north")).contains("running");
      ask("job", "remove", "fleet");
      center.until(() -> show().contains(": removed"), () -> "a job that is removed");
      assertThat(sites.answer("job", "list", "--data", "north")).doesNotContain("fleet");
    } finally {
      center.close();
      north.close();
      south.close();
    }
  }

  /**
   * Types a version of the job, at first with a fault: for two waves, whose sites must be well for
   * some seconds.
   */
  private void give(Browser browser, String script, int gateSeconds) {
    browser.open(address + "/#/jobs/new");
    browser.fill("Name of the job", "fleet");
    browser.fill("Sites with the labels", "zone=plant");
    browser.fill("Waves", "1, rest");
    browser.fill("Seconds that a site must be well", Integer.toString(gateSeconds));
    String wrong = script.replace("AVG(`value`)", "AVG(`speed`)");
    browser.edit(wrong);
    browser.awaitText(Browser.place(wrong, "`speed`"));
    assertThat(browser.count("button.main-action:not([disabled])")).as("may be given").isZero();
    browser.edit(script);
    browser.awaitText("accepted");
    browser.click("Give to sites");
  }

  private void look(Browser browser, String name) {
    browser.picture(Sedge.project().resolve("system-tests/target/console").resolve(name + ".png"));
    assertThat(browser.barriers()).isEmpty();
  }

  private SedgeProcess site(String name) {
    SedgeProcess device = sites.device(name, SiteProcesses.freePorts(), "start");
    SiteProcesses.awaitUp(device);
    String token = List.of(ask("token").strip().split("\\s+", -1)).getLast();
    sites.answer("site", "report", "--to", listen, "--token", token, "--as", name, "--data", name);
    return device;
  }

  private String ask(String... words) {
    return sites.answer(command(words));
  }

  private static String[] command(String... words) {
    String[] command = new String[words.length + 3];
    command[0] = "center";
    System.arraycopy(words, 0, command, 1, words.length);
    command[words.length + 1] = "--data";
    command[words.length + 2] = "center";
    return command;
  }

  private String show() {
    return ask("job", "show", "fleet");
  }

  /** What is said of a script that is not given to all sites. */
  private String refused(String... words) {
    String[] all = new String[words.length + 2];
    all[0] = "job";
    all[1] = "submit";
    System.arraycopy(words, 0, all, 2, words.length);
    try (SedgeProcess process = sedge.start(command(all))) {
      assertThat(process.exitCode()).as(process::toString).isNotZero();
      return process.toString();
    }
  }

  private int merged() {
    if (!ask("table", "list").contains("fleet")) {
      return 0;
    }
    String rows = ask("query", "SELECT count(*) FROM fleet WHERE _site = '*'", "--output", "csv");
    return Integer.parseInt(List.of(rows.split("\n", -1)).getLast().strip());
  }
}
