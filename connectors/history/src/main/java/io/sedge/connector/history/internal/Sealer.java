package io.sedge.connector.history.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Makes segments of a store's closed journals, oldest first, on the {@link Worker}. The task's
 * thread calls it.
 *
 * <p>A segment is written beside, brought to the disk and renamed; then its journal is deleted. A
 * crash in between leaves either the journal or both, and then the segment holds.
 */
final class Sealer {
  private static final long RETRY_NANOS = 10_000_000_000L;
  private static final long REPEAT_NANOS = 60_000_000_000L;

  private final Path directory;
  private final String table;
  private final ConnectorContext context;
  private final Worker worker;
  private final Deque<Closed> waiting = new ArrayDeque<>();
  private @Nullable FutureTask<Boolean> running;
  private @Nullable String failure;
  private long retryAtNanos;
  private long reportAtNanos;

  /**
   * A journal that no more is written to.
   *
   * @param lastMark all its rows are of this commit or earlier ones
   * @param stampMs what its segment is stamped with
   */
  record Closed(long number, Path file, long lastMark, long stampMs) {}

  Sealer(Path directory, String table, ConnectorContext context, Worker worker) {
    this.directory = directory;
    this.table = table;
    this.context = context;
    this.worker = worker;
    this.retryAtNanos = context.nanoTime();
    this.reportAtNanos = context.nanoTime();
  }

  void add(Closed journal) {
    waiting.add(journal);
  }

  /** How many journals have not become segments. */
  int size() {
    return waiting.size();
  }

  /** Why the last attempt failed, until one succeeds. */
  @Nullable String failure() {
    return failure;
  }

  /**
   * Goes on.
   *
   * @param committed journals that end later are left
   * @return whether a segment was made since the last call
   */
  boolean drive(long committed, long nowNanos) {
    boolean made = settle(nowNanos);
    Closed oldest = waiting.peekFirst();
    boolean due =
        oldest != null
            && running == null
            && oldest.lastMark() <= committed
            && nowNanos - retryAtNanos >= 0;
    if (due) {
      begin(oldest);
    }
    return made;
  }

  private void begin(Closed journal) {
    FutureTask<Boolean> task = new FutureTask<>(() -> seal(journal));
    try {
      worker.execute(
          () -> {
            task.run();
            context.wakeUp();
          });
      running = task;
    } catch (RejectedExecutionException e) {
      // Much is to be done; it is tried again.
    }
  }

  /** Takes note of an attempt that has ended; whether it made a segment. */
  private boolean settle(long nowNanos) {
    FutureTask<Boolean> task = running;
    if (task == null || !task.isDone()) {
      return false;
    }
    running = null;
    try {
      boolean _ = task.get();
      waiting.removeFirst();
      failure = null;
      return true;
    } catch (ExecutionException e) {
      fail(String.valueOf(e.getCause()), nowNanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private void fail(String reason, long nowNanos) {
    failure = reason;
    retryAtNanos = nowNanos + RETRY_NANOS;
    if (nowNanos - reportAtNanos >= 0) {
      reportAtNanos = nowNanos + REPEAT_NANOS;
      context.report(
          Severity.WARNING,
          "table %s: no segment could be made of %s, which is tried again; nothing is lost (%s)"
              .formatted(table, waiting.getFirst().file(), reason));
    }
  }

  private boolean seal(Closed journal) throws IOException {
    if (isSealed(journal)) {
      return true;
    }
    Rows rows = Journal.rows(journal.file(), journal.lastMark());
    if (rows.count() > 0) {
      Path segment = StoreFiles.segment(directory, journal.number(), journal.stampMs());
      Path part = StoreFiles.part(segment);
      try {
        SegmentWriter.write(part, table, rows);
        Files.move(part, segment, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException | RuntimeException e) {
        Files.deleteIfExists(part);
        throw e;
      }
      StoreFiles.forceDirectory(directory);
    }
    Files.deleteIfExists(journal.file());
    return true;
  }

  /** Whether somebody else has done it: another task that was told to end, just before. */
  private boolean isSealed(Closed journal) throws IOException {
    return Files.notExists(journal.file())
        && StoreFiles.in(directory).segments().stream()
            .anyMatch(segment -> segment.number() == journal.number());
  }

  /** Waits for what is under way. */
  void await() {
    FutureTask<Boolean> task = running;
    if (task != null) {
      try {
        boolean _ = task.get();
      } catch (ExecutionException e) {
        fail(String.valueOf(e.getCause()), context.nanoTime());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
