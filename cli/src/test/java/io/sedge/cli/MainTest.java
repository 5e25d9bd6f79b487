package io.sedge.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program in a process of its own. */
@Timeout(120)
class MainTest {
  private static final String NUMBERS =
      """
      CREATE TABLE numbers (n BIGINT) WITH (
        'connector' = 'datagen', 'number-of-rows' = '1234', 'rows-per-second' = '100000');
      """;

  @TempDir Path directory;

  private int run(String script, Path output, List<String> options) throws Exception {
    Files.writeString(directory.resolve("job.sql"), script);
    Process process =
        new ProcessBuilder(program(options))
            .directory(directory.toFile())
            .redirectOutput(output.toFile())
            .redirectError(directory.resolve("err").toFile())
            .start();
    try {
      assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("ended").isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private static List<String> program(List<String> options) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            "io.sedge.cli.Main",
            "run",
            "job.sql"));
    return command;
  }

  private String err() throws IOException {
    return Files.readString(directory.resolve("err"));
  }

  /** /dev/full says of every write that the disk is full. */
  @Test
  void aFullDiskUnderSelectOrPrintEndsWithExitCode3() throws Exception {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "there is a /dev/full");
    assertThat(run(NUMBERS + "SELECT n FROM numbers;", full, List.of())).isEqualTo(3);
    assertThat(err())
        .contains("error: standard output cannot be written")
        .doesNotContain("readings in");
    String print =
        """
        CREATE TABLE p (n BIGINT) WITH ('connector' = 'print');
        INSERT INTO p SELECT n FROM numbers;
        """;
    assertThat(run(NUMBERS + print, full, List.of())).isEqualTo(3);
    assertThat(err())
        .contains("error: table p: standard output cannot be written")
        .doesNotContain("readings in");
  }

  /** A full pipe that nobody reads, as of a terminal that was stopped with Ctrl-S. */
  @Test
  void aStandardErrorThatNobodyReadsHoldsNothingUp() throws Exception {
    assumeTrue(System.getProperty("os.name").equals("Linux"), "dd can fill a pipe and go on");
    Path out = directory.resolve("out");
    Files.writeString(directory.resolve("job.sql"), NUMBERS + "SELECT n FROM numbers;");
    String shell =
        "mkfifo err && exec 3<>err && { dd if=/dev/zero of=err bs=4096 count=999 oflag=nonblock"
            + " 2>filled; exec \"$@\" 2>&3; }";
    List<String> command = new ArrayList<>(List.of("sh", "-c", shell, "sh"));
    command.addAll(program(List.of()));
    command.addAll(List.of("--output", "json"));
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .start();
    try {
      assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("ended").isTrue();
      assertThat(process.exitValue()).isZero();
    } finally {
      process.destroyForcibly();
    }
    assertThat(directory.resolve("filled")).content().contains("Resource temporarily unavailable");
    assertThat(out).content().hasLineCount(1234);
  }

  /** Numbers are written with the same separators wherever in the world, as the documents say. */
  @Test
  void theLanguageOfTheMachineDoesNotMatter() throws Exception {
    Path out = directory.resolve("out");
    assertThat(
            run(
                NUMBERS + "SELECT n FROM numbers;",
                out,
                List.of("-Duser.language=de", "-Duser.country=DE")))
        .as(err())
        .isZero();
    assertThat(err()).containsPattern("readings in +1,234 ");
  }

  @ParameterizedTest
  @CsvSource(value = {"run x.sql, '', false", "run x.sql --debug, '', true", "run x.sql, 1, true"})
  void theLogsOfLibrariesAreShownToThoseWhoAsk(String command, String variable, boolean shown) {
    assertThat(Main.showsLogs(command.split(" "), Map.of("SEDGE_DEBUG", variable)))
        .isEqualTo(shown);
  }
}
