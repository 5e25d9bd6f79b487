package io.sedge.tensor.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A JVM with this one's class path, for what could end the process it runs in. */
final class ChildJvm {
  private static final String MARK = "child: ";

  private final Process process;
  private final BufferedReader lines;
  private final List<String> seen = new ArrayList<>();

  private ChildJvm(Process process) {
    this.process = process;
    this.lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** A child that hangs must not hang the tests. */
  private void endIfItHangs() {
    try {
      if (!process.waitFor(2, TimeUnit.MINUTES)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      // Nobody has this thread to interrupt it.
      throw new IllegalStateException(e);
    }
  }

  /** Starts the {@code main} of a class. */
  static ChildJvm start(Class<?> program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-CreateCoredumpOnCrash",
            "-XX:ErrorFile=/dev/null",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"));
    command.add(program.getName());
    command.addAll(List.of(arguments));
    return of(new ProcessBuilder(command));
  }

  /** Starts a process. */
  static ChildJvm of(ProcessBuilder builder) throws IOException {
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.environment().put("TF_CPP_MIN_LOG_LEVEL", "2");
    ChildJvm child = new ChildJvm(builder.redirectErrorStream(true).start());
    Thread.ofVirtual().start(child::endIfItHangs);
    return child;
  }

  /** Called in the child: says something to the test. */
  static void say(String what) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    out.println(MARK + what);
  }

  /** The next thing the child says that begins so. */
  String awaitLine(String start) throws IOException {
    for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
      seen.add(line);
      if (line.startsWith(MARK + start)) {
        return line.substring(MARK.length());
      }
    }
    throw new AssertionError("The child ended without saying '" + start + "': " + seen);
  }

  /** Waits until the child ends by itself, without an error. */
  void awaitGoodEnd() throws IOException, InterruptedException {
    for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
      seen.add(line);
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("exit code; it said %s", seen).isZero();
  }

  Process process() {
    return process;
  }

  void kill() {
    process.destroyForcibly();
  }
}
