package io.sedge.bench.outside;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the system has counted of a process so far; Linux alone tells. What threads have counted
 * that ended is missing from {@code wakes} and {@code threads}, and from nothing else.
 *
 * @param nanos when it was read, by {@link System#nanoTime}
 * @param cpuNanos processor time of all threads; the system counts in steps of 10 ms
 * @param written to files
 * @param wakes how often its threads waited for something and went on
 * @param residentBytes of memory
 * @param threads processor time of its threads by their names without numbers
 */
public record ProcessReading(
    long nanos,
    long cpuNanos,
    WriteCounter.Count written,
    long wakes,
    long residentBytes,
    Map<String, Long> threads) {
  public ProcessReading {
    threads = Map.copyOf(threads);
  }

  /** Threads of Ratis begin with the name of a device or a client, which has a random part. */
  private static final Pattern PEER = Pattern.compile("^[a-z]+-[0-9a-f]{4,}");

  /** Reads what is known of a process that runs. */
  public static ProcessReading of(long process, WriteCounter counter) throws IOException {
    Path own = Path.of("/proc", Long.toString(process));
    long wakes = 0;
    Map<String, Long> threads = new TreeMap<>();
    try (Stream<Path> tasks = Files.list(own.resolve("task"))) {
      for (Path task : tasks.toList()) {
        try {
          wakes += number(task.resolve("status"), "voluntary_ctxt_switches:");
          threads.merge(name(task), cpuNanos(task), Long::sum);
        } catch (IOException e) {
          // The thread has ended.
        }
      }
    }
    return new ProcessReading(
        System.nanoTime(),
        ProcessHandle.of(process)
            .flatMap(handle -> handle.info().totalCpuDuration())
            .orElse(Duration.ZERO)
            .toNanos(),
        counter.count(process),
        wakes,
        number(own.resolve("status"), "VmRSS:") * 1024,
        threads);
  }

  private static long number(Path file, String field) throws IOException {
    for (String line : lines(file)) {
      if (line.startsWith(field)) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    return 0;
  }

  private static String name(Path task) throws IOException {
    String name = String.join("", lines(task.resolve("comm")));
    return PEER.matcher(name).replaceFirst("peer").replaceAll("[0-9]+", "").strip();
  }

  private static long cpuNanos(Path task) throws IOException {
    return Long.parseLong(lines(task.resolve("schedstat")).getFirst().split(" ", 2)[0]);
  }

  /** Not by {@link Files#readAllLines}: names of threads may be in no encoding. */
  private static List<String> lines(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).lines().toList();
  }
}
