package io.sedge.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.system.testkit.Sedge;
import io.sedge.system.testkit.SedgeProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** How a run ends, as a shell or a service manager sees it. */
@Timeout(900)
@Execution(ExecutionMode.CONCURRENT)
final class EndTest {
  private static final String ENDLESS =
      """
      CREATE TABLE numbers (n BIGINT)
        WITH ('connector' = 'datagen', 'rows-per-second' = '100000', 'fields.n.kind' = 'random');
      SELECT n FROM numbers;
      """;

  @TempDir private Path directory;

  @Test
  void aScriptThatIsNotAcceptedEndsWith2AndTheLineAndColumn() {
    Sedge sedge = Sedge.in(directory);
    sedge.script(
        "wrong.sql", ENDLESS.replace("SELECT n FROM numbers;", "SELECT n,\n  m FROM numbers;"));
    try (SedgeProcess job = sedge.start("run", "wrong.sql")) {
      assertThat(job.exitCode()).isEqualTo(2);
      assertThat(job.err()).anyMatch(line -> line.contains("wrong.sql:4:3"));
      assertThat(job.out()).isEmpty();
    }
  }

  @Test
  void terminationEndsARunCleanlyWith0AndASummary() throws IOException {
    Sedge sedge = Sedge.in(directory);
    sedge.script("endless.sql", ENDLESS);
    try (SedgeProcess job = sedge.startPiped(Map.of(), "run", "endless.sql", "--output", "json");
        BufferedReader reader = job.reader()) {
      assertThat(reader.readLine()).startsWith("{\"n\":");
      job.terminate();
      long lines = reader.lines().peek(line -> assertThat(line).endsWith("}")).count();
      assertThat(job.exitCode()).as(job::toString).isZero();
      assertThat(job.awaitMessage("rows out").replaceAll("[^0-9]", ""))
          .isEqualTo(Long.toString(lines + 1));
    }
  }

  @Test
  void aRunWhoseOutputIsStuckEndsAllTheSame() throws IOException {
    Sedge sedge = Sedge.in(directory);
    sedge.script("endless.sql", ENDLESS);
    try (SedgeProcess job = sedge.startPiped(Map.of(), "run", "endless.sql", "--output", "json");
        BufferedReader reader = job.reader()) {
      assertThat(reader.readLine()).startsWith("{\"n\":");
      job.awaitMessage("standard output has not written what it was given");
      job.interrupt();
      assertThat(job.exitCode()).as(job::toString).isZero();
      job.awaitMessage("stopped without waiting longer than 7 s for standard output");
      job.awaitMessage("rows out");
    }
  }

  /** Nobody reads its output, so it could not end by itself for ten seconds. */
  @Test
  void aSecondCtrlCEndsARunAtOnceWith130() throws IOException {
    Sedge sedge = Sedge.in(directory);
    sedge.script("endless.sql", ENDLESS);
    try (SedgeProcess job = sedge.startPiped(Map.of(), "run", "endless.sql", "--output", "json");
        BufferedReader reader = job.reader()) {
      assertThat(reader.readLine()).startsWith("{\"n\":");
      job.awaitMessage("standard output");
      job.interrupt();
      job.awaitMessage("stopping: waits for standard output");
      job.interrupt();
      assertThat(job.exitCode()).isEqualTo(130);
      assertThat(job.err()).noneMatch(line -> line.startsWith("rows out"));
    }
  }
}
