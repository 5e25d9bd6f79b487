package io.sedge.site.internal;

import io.sedge.engine.column.Batch;
import io.sedge.site.Commit;
import io.sedge.site.CommitLog;
import io.sedge.site.Progress;
import io.sedge.site.StateChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The commits of a task, from making to acknowledgement.
 *
 * <p>A commit is made, offered to the log until the log takes it, becomes durable there, then the
 * sinks flush what they have, then the sources are acknowledged: in this order, and commits in the
 * order of their sequence. Sinks say only that <em>all</em> they took is flushed; so that this
 * comes true under a constant flow too, {@link #holdsBack} asks the task to pause when a durable
 * commit has waited {@link #PATIENCE_NANOS} for it.
 *
 * <p>When nothing else is to do the gap between two is {@link #QUIET_GAP_NANOS}, since making one
 * costs no throughput then, and under load {@link #LOAD_GAP_NANOS}; or {@link #COST_FACTOR} times
 * what the last one cost if that is more.
 */
final class Commits {
  /** How many commits may be on their way. */
  static final int MAX_IN_FLIGHT = 8;

  /** How many batches may wait for the next commit. */
  static final int MAX_GATHERED = 64;

  /** How many values these may have: about a megabyte, a quarter of what a ledger takes at once. */
  static final long MAX_CELLS = 100_000;

  static final long QUIET_GAP_NANOS = 1_000_000;
  static final long LOAD_GAP_NANOS = 100_000_000;
  static final long PATIENCE_NANOS = 100_000_000;
  static final int COST_FACTOR = 10;

  private final CommitLog log;
  private final List<SourceInput> inputs;
  private final List<SinkOutput> outputs;
  private final LongSupplier clock;
  private final Deque<Commit> inFlight = new ArrayDeque<>();
  private @Nullable Commit unoffered;
  private long sequence;
  private long lastCommitNanos = Long.MIN_VALUE;
  private long lastCostNanos;
  private long unflushedSinceNanos = Long.MIN_VALUE;

  Commits(CommitLog log, List<SourceInput> inputs, List<SinkOutput> outputs, LongSupplier clock) {
    this.log = log;
    this.inputs = List.copyOf(inputs);
    this.outputs = List.copyOf(outputs);
    this.clock = clock;
    if (log.keepsContents()) {
      outputs.forEach(SinkOutput::gatherForCommits);
    }
  }

  /** Moves the commits on their way forward; the number that got to their end. */
  int drive(long nowNanos) {
    Commit offered = unoffered;
    if (offered != null && log.offer(offered)) {
      unoffered = null;
      inFlight.add(offered);
    }
    if (inFlight.isEmpty() || inFlight.getFirst().sequence() > log.durable()) {
      return 0;
    }
    if (!flush()) {
      unflushedSinceNanos = unflushedSinceNanos == Long.MIN_VALUE ? nowNanos : unflushedSinceNanos;
      return 0;
    }
    unflushedSinceNanos = Long.MIN_VALUE;
    return acknowledge();
  }

  private boolean flush() {
    boolean flushed = true;
    for (SinkOutput output : outputs) {
      flushed &= output.flush();
    }
    return flushed;
  }

  private int acknowledge() {
    int acknowledged = 0;
    long durable = log.durable();
    Map<String, byte[]> positions = Map.of();
    while (!inFlight.isEmpty() && inFlight.getFirst().sequence() <= durable) {
      positions = inFlight.removeFirst().positions();
      acknowledged++;
    }
    for (SourceInput input : inputs) {
      byte[] position = positions.get(input.table());
      if (position != null) {
        input.acknowledge(position);
      }
    }
    return acknowledged;
  }

  /**
   * Whether it is time for the next commit.
   *
   * @param quiet whether there is nothing else to do
   */
  boolean isDue(long nowNanos, boolean quiet) {
    return canCommit()
        && (lastCommitNanos == Long.MIN_VALUE || nowNanos - lastCommitNanos >= gap(quiet));
  }

  /** Whether there is room for another commit. */
  boolean canCommit() {
    return unoffered == null && inFlight.size() < MAX_IN_FLIGHT;
  }

  private long gap(boolean quiet) {
    long gap = Math.max(quiet ? QUIET_GAP_NANOS : LOAD_GAP_NANOS, log.leastGapNanos());
    return Math.max(gap, COST_FACTOR * lastCostNanos);
  }

  /** Nanoseconds until a commit would be due if there is nothing else to do. */
  long untilDue(long nowNanos) {
    return lastCommitNanos == Long.MIN_VALUE
        ? 0
        : Math.max(0, gap(true) - (nowNanos - lastCommitNanos));
  }

  /**
   * Makes a commit of all that has gone through the pipeline, which must hold nothing back.
   *
   * @param changes gives the state changes; asked only if the log keeps them
   */
  void commit(long nowNanos, Supplier<List<StateChange>> changes) {
    if (!canCommit()) {
      throw new IllegalStateException("no room for commit " + (sequence + 1));
    }
    long begin = clock.getAsLong();
    Map<String, byte[]> positions = new HashMap<>();
    inputs.forEach(input -> positions.put(input.table(), input.commit()));
    unoffered =
        log.keepsContents()
            ? new Commit(++sequence, positions, changes.get(), takeRows(), progress())
            : new Commit(++sequence, positions, List.of(), Map.of(), Map.of());
    lastCommitNanos = nowNanos;
    drive(nowNanos);
    lastCostNanos = clock.getAsLong() - begin;
  }

  private Map<String, List<Batch>> takeRows() {
    Map<String, List<Batch>> rows = new HashMap<>();
    for (SinkOutput output : outputs) {
      List<Batch> batches = output.takeGathered();
      if (!batches.isEmpty()) {
        rows.computeIfAbsent(output.table(), _ -> new ArrayList<>()).addAll(batches);
      }
    }
    return rows;
  }

  private Map<String, Progress> progress() {
    boolean idle = false;
    for (SourceInput input : inputs) {
      idle |= input.isIdle();
    }
    for (SourceInput input : inputs) {
      idle &= input.isIdle() || input.hasEnded();
    }
    Map<String, Progress> progress = new HashMap<>();
    for (SinkOutput output : outputs) {
      progress.put(output.table(), new Progress(output.watermark(), idle));
    }
    return progress;
  }

  /** Whether the sources are to wait, so that sinks or log get a chance to come up. */
  boolean holdsBack(long nowNanos) {
    boolean waitsForSinks =
        unflushedSinceNanos != Long.MIN_VALUE && nowNanos - unflushedSinceNanos >= PATIENCE_NANOS;
    return waitsForSinks || (!canCommit() && isGatheringFull());
  }

  /** What the log waits for, in words. */
  String waitsFor() {
    String reason = log.waitsFor();
    return reason.isEmpty() ? "the commit log takes no more commits" : reason;
  }

  private boolean isGatheringFull() {
    int gathered = 0;
    long cells = 0;
    for (SinkOutput output : outputs) {
      gathered += output.gatheredBatches();
      cells += output.gatheredCells();
    }
    return gathered >= MAX_GATHERED || cells >= MAX_CELLS;
  }

  /** Whether a commit must be made now, or what waits for it would grow past its bound. */
  boolean isForced() {
    return canCommit() && isGatheringFull();
  }

  /** Whether a commit is overdue, so that the task should come to a point where one can be made. */
  boolean isOverdue(long nowNanos) {
    return isForced() || isDue(nowNanos, false);
  }

  /** Whether every commit made has come to its end. */
  boolean isSettled() {
    return unoffered == null && inFlight.isEmpty();
  }
}
