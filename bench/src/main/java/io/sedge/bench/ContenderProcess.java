package io.sedge.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs contenders in processes of their own. */
public final class ContenderProcess {
  private static final int LIMIT_MINUTES = 10;

  private final ClassPath classPath;
  private final Path logs;

  /**
   * @param logs where each contender's standard error is kept: {@code bench-NAME.log}
   */
  public ContenderProcess(ClassPath classPath, Path logs) {
    this.classPath = classPath;
    this.logs = logs;
  }

  /**
   * What a contender's process prints.
   *
   * @param arguments of {@link BenchRun}, the class excepted
   * @throws IOException if it fails; the message has the end of its log
   */
  public List<String> lines(Entry entry, List<String> options, List<String> runs)
      throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>(options);
    arguments.add(entry.type());
    arguments.addAll(runs);
    return lines(entry.name(), entry.command(classPath, arguments));
  }

  /** What a command prints; its standard error is kept under the name. */
  public List<String> lines(String name, List<String> command)
      throws IOException, InterruptedException {
    Path log = logs.resolve("bench-" + name + ".log");
    Process process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    CompletableFuture.delayedExecutor(LIMIT_MINUTES, TimeUnit.MINUTES)
        .execute(process::destroyForcibly);
    List<String> lines = new ArrayList<>();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      output.lines().forEach(lines::add);
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException(
            "%s ended with %d (it is killed after %d minutes); the end of %s:%n%s"
                .formatted(name, code, LIMIT_MINUTES, log, end(log)));
      }
      return lines;
    } finally {
      process.destroy();
    }
  }

  /** The report of a single run. */
  Report measure(Entry entry, String run) throws IOException, InterruptedException {
    List<Report> reports = reports(lines(entry, List.of(), List.of(run)));
    if (reports.size() != 1) {
      throw new IOException(
          "%s gave %d results for %s".formatted(entry.name(), reports.size(), run));
    }
    return reports.getFirst();
  }

  public static List<Report> reports(List<String> lines) {
    return lines.stream()
        .filter(line -> line.startsWith(Report.PREFIX))
        .map(Report::parse)
        .toList();
  }

  private static String end(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
  }
}
