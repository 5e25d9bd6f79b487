package io.sedge.replication;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Change;
import io.sedge.ledger.Command;
import io.sedge.ledger.TaskId;
import io.sedge.replication.testkit.Members;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Measures commits of a group in this process: {@code LedgerBenchmark MEMBERS BYTES SECONDS
 * OUTSTANDING TASKS}. Each of the tasks commits one key of that many bytes, over and over; all are
 * given to the leader.
 */
final class LedgerBenchmark {
  private static final int MAX_SAMPLES = 400_000;

  private LedgerBenchmark() {}

  public static void main(String[] args) throws Exception {
    int count = Integer.parseInt(args[0]);
    int bytes = Integer.parseInt(args[1]);
    int seconds = Integer.parseInt(args[2]);
    int outstanding = Integer.parseInt(args[3]);
    int tasks = Integer.parseInt(args[4]);
    Path directory = Files.createTempDirectory(Path.of("").toAbsolutePath(), "ledger-bench");
    long start = System.nanoTime();
    try (Members members = new Members(directory)) {
      LedgerMember leader = members.found("a");
      for (int i = 1; i < count; i++) {
        members.join("m" + i, leader);
      }
      System.err.printf(
          "%d members after %d ms, resident %d MB%n",
          count, (System.nanoTime() - start) / 1_000_000, residentMegabytes());
      Run run = new Run(leader, bytes, outstanding, tasks);
      run.go(seconds / 2, false);
      run.go(seconds, true);
      System.err.printf(
          "directory %d MB, resident %d MB%n", sizeOf(directory) >> 20, residentMegabytes());
      members.reports().forEach(System.err::println);
    } finally {
      delete(directory);
    }
    System.exit(0);
  }

  /** Commits in flight, and how long each took. */
  private static final class Run {
    private final LedgerMember leader;
    private final int bytes;
    private final int tasks;
    private final Semaphore room;
    private final long[] sequences;
    private final long[] epochs;
    private final long[] nanos = new long[MAX_SAMPLES];
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    Run(LedgerMember leader, int bytes, int outstanding, int tasks) throws Exception {
      this.leader = leader;
      this.bytes = bytes;
      this.tasks = tasks;
      this.room = new Semaphore(outstanding);
      this.sequences = new long[tasks];
      this.epochs = new long[tasks];
      Members.done(leader, new Command.RegisterDevice("a", "", Map.of()));
      Members.done(leader, new Command.SubmitJob("bench", ""));
      for (int i = 0; i < tasks; i++) {
        epochs[i] = Members.done(leader, new Command.AssignTask(task(i), "a", 0)).value();
      }
    }

    private static TaskId task(int i) {
      return new TaskId("bench", "shard-" + i);
    }

    void go(int seconds, boolean say) throws InterruptedException {
      done.set(0);
      Random random = new Random(1);
      long start = System.nanoTime();
      long end = start + seconds * 1_000_000_000L;
      for (int i = 0; System.nanoTime() < end; i = (i + 1) % tasks) {
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        room.acquire();
        long begin = System.nanoTime();
        var _ =
            leader
                .submit(
                    new Command.Commit(
                        task(i),
                        epochs[i],
                        ++sequences[i],
                        Map.of(),
                        List.of(new Change(new byte[] {1}, value)),
                        List.of()))
                .whenComplete((answer, _) -> take(answer, System.nanoTime() - begin));
      }
      long commits = done.get();
      double elapsed = (System.nanoTime() - start) / 1e9;
      if (say) {
        int samples = (int) Math.min(commits, MAX_SAMPLES);
        long[] sorted = Arrays.copyOf(nanos, samples);
        Arrays.sort(sorted);
        System.err.printf(
            "%d B: %.0f commits/s, %.1f MB/s, p50 %.2f ms, p99 %.2f ms, most %.1f ms, failed %d%n",
            bytes,
            commits / elapsed,
            commits / elapsed * bytes / 1e6,
            sorted[samples / 2] / 1e6,
            sorted[(int) (samples * 0.99)] / 1e6,
            sorted[samples - 1] / 1e6,
            failed.get());
      }
    }

    private void take(Answer answer, long took) {
      long number = done.getAndIncrement();
      if (number < MAX_SAMPLES) {
        nanos[(int) number] = took;
      }
      if (!(answer instanceof Answer.Done)) {
        failed.incrementAndGet();
      }
      room.release();
    }
  }

  private static long residentMegabytes() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
          .findFirst()
          .orElse(-1);
    }
  }

  private static long sizeOf(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.mapToLong(file -> file.toFile().isFile() ? file.toFile().length() : 0).sum();
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
