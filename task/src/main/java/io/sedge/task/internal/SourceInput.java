package io.sedge.task.internal;

import io.sedge.connector.QuietTime;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.engine.column.Batch;
import io.sedge.engine.operator.Pipeline;
import io.sedge.task.HeldReader;
import io.sedge.task.TableCounters;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A source table of a task: its reader, how far it is committed, and whether it is idle. */
public final class SourceInput {
  private final String table;
  private final SourceReader reader;
  private final long idleTimeoutNanos;
  private final @Nullable TableReload reload;
  private final boolean resumed;
  private final QuietTime quietTime = new QuietTime();
  private SourceCounters committed;
  private byte[] acknowledged;
  private long lastRowNanos = Long.MIN_VALUE;
  private long malformedBeforeLastRow;
  private long watermark = Long.MIN_VALUE;
  private boolean idle;
  private boolean idleByReader;
  private boolean ended;
  private @Nullable BooleanSupplier refused;

  /**
   * @param idleTimeout after how long without a reading the table holds no watermark back
   */
  public SourceInput(String table, SourceReader reader, Optional<Duration> idleTimeout) {
    this(table, reader, idleTimeout, null, false);
  }

  /**
   * @param reload reads the table anew after its end; null if nobody does
   * @param resumed whether the reader goes on from where an earlier one was
   */
  SourceInput(
      String table,
      SourceReader reader,
      Optional<Duration> idleTimeout,
      @Nullable TableReload reload,
      boolean resumed) {
    this.table = table;
    this.reader = reader;
    this.reload = reload;
    this.resumed = resumed;
    this.idleTimeoutNanos =
        idleTimeout.filter(Duration::isPositive).map(Duration::toNanos).orElse(Long.MAX_VALUE);
    this.committed = reader.counters();
    this.acknowledged = reader.position();
  }

  String table() {
    return table;
  }

  /** The next rows, or null if there are none now. */
  @Nullable Batch poll(long nowNanos) {
    if (lastRowNanos == Long.MIN_VALUE) {
      transitionToHeard(nowNanos);
    }
    quietTime.poll(nowNanos);
    Batch batch = reader.poll(nowNanos);
    if (batch == null || batch.rows() == 0) {
      return null;
    }
    transitionToHeard(nowNanos);
    malformedBeforeLastRow = reader.counters().malformed();
    idle = false;
    return batch;
  }

  private void transitionToHeard(long nowNanos) {
    lastRowNanos = nowNanos;
    quietTime.begin(nowNanos);
  }

  /**
   * The watermark that the reader has come to, if the pipeline does not know it yet, else {@link
   * Long#MIN_VALUE}; from then on it does.
   */
  long nextWatermark() {
    long next = reader.watermark();
    if (next <= watermark) {
      return Long.MIN_VALUE;
    }
    watermark = next;
    return next;
  }

  /** Gives the pipeline something of this source; what it refuses is kept for {@link #retry}. */
  void attempt(BooleanSupplier step) {
    if (refused != null) {
      throw new IllegalStateException(
          "table %s has something for the pipeline that was refused".formatted(table));
    }
    refused = step.getAsBoolean() ? null : step;
  }

  /** Tries again what was refused, if something was; whether that was taken now. */
  boolean retry() {
    BooleanSupplier step = refused;
    if (step == null || !step.getAsBoolean()) {
      return false;
    }
    refused = null;
    return true;
  }

  /** Whether the pipeline has refused the last that this source had for it. */
  boolean isRefused() {
    return refused != null;
  }

  /** Whether its reader keeps rows back. */
  boolean isHeld() {
    return reader instanceof HeldReader held && held.isHeld();
  }

  /** How many payloads could not be decoded since one could. */
  long malformedInARow() {
    return reader.counters().malformed() - malformedBeforeLastRow;
  }

  /** Why its reader keeps rows back, in words; empty if it does not. */
  String waitsFor() {
    return reader instanceof HeldReader held ? held.waitsFor() : "";
  }

  /** Whether its end has come and the pipeline does not know yet. */
  boolean endsNow() {
    return !ended && reader.finished();
  }

  void transitionToEnded(long nowNanos) {
    if (ended) {
      throw new IllegalStateException("table %s has ended twice".formatted(table));
    }
    ended = true;
    if (reload != null) {
      reload.firstHasEnded(resumed, nowNanos);
    }
  }

  /**
   * Goes on with reading a table anew that has ended.
   *
   * @param mayChange whether the table may become another one now
   * @return how much was done
   */
  int reload(Pipeline pipeline, long nowNanos, boolean mayChange) {
    BooleanSupplier step = reload == null ? null : reload.next(pipeline, nowNanos, mayChange);
    if (step == null) {
      return 0;
    }
    attempt(step);
    return 1;
  }

  /** Whether the table was read anew and has changed since the last commit. */
  boolean hasNewTable() {
    return reload != null && reload.hasChanged();
  }

  /** Nanoseconds until the table is to be read anew, at most {@code limit}. */
  long untilReload(long nowNanos, long limit) {
    return reload == null ? limit : reload.untilDue(nowNanos, limit);
  }

  /** Whether it is a table that rows are looked up in, and that is read anew. */
  boolean isReloaded() {
    return reload != null;
  }

  /** Why the table cannot be read anew; empty if it can, or nobody wants to. */
  String reloadTrouble(long nowNanos) {
    return reload == null ? "" : reload.trouble(nowNanos);
  }

  boolean hasEnded() {
    return ended;
  }

  /** Whether the idle timeout is over and the pipeline does not know yet. */
  boolean becomesIdle(long nowNanos) {
    return !idle && !ended && (reader.isIdle() || isSilent(nowNanos));
  }

  private boolean isSilent(long nowNanos) {
    return lastRowNanos != Long.MIN_VALUE
        && idleTimeoutNanos != Long.MAX_VALUE
        && quietTime.nanos(nowNanos) >= idleTimeoutNanos;
  }

  void transitionToIdle() {
    idle = true;
    idleByReader = reader.isIdle();
  }

  /** Whether the reader has said that it was idle and now says that it is not. */
  boolean awakes() {
    return idle && idleByReader && !ended && !reader.isIdle();
  }

  void transitionToAwake() {
    idle = false;
    idleByReader = false;
  }

  boolean isIdle() {
    return idle;
  }

  /** It was not polled for want of room, so nothing can be said about its being idle. */
  void heldBack(long nowNanos) {
    if (lastRowNanos != Long.MIN_VALUE) {
      transitionToHeard(nowNanos);
    }
  }

  /**
   * Nanoseconds until the idle timeout may be over, at most {@code limit}; and no longer than
   * counts as quiet at a time, or the timeout would be over later than it says.
   */
  long untilIdle(long nowNanos, long limit) {
    if (idle || ended || idleTimeoutNanos == Long.MAX_VALUE || lastRowNanos == Long.MIN_VALUE) {
      return limit;
    }
    long longest = Math.min(limit, QuietTime.LONGEST_PAUSE_NANOS);
    return Math.clamp(idleTimeoutNanos - quietTime.nanos(nowNanos), 0, longest);
  }

  /** Whether something was read, or where reading begins was found, since the last commit. */
  boolean hasMoved() {
    return !committed.equals(reader.counters()) || reader.hasNewPosition() || hasNewTable();
  }

  /** Whether it need not be polled, since it says when there is something. */
  boolean wakes() {
    return ended ? reload == null || reload.wakes() : reader.idlePollNanos() == Long.MAX_VALUE;
  }

  /** Whether its source may wait for a commit of what was read since the last one. */
  boolean wantsCommit() {
    return reader.wantsCommit();
  }

  /** The position for a commit; what was polled before it must all be in the pipeline. */
  byte[] commit() {
    committed = reader.counters();
    if (reload != null) {
      reload.commit();
    }
    return ended && reload != null ? EndedReader.endPosition() : reader.position();
  }

  void acknowledge(byte[] position) {
    if (!Arrays.equals(acknowledged, position)) {
      acknowledged = position;
      reader.acknowledge(EndedReader.isEnd(position) ? reader.position() : position);
    }
  }

  /**
   * What it has given so far, and when that was.
   *
   * @param failedRows how many of its rows an expression has failed for
   */
  TableCounters tableCounters(long startNanos, long nowNanos, long failedRows) {
    SourceCounters read = counters();
    long since = lastRowNanos == Long.MIN_VALUE ? startNanos : lastRowNanos;
    return new TableCounters(
        read.readings(),
        read.bytes(),
        read.malformed() + failedRows,
        read.dropped(),
        Duration.ofNanos(Math.max(0, nowNanos - since)),
        ended);
  }

  SourceCounters counters() {
    return reader.counters();
  }
}
