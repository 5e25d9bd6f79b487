package io.sedge.task.internal;

import io.sedge.engine.column.Batch;
import io.sedge.task.Commit;
import io.sedge.task.CommitLog;
import io.sedge.task.Progress;
import io.sedge.task.StateChange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
 * commit has waited {@link #PATIENCE_NANOS} for it. Where tables are {@link SeparateTables
 * separate}, each source waits for its own sink alone, and for no more than it has taken.
 *
 * <p>The first is made at once, so that whoever takes a shard over shows it. Then the log {@link
 * CommitLog#untilDue says} for how long to wait, and there is a gap between two. When nothing else
 * is to do it is {@link #QUIET_GAP_NANOS}, since making one costs no throughput then, and under
 * load {@link #LOAD_GAP_NANOS}; or {@link #COST_FACTOR} times what the last one cost if that is
 * more. Under load what it cost others counts as well, as far as its way to the log's disks tells:
 * up to {@link #LONGEST_GAP_NANOS}, so that slow disks and networks get fewer and larger commits
 * from a task that has more to read than it can. A source that may send nothing more until it is
 * acknowledged gets its commit after {@link #WANTED_GAP_NANOS}, whatever the log and the load say.
 */
final class Commits {
  /** How many commits may be on their way. */
  static final int MAX_IN_FLIGHT = 8;

  /** How many batches may wait for the next commit. */
  static final int MAX_GATHERED = 512;

  /** How many values these may have: about a megabyte, a quarter of what a ledger takes at once. */
  static final long MAX_CELLS = 100_000;

  /** What a value takes in a commit, about. */
  private static final long CELL_BYTES = 10;

  /** What an entry of state takes in a commit, until one has been made. */
  private static final long FIRST_ENTRY_BYTES = 200;

  static final long QUIET_GAP_NANOS = 1_000_000;
  static final long LOAD_GAP_NANOS = 100_000_000;

  /** What a task's state changes in between must fit into one commit. */
  static final long LONGEST_GAP_NANOS = 250_000_000;

  /** Between two commits for a source that waits for one. */
  static final long WANTED_GAP_NANOS = 20_000_000;

  static final long PATIENCE_NANOS = 100_000_000;
  static final int COST_FACTOR = 10;

  private final CommitLog log;
  private final List<SourceInput> inputs;
  private final List<SinkOutput> outputs;
  private final LongSupplier clock;
  private final Deque<Made> inFlight = new ArrayDeque<>();

  /** Null if a commit is of all tables together. */
  private final @Nullable SeparateTables separate;

  private @Nullable Commit unoffered;
  private long sequence;
  private long lastCommitNanos = Long.MIN_VALUE;

  /** When what is not committed began to come; {@link Long#MIN_VALUE} if there is nothing. */
  private long newsNanos = Long.MIN_VALUE;

  /** When the first row that is not committed was seen. */
  private long rowsNanos = CommitLog.NO_ROWS;

  private long lastCostNanos;

  /** From its making until the last durable commit was. */
  private long lastWayNanos;

  private long knownDurable;
  private long unflushedSinceNanos = Long.MIN_VALUE;

  /** Entries of state that the next commit will have, and what one took in the last: no removal. */
  private long changedEntries;

  private long entryBytes = FIRST_ENTRY_BYTES;

  /** A commit that the log has taken, and when it was made. */
  private record Made(Commit commit, long nanos) {}

  Commits(CommitLog log, List<SourceInput> inputs, List<SinkOutput> outputs, LongSupplier clock) {
    this.log = log;
    this.inputs = List.copyOf(inputs);
    this.outputs = List.copyOf(outputs);
    this.clock = clock;
    this.separate = log.separatesTables() ? new SeparateTables(inputs, outputs) : null;
    if (log.keepsContents()) {
      outputs.forEach(SinkOutput::gatherForCommits);
    }
  }

  /** Moves the commits on their way forward; the number that got to their end. */
  int drive(long nowNanos) {
    Commit offered = unoffered;
    if (offered != null && log.offer(offered)) {
      unoffered = null;
      inFlight.add(new Made(offered, lastCommitNanos));
    }
    noteDurable(nowNanos);
    if (separate != null) {
      List<Commit> durable = takeDurable();
      durable.forEach(separate::add);
      return durable.size() + separate.drive();
    }
    if (inFlight.isEmpty() || inFlight.getFirst().commit().sequence() > log.durable()) {
      return 0;
    }
    if (!flush()) {
      unflushedSinceNanos = unflushedSinceNanos == Long.MIN_VALUE ? nowNanos : unflushedSinceNanos;
      return 0;
    }
    unflushedSinceNanos = Long.MIN_VALUE;
    return acknowledge();
  }

  private void noteDurable(long nowNanos) {
    long durable = log.durable();
    if (durable > knownDurable) {
      knownDurable = durable;
      for (Made made : inFlight) {
        if (made.commit().sequence() <= durable) {
          lastWayNanos = nowNanos - made.nanos();
        }
      }
    }
  }

  private boolean flush() {
    boolean flushed = true;
    for (SinkOutput output : outputs) {
      flushed &= output.flush();
    }
    return flushed;
  }

  private int acknowledge() {
    List<Commit> durable = takeDurable();
    Map<String, byte[]> positions = durable.isEmpty() ? Map.of() : durable.getLast().positions();
    for (SourceInput input : inputs) {
      byte[] position = positions.get(input.table());
      if (position != null) {
        input.acknowledge(position);
      }
    }
    return durable.size();
  }

  private List<Commit> takeDurable() {
    List<Commit> taken = new ArrayList<>();
    long durable = log.durable();
    while (!inFlight.isEmpty() && inFlight.getFirst().commit().sequence() <= durable) {
      taken.add(inFlight.removeFirst().commit());
    }
    return taken;
  }

  /** Whether a table that is kept waiting leaves the others alone. */
  boolean separatesTables() {
    return separate != null;
  }

  /** Notes that there is something to commit. */
  void noteNews(long nowNanos) {
    if (newsNanos == Long.MIN_VALUE) {
      newsNanos = nowNanos;
    }
  }

  /**
   * Whether it is time for the next commit.
   *
   * @param quiet whether there is nothing else to do
   */
  boolean isDue(long nowNanos, boolean quiet) {
    return canCommit() && untilDue(nowNanos, quiet) == 0;
  }

  /** Whether there is room for another commit. */
  boolean canCommit() {
    return unoffered == null && inFlight.size() < MAX_IN_FLIGHT;
  }

  private long gap(boolean quiet) {
    long load = Math.clamp(COST_FACTOR * lastWayNanos, LOAD_GAP_NANOS, LONGEST_GAP_NANOS);
    long usual = quiet ? QUIET_GAP_NANOS : load;
    long gap = isWanted() ? Math.min(usual, WANTED_GAP_NANOS) : usual;
    return Math.max(gap, COST_FACTOR * lastCostNanos);
  }

  /** Whether a source may wait for one. */
  boolean isWanted() {
    for (SourceInput input : inputs) {
      if (input.wantsCommit()) {
        return true;
      }
    }
    return false;
  }

  /** Nanoseconds until a commit of what there is would be due if there is nothing else to do. */
  long untilDue(long nowNanos) {
    return untilDue(nowNanos, true);
  }

  private long untilDue(long nowNanos, boolean quiet) {
    if (lastCommitNanos == Long.MIN_VALUE) {
      return 0;
    }
    long since = nowNanos - lastCommitNanos;
    long apart = gap(quiet) - since;
    noteRows(nowNanos);
    long together = newsNanos == Long.MIN_VALUE ? 0 : log.untilDue(newsNanos, rowsNanos, nowNanos);
    if (isWanted()) {
      together = Math.min(together, WANTED_GAP_NANOS - since);
    }
    return Math.max(0, Math.max(apart, together));
  }

  private void noteRows(long nowNanos) {
    for (int i = 0; rowsNanos == CommitLog.NO_ROWS && i < outputs.size(); i++) {
      if (outputs.get(i).gatheredBatches() > 0) {
        rowsNanos = nowNanos;
      }
    }
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
    for (SourceInput input : inputs) {
      if (!input.isRefused()) {
        positions.put(input.table(), input.commit());
      }
    }
    unoffered =
        log.keepsContents()
            ? new Commit(++sequence, positions, measured(changes.get()), takeRows(), progress())
            : new Commit(++sequence, positions, List.of(), Map.of(), Map.of());
    lastCommitNanos = nowNanos;
    newsNanos = Long.MIN_VALUE;
    rowsNanos = CommitLog.NO_ROWS;
    drive(nowNanos);
    lastCostNanos = clock.getAsLong() - begin;
  }

  /** Learns from the changes of a commit what the next one will take. */
  private List<StateChange> measured(List<StateChange> changes) {
    long bytes = 0;
    long written = 0;
    for (StateChange change : changes) {
      byte[] value = change.value();
      if (value != null) {
        bytes += change.key().length + value.length;
        written++;
      }
    }
    entryBytes = written == 0 ? entryBytes : Math.max(1, bytes / written);
    changedEntries = 0;
    return changes;
  }

  /** Notes how many entries of state the next commit will have. */
  void noteChanges(long entries) {
    changedEntries = entries;
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

  /** Whether all tables that have not ended are idle, and there is one. */
  boolean isIdle() {
    boolean idle = false;
    for (SourceInput input : inputs) {
      if (!input.isIdle() && !input.hasEnded()) {
        return false;
      }
      idle |= input.isIdle();
    }
    return idle;
  }

  /** The sinks that are to be given what windows have when the task falls idle. */
  Set<String> partialResults() {
    return log.partialResults();
  }

  private Map<String, Progress> progress() {
    boolean idle = isIdle();
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
    long rowBytes = cells * CELL_BYTES;
    return gathered >= MAX_GATHERED
        || cells >= MAX_CELLS
        || rowBytes >= log.rowBytes()
        || changedEntries * entryBytes + rowBytes >= log.commitBytes();
  }

  /** Whether a commit must be made now, or what waits for it would grow past its bound. */
  boolean isForced() {
    return canCommit() && isGatheringFull();
  }

  /** Whether a commit is overdue, so that the task should come to a point where one can be made. */
  boolean isOverdue(long nowNanos) {
    return isForced() || isDue(nowNanos, false);
  }

  /** Whether all have come to their end but the last, which is not taken until others go on. */
  boolean waitsForOthers() {
    return unoffered != null && inFlight.isEmpty() && log.waitsForOthers();
  }

  /** Whether nothing is on its way that has to be asked for. */
  boolean isAtRest() {
    return unoffered == null && inFlight.isEmpty() && (separate == null || separate.isAtRest());
  }

  /** Whether a table waits for a sink that says when it has room, and holds up no other. */
  boolean isWoken(String table) {
    return separate != null && separate.wakes(table);
  }

  /** Whether every commit made has come to its end. */
  boolean isSettled() {
    return unoffered == null && inFlight.isEmpty() && (separate == null || separate.isSettled());
  }
}
