package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The stages of a model's versions, from the first one on. */
@Timeout(300)
class ModelCommandsTest {
  private static final String SCRIPT =
      """
      CREATE TABLE readings (x DOUBLE, y DOUBLE) WITH (
        'connector' = 'filesystem', 'path' = 'in', 'format' = 'csv',
        'source.monitor-interval' = '100 ms', 'keep' = '1 h');
      CREATE TABLE kept (x DOUBLE, y DOUBLE) WITH ('connector' = 'history', 'table' = 'readings');
      CREATE MODEL line INPUT (x DOUBLE) OUTPUT (z DOUBLE) WITH (
        'provider' = 'site', 'algorithm' = 'linear', 'label' = 'y', 'train.share' = '1',
        'train.promote' = 'by-hand')
      AS SELECT x, y FROM kept;
      CREATE TABLE nowhere (z DOUBLE) WITH ('connector' = 'blackhole');
      INSERT INTO nowhere
      SELECT z FROM ML_PREDICT(TABLE readings, MODEL line, DESCRIPTOR(x), MAP['version', 'shadow']);
      """;

  @TempDir Path directory;
  private DeviceRunner devices = new DeviceRunner(Path.of(""));

  @BeforeEach
  void start() throws IOException {
    devices = new DeviceRunner(directory);
    devices.start("device start --data d --name a");
    Files.createDirectory(directory.resolve("in"));
    Files.writeString(
        directory.resolve("in/1.csv"),
        IntStream.range(0, 1_000)
            .mapToObj(i -> "%d,%d\n".formatted(i % 10, 2 * (i % 10) + i % 3))
            .collect(Collectors.joining()));
    Files.writeString(directory.resolve("job.sql"), SCRIPT);
    var _ = run(0, "job submit job.sql");
  }

  @AfterEach
  void stop() throws InterruptedException {
    devices.stop();
  }

  private CommandRunner run(int exitCode, String commandLine) {
    return devices.run(exitCode, commandLine + " --data d");
  }

  /** Until enough rows are kept there is nothing to train from. */
  private long trained() throws IOException {
    CommandRunner runner = new CommandRunner(directory);
    while (runner.run("model train line --data d --output json".split(" ")) != 0) {
      LockSupport.parkNanos(100_000_000);
      runner = new CommandRunner(directory);
    }
    JsonNode trained = new ObjectMapper().readTree(runner.out());
    return trained.path("version").asLong();
  }

  /** A job that was replaced is compiled in a moment, and then its model has an algorithm again. */
  private void awaitCompiled() throws IOException {
    while (new ObjectMapper()
        .readTree(run(0, "model show line --output json").out().lines().findFirst().orElseThrow())
        .path("algorithm")
        .asText()
        .isEmpty()) {
      LockSupport.parkNanos(100_000_000);
    }
  }

  @Test
  void aVersionIsTheShadowThenLive() throws IOException {
    long version = trained();
    assertThat(run(2, "model promote line").err())
        .contains("model line has no shadow: say which version, --version");
    assertThat(run(2, "model shadow line").err())
        .contains("say which version scores beside the live one, --version, or --none");
    assertThat(run(2, "model shadow line --none --version 1").err()).contains("or --none");
    assertThat(run(2, "model shadow line --version 99").err()).contains("has no version 99");

    assertThat(run(0, "model shadow line --version " + version).err())
        .isEqualTo("sedge: model line: version %d is the shadow\n".formatted(version));
    assertThat(run(0, "model show line").out().lines())
        .anyMatch(line -> line.strip().replaceAll(" +", " ").startsWith(version + " shadow "));
    assertThat(run(0, "model list").out().lines().map(line -> line.replaceAll(" +", " ")))
        .first()
        .asString()
        .startsWith("MODEL JOB ALGORITHM LIVE SHADOW LATEST ");
    assertThat(run(0, "model list").out().lines().map(line -> line.replaceAll(" +", " ")))
        .last()
        .asString()
        .startsWith("line job linear - %d %d ".formatted(version, version));

    // Scores that nobody takes are remarked.
    String remark =
        "sedge: no query of job job takes the scores of the shadow of model line: write"
            + " MAP['version', 'shadow'] in ML_PREDICT or ML_EVALUATE (`sedge job submit"
            + " --replace`)\n";
    assertThat(run(0, "model show line").err()).isEmpty();
    Files.writeString(
        directory.resolve("job.sql"), SCRIPT.replace(", MAP['version', 'shadow']", ""));
    var _ = run(0, "job submit job.sql --replace");
    awaitCompiled();
    assertThat(run(0, "model show line").err()).isEqualTo(remark);
    assertThat(run(0, "model shadow line --version " + version).err()).endsWith(remark);

    assertThat(run(0, "model promote line").err())
        .isEqualTo("sedge: model line: version %d is live\n".formatted(version));
    assertThat(run(2, "model shadow line --version " + version).err())
        .contains("version %d of model line is live".formatted(version));
    exports();
    JsonNode none =
        new ObjectMapper().readTree(run(0, "model shadow line --none --output json").out());
    assertThat(none.path("version").asLong()).isZero();
    assertThat(none.path("model").asText()).isEqualTo("line");
    assertThat(run(0, "model show line --version " + version).out())
        .startsWith("model line of job job, version %d: linear, live".formatted(version));
  }

  private void exports() throws IOException {
    var _ = run(0, "model export line line.onnx");
    assertThat(directory.resolve("line.onnx")).isNotEmptyFile();
    assertThat(run(2, "model export line line.onnx").err()).contains("is there already");
    var _ = run(0, "model export line line --format saved-model");
    assertThat(directory.resolve("line/saved_model.pb")).isNotEmptyFile();
    assertThat(directory.resolve("line/assets.extra/sedge.reference")).isNotEmptyFile();
    assertThat(run(2, "model export line line --format saved-model").err())
        .contains("line is there already: name another file");
    assertThat(run(2, "model export line other --format h5").err()).contains("onnx", "saved-model");
  }
}
