package io.sedge.task.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.Outage;
import io.sedge.connector.SourceReader;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.CapacityException;
import io.sedge.engine.operator.Pipeline;
import java.time.Duration;
import java.util.Optional;
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
  /** A reading that takes longer is said, unless its interval is longer yet. */
  private static final long LONG_NANOS = 60_000_000_000L;

  private final String table;
  private final Supplier<SourceReader> opener;
  private final LongSupplier commitBytes;
  private final MalformedLog malformed;
  private final ConnectorContext context;
  private final long intervalNanos;
  private final Outage outage;

  /** When the next reading begins; null before the first has ended, and while there is one. */
  private @Nullable Long dueNanos;

  /** When the reading that is under way began. */
  private long sinceNanos;

  private boolean began;

  /** Whether the pipeline knows of it. */
  private boolean told;

  private boolean changed;
  private long rows;
  private boolean saidEmpty;
  private long saidMalformed;

  // What follows is guarded by the lock: an opening may outlast the task.
  private final Object lock = new Object();
  private @Nullable SourceReader reader;
  private @Nullable Throwable failure;
  private boolean closed;

  /**
   * @param table as reports name it
   * @param opener opens a reader at the beginning of the table; may block
   * @param commitBytes how many bytes a commit may have
   * @param malformed takes what readers cannot decode, which is not counted each time
   */
  TableReload(
      String table,
      Duration interval,
      Supplier<SourceReader> opener,
      LongSupplier commitBytes,
      MalformedLog malformed,
      ConnectorContext context) {
    this.table = table;
    this.opener = opener;
    this.commitBytes = commitBytes;
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
  void firstHasEnded(boolean old, long nowNanos) {
    dueNanos = old ? nowNanos : nowNanos + intervalNanos;
  }

  /** Whether nothing is to be done for now but to wait for the time of the next reading. */
  boolean isResting() {
    return dueNanos != null;
  }

  /** Whether it need not be asked before the next reading is due, or the task is woken up. */
  boolean wakes() {
    if (isResting()) {
      return true;
    }
    synchronized (lock) {
      return failure == null && (reader == null || reader.idlePollNanos() == Long.MAX_VALUE);
    }
  }

  /** Nanoseconds until the next reading begins, at most {@code limit}. */
  long untilDue(long nowNanos, long limit) {
    return dueNanos == null ? limit : Math.clamp(dueNanos - nowNanos, 0, limit);
  }

  /** Whether the table is another one since the last {@link #commit}. */
  boolean hasChanged() {
    return changed;
  }

  void commit() {
    changed = false;
  }

  /** Why what is found in it may be old; empty if it is not. */
  String trouble(long nowNanos) {
    long takes = nowNanos - sinceNanos;
    Optional<String> slow =
        began && takes > Math.max(intervalNanos, LONG_NANOS)
            ? Optional.of("it has been read anew for %,d s".formatted(takes / 1_000_000_000))
            : Optional.empty();
    return outage.reason().or(() -> slow).map(this::of).orElse("");
  }

  private String of(String what) {
    return "table %s: %s".formatted(table, what);
  }

  /**
   * What the pipeline is to be told next, until it has taken it; null if nothing.
   *
   * @param mayChange whether the table may become another one now
   */
  @Nullable BooleanSupplier next(Pipeline pipeline, long nowNanos, boolean mayChange) {
    if (dueNanos != null) {
      if (nowNanos - dueNanos >= 0) {
        begin(nowNanos);
      }
      return null;
    }
    try {
      SourceReader opened = reader();
      return opened == null ? null : step(opened, pipeline, nowNanos, mayChange);
    } catch (RuntimeException e) {
      Duration pause = fail(text(e), pipeline);
      rest(nowNanos, Math.min(pause.toNanos(), intervalNanos));
      return null;
    }
  }

  private void begin(long nowNanos) {
    dueNanos = null;
    sinceNanos = nowNanos;
    began = true;
    told = false;
    rows = 0;
    malformed.forget();
    open();
  }

  private @Nullable BooleanSupplier step(
      SourceReader opened, Pipeline pipeline, long nowNanos, boolean mayChange) {
    if (!told) {
      told = true;
      // Half of it, as other changes go into the same commit.
      long mostBytes = commitBytes.getAsLong() / 2;
      return () -> {
        pipeline.beginReload(table, mostBytes);
        return true;
      };
    }
    Batch batch = opened.poll(nowNanos);
    if (batch != null) {
      rows += batch.rows();
      return () -> pipeline.source(table).offer(batch);
    }
    if (!opened.finished() || !mayChange) {
      return null;
    }
    long undecoded = malformed.total();
    if (rows == 0 && undecoded > 0) {
      var _ = fail(undecoded(undecoded), pipeline);
      rest(nowNanos, intervalNanos);
      return null;
    }
    return () -> end(pipeline, nowNanos, undecoded);
  }

  private boolean end(Pipeline pipeline, long nowNanos, long undecoded) {
    long before = pipeline.changedEntries();
    try {
      if (!pipeline.endReload(table)) {
        return false;
      }
      changed |= pipeline.changedEntries() != before;
      outage.ended();
      say(undecoded);
    } catch (CapacityException e) {
      var _ = fail(text(e), pipeline);
    }
    rest(nowNanos, intervalNanos);
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
    context.report(Severity.WARNING, of(what));
  }

  /** Says that a reading has failed; after which pause another one may not. */
  private Duration fail(String why, Pipeline pipeline) {
    pipeline.dropReload(table);
    return outage.failed("it cannot be read anew, what it had is still found: %s".formatted(why));
  }

  /** What has gone wrong; that it is of this table is said anyway. */
  private String text(Throwable thrown) {
    String message = thrown.getMessage();
    String own = of("");
    String whole = message == null ? thrown.toString() : message;
    return context.withoutSecrets(whole.startsWith(own) ? whole.substring(own.length()) : whole);
  }

  private void rest(long nowNanos, long nanos) {
    dueNanos = nowNanos + nanos;
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
                take(opener.get());
              } catch (Throwable e) { // It is thrown again in the task's thread.
                synchronized (lock) {
                  failure = e;
                }
              } finally {
                context.wakeUp();
              }
            });
  }

  private void take(SourceReader opened) {
    synchronized (lock) {
      if (!closed) {
        reader = opened;
        return;
      }
    }
    opened.close();
  }

  /** The reader, if it is open; throws what opening it has thrown. */
  private @Nullable SourceReader reader() {
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
