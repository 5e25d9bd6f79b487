package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import io.sedge.system.testkit.SiteNetwork;
import io.sedge.system.testkit.SiteProcesses;
import io.sedge.system.testkit.StartedCenter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A site reports to a center, and both are killed while rows come: the center has each row once.
 */
@Timeout(900)
final class CenterTest {
  private static final int COUNT = 6_000;
  private static final String SCRIPT =
      """
      CREATE TABLE numbers (n BIGINT)
        WITH ('connector' = 'datagen', 'rows-per-second' = '250',
              'fields.n.kind' = 'sequence', 'fields.n.start' = '1', 'fields.n.end' = '%d');
      CREATE TABLE stored (n BIGINT)
        WITH ('connector' = 'center', 'credential' = '${secret:center}');
      INSERT INTO stored SELECT n FROM numbers;
      """
          .formatted(COUNT);

  @TempDir private Path directory;

  @Test
  void eachRowIsInTheCenterOnceWhoeverIsKilled() {
    Sedge sedge = Sedge.in(directory);
    SiteProcesses site = new SiteProcesses(sedge, SiteNetwork.loopback());
    String listen = "127.0.0.1:" + SiteProcesses.freePorts();
    sedge.script("numbers.sql", SCRIPT);
    StartedCenter first = StartedCenter.at(sedge, listen);
    SedgeProcess center = first.process();
    SedgeProcess device = site.device("a", SiteProcesses.freePorts(), "start");
    try {
      SiteProcesses.awaitUp(device);
      site.answer(
          "site",
          "report",
          "--to",
          listen,
          "--token",
          first.token(),
          "--as",
          "north",
          "--data",
          "a");
      site.answer("job", "submit", "numbers.sql", "--data", "a");
      awaitStored(site, center, COUNT / 6);
      center.kill();
      center = StartedCenter.at(sedge, listen).process();
      awaitStored(site, center, COUNT / 3);
      device.kill();
      device = site.again("a");
      SiteProcesses.awaitUp(device);
      awaitStored(site, center, COUNT / 2);
      center.kill();
      center = StartedCenter.at(sedge, listen).process();
      site.answer("job", "wait", "numbers", "--data", "a");
      awaitStored(site, center, COUNT);
      assertThat(
              site.answer(
                  "center",
                  "query",
                  "SELECT count(*), count(DISTINCT n), min(n), max(n) FROM stored",
                  "--output",
                  "csv",
                  "--data",
                  "center"))
          .endsWith("%1$d,%1$d,1,%1$d".formatted(COUNT));
    } finally {
      center.close();
      device.close();
    }
  }

  private static void awaitStored(SiteProcesses site, SedgeProcess center, int least) {
    center.until(() -> stored(site) >= least, () -> least + " rows in the center");
  }

  /** None as long as the site has not opened the table. */
  private static int stored(SiteProcesses site) {
    String tables = site.answer("center", "table", "list", "--data", "center");
    if (!tables.contains("stored")) {
      return 0;
    }
    List<String> lines =
        List.of(
            site.answer(
                    "center",
                    "query",
                    "SELECT count(*) FROM stored",
                    "--output",
                    "csv",
                    "--data",
                    "center")
                .split("\n", -1));
    return Integer.parseInt(lines.getLast().strip());
  }
}
