package io.sedge.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command in a process of its own, in a pseudo-terminal that {@code script} makes. */
@Timeout(120)
class TerminalTest {
  private static final int COLUMNS = 72;
  private static final int ROWS = 14;

  @TempDir Path directory;

  @Test
  void theTableKeepsToTheTerminalAndCtrlCEndsItWithASummary() throws Exception {
    assumeTrue(
        new ProcessBuilder(
                    "sh",
                    "-c",
                    "script --version | grep -q util-linux && env --default-signal=INT true")
                .start()
                .waitFor()
            == 0,
        "there are `script` of util-linux and `env` of GNU");
    Files.writeString(
        directory.resolve("job.sql"),
        """
        CREATE TABLE numbers (name STRING, n DOUBLE) WITH (
          'connector' = 'datagen', 'rows-per-second' = '1000', 'fields.name.length' = '1');
        SELECT name, n FROM numbers;
        """);
    Process process = start();
    StringBuilder screen = new StringBuilder();
    try {
      see(process, screen);
    } finally {
      process.destroyForcibly(); // What runs in it ends with its terminal.
    }
    String text = screen.toString();
    assertThat(text).contains("\u001b[?25l").contains("\u001b[?25h").contains("readings in");
    for (String frame : text.split("\u001b\\[\\?2026h", -1)) {
      String[] lines = frame.split("\u001b\\[\\?2026l", -1)[0].split("\n", -1);
      assertThat(lines).hasSizeLessThanOrEqualTo(ROWS);
      for (String line : lines) {
        String shown = line.replaceAll("\u001b\\[[0-9;?]*[a-zA-Z]", "").strip();
        assertThat(shown.length()).as(shown).isLessThanOrEqualTo(COLUMNS);
      }
    }
  }

  private static void see(Process process, StringBuilder screen) throws Exception {
    await(process.getInputStream(), screen, "readings");
    await(process.getInputStream(), screen, "more rows");
    try (OutputStream keyboard = process.getOutputStream()) {
      keyboard.write(3);
      keyboard.flush();
      await(process.getInputStream(), screen, "peak memory");
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }

  /** In the background of a shell a build ignores SIGINT, and so would what it starts. */
  private Process start() throws IOException {
    String command =
        "stty cols %d rows %d; exec env --default-signal=INT '%s' -Dsedge.out=terminal -Dsedge.err=terminal --enable-native-access=ALL-UNNAMED -cp '%s' io.sedge.cli.Main run job.sql"
            .formatted(
                COLUMNS,
                ROWS,
                Path.of(System.getProperty("java.home"), "bin", "java"),
                System.getProperty("java.class.path"));
    Files.writeString(directory.resolve("start.sh"), command);
    return new ProcessBuilder("script", "-qec", "exec sh start.sh", "/dev/null")
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .start();
  }

  /** Reads on until a text has come. */
  private static void await(InputStream input, StringBuilder screen, String text)
      throws IOException {
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    int from = screen.length();
    byte[] buffer = new byte[8192];
    while (screen.indexOf(text, from) < 0) {
      assertThat(System.nanoTime())
          .as("%s, not within a minute: %s", text, screen)
          .isLessThan(deadline);
      int count = input.read(buffer);
      assertThat(count).as("%s comes before the end: %s", text, screen).isPositive();
      screen.append(new String(buffer, 0, count, StandardCharsets.UTF_8));
    }
  }
}
