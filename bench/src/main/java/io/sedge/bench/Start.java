package io.sedge.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The time from a command to its first result, files read before (a warm disk); and the peak of
 * resident memory of the main example, with a heap of 64 MB. Peers' programs get a thousand
 * readings at once and are timed until all have come out, which takes them milliseconds once they
 * run.
 */
final class Start {
  private static final int LEAST_ROUNDS = 5;
  private static final String AT_ONCE = "W4:0:1000:1000000";
  private static final Duration MAIN_JOB = Duration.ofSeconds(60);
  private static final String MAIN_EXAMPLE = "examples/machine-health.sql";

  private final Settings settings;
  private final ClassPath classPath;
  private final Path project;
  private final PrintStream progress;

  Start(Settings settings, ClassPath classPath, Path project, PrintStream progress) {
    this.settings = settings;
    this.classPath = classPath;
    this.project = project;
    this.progress = progress;
  }

  void run(PrintStream out) throws IOException, InterruptedException {
    Table table = new Table("start", "first result, s", "slowest, s");
    String scripts = "bench/src/main/sedge/";
    first(table, "./sedge run first-row.sql (sensors)", sedge(scripts + "first-row.sql"));
    first(table, "./sedge run first-window.sql (a file)", sedge(scripts + "first-window.sql"));
    for (String name : settings.contenders()) {
      if (!name.equals(Entry.SEDGE)) {
        Entry entry = Entry.named(name);
        first(table, name, entry.command(classPath, List.of(entry.type(), AT_ONCE)));
      }
    }
    out.println(table);
    memory(out);
  }

  private static List<String> sedge(String script) {
    return List.of("./sedge", "run", script, "--output", "json");
  }

  private void first(Table table, String name, List<String> command)
      throws IOException, InterruptedException {
    progress.printf("start: %s%n", name);
    int rounds = Math.max(LEAST_ROUNDS, settings.rounds());
    firstLineSeconds(command);
    double[] seconds = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      seconds[round] = firstLineSeconds(command);
    }
    Arrays.sort(seconds);
    table.row(name, Table.number(seconds[(rounds - 1) / 2]), Table.number(seconds[rounds - 1]));
  }

  private double firstLineSeconds(List<String> command) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Process process = start(command, "64m");
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      if (output.readLine() == null) {
        throw new IOException("%s gave no result".formatted(String.join(" ", command)));
      }
      return (System.nanoTime() - begin) / 1e9;
    } finally {
      process.destroy();
      process.waitFor();
    }
  }

  private Process start(List<String> command, String heap) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(project.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().put("SEDGE_HEAP", heap);
    return builder.start();
  }

  private void memory(PrintStream out) throws IOException, InterruptedException {
    progress.printf("memory: %s for %d s%n", MAIN_EXAMPLE, MAIN_JOB.toSeconds());
    Process process = start(sedge(MAIN_EXAMPLE), "64m");
    double peak = Double.NaN;
    try {
      Thread output =
          Thread.ofPlatform().daemon().name("bench-output").start(() -> discard(process));
      if (!process.waitFor(MAIN_JOB.toSeconds(), TimeUnit.SECONDS)) {
        peak = Memory.peakResidentMb(Long.toString(process.pid()));
      }
      process.destroy();
      output.join();
    } finally {
      process.destroy();
    }
    Table table = new Table("memory, -Xmx64m", "peak RSS MB");
    table.row(MAIN_EXAMPLE, Table.number(peak));
    out.println(table);
  }

  private static void discard(Process process) {
    try {
      process.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // the process has been ended, which is what this thread waits for
    }
  }
}
