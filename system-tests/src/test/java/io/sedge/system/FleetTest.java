package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import io.sedge.system.testkit.SiteNetwork;
import io.sedge.system.testkit.SiteProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A center gives a job to two sites: a wrong script changes nothing, a good one comes in two waves
 * while the center is killed, what is not well goes back, and windows are merged over both sites.
 */
@Timeout(1200)
final class FleetTest {
  private static final String GOOD = "fleet.sql";

  @TempDir private Path directory;

  private Sedge sedge;
  private SiteProcesses sites;
  private SedgeProcess center;
  private String listen;

  @Test
  void aJobComesToItsSitesInWavesAndGoesBackIfItIsNotWell() throws IOException {
    sedge = Sedge.in(directory);
    sites = new SiteProcesses(sedge, SiteNetwork.loopback());
    listen = "127.0.0.1:" + SiteProcesses.freePorts();
    String script = Files.readString(Sedge.project().resolve("examples/fleet.sql"));
    sedge.script(GOOD, script);
    sedge.script("wrong.sql", script.replace("COUNT(*)", "COUNTS(*)"));
    sedge.script(
        "sick.sql", script.replace("MAX(`value`)", "MAX(CAST(1 / (machine - machine) AS DOUBLE))"));
    center = center();
    SedgeProcess north = site("north");
    SedgeProcess south = site("south");
    try {
      assertThat(refused("wrong.sql", "--name", "fleet", "--site", "north,south"))
          .contains("COUNTS");
      ask("site", "label", "north", "zone=plant");
      ask("site", "label", "south", "zone=plant");
      assertThat(refused(GOOD, "--sites", "zone=plant", "--wait"))
          .contains("takes no jobs of a center");
      sites.answer("site", "allow", "--jobs", "--data", "north");
      sites.answer("site", "allow", "--jobs", "--data", "south");
      ask("job", "submit", GOOD, "--sites", "zone=plant", "--gate", "5s");
      center.until(() -> show().contains("gated"), () -> "a site that is watched");
      center.kill();
      center = center();
      center.until(() -> show().contains(": done"), () -> "a job on both sites");
      assertThat(sites.answer("job", "list", "--data", "south")).contains("center's version");
      center.until(() -> merged() > 0, () -> "windows of both sites");
      assertThat(
              refused(
                  "sick.sql", "--name", "fleet", "--sites", "zone=plant", "--gate", "1s", "--wait"))
          .contains("rolled_back");
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

  private SedgeProcess center() {
    SedgeProcess started = sedge.start("center", "start", "--data", "center", "--listen", listen);
    started.awaitMessage("people and programs ask");
    return started;
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
