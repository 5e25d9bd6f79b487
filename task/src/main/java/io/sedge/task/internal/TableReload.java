package io.sedge.task.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.Outage;
import io.sedge.connector.SourceReader;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.CapacityException;
import io.sedge.engine.operator.Pipeline;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table that rows are looked up in anew, each time an interval after the reading before has
 * ended: Flink's lookup cache FULL with the reload strategy PERIODIC and the schedule FIXED_DELAY.
 * What a reading gives counts when it is complete. One that fails changes nothing, is said, and is
 * tried again.
 *
 * <p>Belongs to its task's thread, but for {@link #close}. A reader is opened and closed on virtual
 * threads, as both may block.
 */
final class TableReload implements AutoCloseable {
  private final String table;
  private final Supplier<SourceReader> opener;
  private final LongSupplier mostBytes;
  private final MalformedLog malformed;
  private final ConnectorContext context;
  private final long intervalNanos;
  private final Outage outage;

  /** When the next reading begins; null before the first has ended, and while there is one. */
  private @Nullable Long dueNanos;

  /** For how long there is to be none, from the next turn on; -1 if that is not to begin. */
  private long pauseNanos = -1;

  private boolean began;
  private boolean changed;
  private long rows;
  private boolean saidEmpty;
  private long malformedBefore;
  private long saidMalformed;

  // What follows is guarded by the lock: an opening may outlast the task.
  private final Object lock = new Object();
  private @Nullable SourceReader reader;
  private @Nullable Throwable failure;
  private boolean closed;

  /**
   * @param table as reports name it
   * @param opener opens a reader at the beginning of the table; may block
   * @param mostBytes how much state may change at once
   * @param malformed takes what readers cannot decode, which is not counted each time
   */
  TableReload(
      String table,
      Duration interval,
      Supplier<SourceReader> opener,
      LongSupplier mostBytes,
      MalformedLog malformed,
      ConnectorContext context) {
    this.table = table;
    this.opener = opener;
    this.mostBytes = mostBytes;
    this.malformed = malformed;
    this.context = context;
    this.intervalNanos = interval.toNanos();
    this.outage = new Outage("table " + table, context);
  }

  /**
   * The first reading of the table has ended.
   *
   * @param old whether that was at an unknown time before
   */
  void begin(boolean old, long nowNanos) {
    dueNanos = old ? nowNanos : nowNanos + intervalNanos;
  }

  /** Whether nothing is to be done for now but to wait for the time of the next reading. */
  boolean isResting() {
    return dueNanos != null || pauseNanos >= 0;
  }

  /** Nanoseconds until the next reading begins, at most {@code limit}. */
  long untilDue(long nowNanos, long limit) {
    if (pauseNanos >= 0) {
      return Math.min(limit, pauseNanos);
    }
    return dueNanos == null ? limit : Math.clamp(dueNanos - nowNanos, 0, limit);
  }

  /** Whether the table is another one since the last {@link #commit}. */
  boolean hasChanged() {
    return changed;
  }

  void commit() {
    changed = false;
  }

  /** Why it cannot be read now; empty if it can. */
  String trouble() {
    return outage.reason().map(reason -> "table %s: %s".formatted(table, reason)).orElse("");
  }

  /** What the pipeline is to be told next, until it has taken it; null if nothing. */
  @Nullable BooleanSupplier next(Pipeline pipeline, long nowNanos) {
    if (pauseNanos >= 0) {
      dueNanos = nowNanos + pauseNanos;
      pauseNanos = -1;
    }
    if (dueNanos != null) {
      if (nowNanos - dueNanos >= 0) {
        dueNanos = null;
        open();
      }
      return null;
    }
    try {
      SourceReader opened = opened();
      return opened == null ? null : next(opened, pipeline, nowNanos);
    } catch (RuntimeException e) {
      fail(text(e), pipeline);
      return null;
    }
  }

  private @Nullable BooleanSupplier next(SourceReader opened, Pipeline pipeline, long nowNanos) {
    if (!began) {
      began = true;
      rows = 0;
      malformedBefore = malformed.total();
      return () -> {
        pipeline.beginReload(table);
        return true;
      };
    }
    Batch batch = opened.poll(nowNanos);
    if (batch != null) {
      rows += batch.rows();
      return () -> pipeline.source(table).offer(batch);
    }
    if (!opened.finished()) {
      return null;
    }
    long undecoded = malformed.total() - malformedBefore;
    if (rows == 0 && undecoded > 0) {
      fail(undecoded(undecoded), pipeline);
      return null;
    }
    return () -> end(pipeline, undecoded);
  }

  private boolean end(Pipeline pipeline, long undecoded) {
    long before = pipeline.changedEntries();
    try {
      // Half of it, as other changes go into the same commit.
      if (!pipeline.endReload(table, mostBytes.getAsLong() / 2)) {
        return false;
      }
    } catch (CapacityException e) {
      fail(text(e), pipeline);
      return true;
    }
    changed |= pipeline.changedEntries() != before;
    outage.ended();
    say(undecoded);
    rest(intervalNanos);
    return true;
  }

  /** What people should know of a reading, if it was not so the time before. */
  private void say(long undecoded) {
    if (rows == 0 && !saidEmpty) {
      warn("it was read anew and has no rows, so nothing is found in it");
    }
    saidEmpty = rows == 0;
    if (undecoded != saidMalformed && undecoded > 0) {
      warn(undecoded(undecoded));
    }
    saidMalformed = undecoded;
  }

  private String undecoded(long undecoded) {
    return "%,d of its rows cannot be decoded, such as: %s"
        .formatted(undecoded, malformed.example(table));
  }

  private void warn(String what) {
    context.report(Severity.WARNING, "table %s: %s".formatted(table, what));
  }

  private void fail(String why, Pipeline pipeline) {
    pipeline.dropReload(table);
    Duration pause =
        outage.failed("it cannot be read anew, what it had is still found: %s".formatted(why));
    rest(Math.min(pause.toNanos(), intervalNanos));
  }

  /** What has gone wrong; that it is of this table is said anyway. */
  private String text(Throwable thrown) {
    String message = thrown.getMessage();
    String own = "table " + table + ": ";
    if (message == null) {
      return thrown.toString();
    }
    return message.startsWith(own) ? message.substring(own.length()) : message;
  }

  private void rest(long nanos) {
    pauseNanos = nanos;
    began = false;
    SourceReader last;
    synchronized (lock) {
      failure = null;
      last = reader;
      reader = null;
    }
    if (last != null) {
      Thread.ofVirtual().name("sedge-close-source " + table).start(() -> close(last));
    }
  }

  private void close(SourceReader last) {
    try {
      last.close();
    } catch (RuntimeException e) {
      warn("what has read it cannot be closed: " + text(e));
    }
  }

  private void open() {
    Thread.ofVirtual()
        .name("sedge-open-source " + table)
        .start(
            () -> {
              try {
                opened(opener.get());
              } catch (Throwable e) { // It is thrown again in the task's thread.
                failed(e);
              } finally {
                context.wakeUp();
              }
            });
  }

  private void opened(SourceReader opened) {
    synchronized (lock) {
      if (!closed) {
        reader = opened;
        return;
      }
    }
    opened.close();
  }

  private void failed(Throwable e) {
    synchronized (lock) {
      failure = e;
    }
  }

  /** The reader, if it is open; throws what opening it has thrown. */
  private @Nullable SourceReader opened() {
    synchronized (lock) {
      if (failure instanceof Error error) {
        throw error;
      }
      if (failure != null) {
        throw failure instanceof RuntimeException e ? e : new IllegalStateException(failure);
      }
      return reader;
    }
  }

  /** May block; an opening that is under way closes what it has opened. Any thread. */
  @Override
  public void close() {
    SourceReader last;
    synchronized (lock) {
      closed = true;
      last = reader;
      reader = null;
    }
    if (last != null) {
      last.close();
    }
  }
}
