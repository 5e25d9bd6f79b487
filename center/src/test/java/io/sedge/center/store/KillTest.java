package io.sedge.center.store;

import static io.sedge.center.store.TestRows.WINDOWS;
import static io.sedge.center.store.TestRows.ask;
import static io.sedge.center.store.TestRows.opening;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A center that is killed while it stores rows has what it acknowledged, once. */
class KillTest {
  private static final int KILLS = 4;
  private static final int MOST_LINES = 60;

  @TempDir Path directory;

  @Test
  void whatWasAcknowledgedIsThereOnceAfterEachKill() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Map<String, Long> acknowledged = new HashMap<>();
    for (int kill = 0; kill < KILLS; kill++) {
      runAndKill(1 + random.nextInt(MOST_LINES), acknowledged);
      compare(acknowledged, "seed %d, kill %d".formatted(seed, kill));
    }
  }

  private void runAndKill(int lines, Map<String, Long> acknowledged) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KilledStore.class.getName(),
                directory.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (int line = 0; line < lines; line++) {
        note(output.readLine(), acknowledged);
      }
      // Process itself would close what is still to be read.
      process.toHandle().destroyForcibly();
      // What it has written before it died was acknowledged too.
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (line.matches("[a-z]+ [0-9]+")) {
          note(line, acknowledged);
        }
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static void note(String line, Map<String, Long> acknowledged) {
    assertThat(line).matches("[a-z]+ [0-9]+");
    String[] parts = line.split(" ", -1);
    acknowledged.merge(parts[0], Long.parseLong(parts[1]), Math::max);
  }

  private void compare(Map<String, Long> acknowledged, String when) throws Exception {
    try (Store store =
        Store.open(StoreOptions.embedded(directory), InstantSource.system(), _ -> {})) {
      for (String site : KilledStore.SITES) {
        long stored = store.openStream(site, opening("windows", WINDOWS)).sequence();
        // A line that was cut off by the kill may show fewer digits, never more.
        assertThat(stored).as(when).isGreaterThanOrEqualTo(acknowledged.getOrDefault(site, 0L));
        assertThat(stored % KilledStore.ROWS).as(when).isZero();
        assertThat(
                ask(
                    store,
                    "SELECT count(*), count(DISTINCT _seq), coalesce(min(_seq), 1), coalesce(max(_seq), 0), total(average) FROM windows WHERE _site = '%s'"
                        .formatted(site)))
            .as(when)
            .containsExactly(List.of(stored, stored, 1L, stored, stored * (stored + 1) * 0.5));
      }
      assertThat(ask(store, "SELECT * FROM pragma_integrity_check")).containsExactly(List.of("ok"));
    }
  }
}
