package io.sedge.task.internal;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.SourceCounters;
import io.sedge.engine.column.Batch;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.state.StateWriter;
import io.sedge.task.CommitLog;
import io.sedge.task.JobCounters;
import io.sedge.task.JobListener;
import io.sedge.task.SinkCounters;
import io.sedge.task.StateChange;
import io.sedge.task.TableCounters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A job's work on this device: a single-threaded agent. Each {@link #doWork} gives every source one
 * turn, takes what it reads through the pipeline into the sinks at once, and moves commits forward.
 * It never waits: where it can do nothing it returns 0 and says with {@link #parkNanos} for how
 * long it may be left alone.
 *
 * <p>Phases: RUNNING until the sources have ended, every sink has had its LIMIT, or {@link #stop};
 * then DRAINING, in which nothing is read, what was read goes its way, and a last commit is
 * acknowledged; then DONE. A stop fires no windows; the end of all input does, through its last
 * watermark. A task that is stopped does not wait until others have gone on: what it has not
 * committed is read again.
 *
 * <p>Bounds: one batch per source at most is held between it and the pipeline. While the pipeline
 * refuses it (a sink has no room), the source is not read. A source whose rows a join cannot take
 * yet (it has not read the table that it looks up) is not read either, so that nothing of it is
 * held. A commit needs a moment in which nothing is held; when one is overdue, no source is read
 * until there is one.
 */
public final class Task {
  /** For how long sources are held back before that is said. */
  static final long HELD_REPORT_NANOS = 3_000_000_000L;

  /** How often it is said again. */
  static final long REPEAT_NANOS = 30_000_000_000L;

  /** A source that has given so many malformed payloads or rows, and nothing else, is of no use. */
  static final long MANY_MALFORMED = 10;

  private static final long MIN_PARK_NANOS = 1_000_000;
  private static final long MAX_PARK_NANOS = 50_000_000;

  /** The same where whoever has something wakes the task up: for counters alone. */
  private static final long REST_NANOS = 2_000_000_000L;

  /**
   * Where a turn had no more rows than this, the next one waits for some more: at some readings a
   * second waking up is most of what a task does.
   */
  private static final int FEW_ROWS = 64;

  /** For so long at most; what is counted is shown so late as well. */
  private static final long GATHER_NANOS = 500_000_000;

  private enum Phase {
    RUNNING,
    DRAINING,
    DONE
  }

  private final Pipeline pipeline;
  private final List<SourceInput> inputs;
  private final List<SinkOutput> outputs;
  private final MalformedLog malformedLog;
  private final MalformedRouter malformed;
  private final Commits commits;
  private final JobListener listener;
  private final StateDuration held = new StateDuration();
  private final StateDuration idle = new StateDuration();
  private final LateReadings lateReadings = new LateReadings();
  private Phase phase = Phase.RUNNING;
  private boolean started;
  private boolean stopped;
  private boolean uncommitted;
  private int firstInput;

  /** What the last turn had of its sources. */
  private int polled;

  /** Whether the last turn asked the sources for something. */
  private boolean asked;

  private long parkNanos = MIN_PARK_NANOS;
  private long heldReportedNanos = Long.MIN_VALUE;
  private long lateReportedNanos = Long.MIN_VALUE;

  /**
   * @param inputs the source tables
   * @param outputs the sink tables that the plan writes and those for malformed payloads
   * @param clock monotonic, to measure what commits cost
   */
  public Task(
      Pipeline pipeline,
      List<SourceInput> inputs,
      List<SinkOutput> outputs,
      MalformedLog malformedLog,
      CommitLog commitLog,
      JobListener listener,
      LongSupplier clock) {
    this.pipeline = pipeline;
    this.inputs = List.copyOf(inputs);
    this.outputs = List.copyOf(outputs);
    this.malformedLog = malformedLog;
    this.malformed =
        new MalformedRouter(
            malformedLog,
            outputs.stream().collect(Collectors.toMap(SinkOutput::table, output -> output)));
    this.commits = new Commits(commitLog, inputs, outputs, clock);
    this.listener = listener;
  }

  /** Ends the reading; what was read goes its way. May be called again. */
  public void stop() {
    stopped = true;
    beginDraining();
  }

  private void beginDraining() {
    if (phase == Phase.RUNNING) {
      phase = Phase.DRAINING;
    }
  }

  public boolean isDone() {
    return phase == Phase.DONE;
  }

  /**
   * Does what can be done now.
   *
   * @param nowNanos a monotonic clock
   * @return how much was done; 0 if there was nothing to do
   */
  public int doWork(long nowNanos) {
    return doWork(nowNanos, false);
  }

  /**
   * Does what can be done now.
   *
   * @param nowNanos a monotonic clock
   * @param resting whether nothing is to be read: what was read goes its way, and commits go on
   * @return how much was done; 0 if there was nothing to do
   */
  public int doWork(long nowNanos, boolean resting) {
    if (phase == Phase.DONE) {
      return 0;
    }
    started = started || pipeline.start();
    int work = commits.drive(nowNanos) + routeMalformed() + retry();
    outputs.forEach(output -> output.tick(nowNanos));
    asked = false;
    if (phase == Phase.RUNNING) {
      work += resting ? rest(nowNanos) : run(nowNanos, work);
    } else {
      drain(nowNanos);
    }
    malformedLog.reportRepeats(nowNanos);
    if (lateReadings.isDue(nowNanos)) {
      lookForLate(nowNanos);
    }
    parkNanos = work > 0 ? MIN_PARK_NANOS : Math.min(MAX_PARK_NANOS, parkNanos * 2);
    return work;
  }

  /** For how long nothing will be to do unless somebody wakes the task up. */
  public long parkNanos(long nowNanos) {
    long limit = phase == Phase.RUNNING && isAtRest() ? REST_NANOS : parkNanos;
    if (hasNews() && isQuiescent() && commits.canCommit()) {
      limit = Math.min(limit, commits.untilDue(nowNanos));
    }
    for (SourceInput input : inputs) {
      limit = input.untilIdle(nowNanos, limit);
      limit = asked ? input.untilReload(nowNanos, limit) : limit;
    }
    return limit;
  }

  /** Whether nothing is under way, and whoever has something says so. */
  private boolean isAtRest() {
    return commits.isAtRest() && isQuiescent() && !isAnyToBeAsked() && doAllWake();
  }

  private boolean doAllWake() {
    for (SourceInput input : inputs) {
      if (!input.wakes()) {
        return false;
      }
    }
    return true;
  }

  /**
   * For how long the task may be left alone although its sources may have something, after a turn
   * that had little: what comes goes into the same commit. 0 if it is to go on.
   */
  public long gatherNanos(long nowNanos) {
    boolean little = phase == Phase.RUNNING && polled > 0 && polled <= FEW_ROWS;
    return little && hasNews() && isAtRest() && !commits.isWanted()
        ? Math.min(GATHER_NANOS, commits.untilDue(nowNanos))
        : 0;
  }

  /**
   * Whether nothing waits for room between the sources and the sinks; of separate tables those that
   * wait are left out of a commit.
   */
  private boolean isQuiescent() {
    return malformed.isEmpty()
        && (commits.separatesTables() || (!isAnyRefused() && pipeline.flushed()));
  }

  // Loops, not streams, in what is asked at every turn: a task that gets a few readings at a time
  // would make more garbage of its questions than of its readings.

  private boolean isAnyRefused() {
    for (SourceInput input : inputs) {
      if (input.isRefused()) {
        return true;
      }
    }
    return false;
  }

  private boolean isAnyWaiting() {
    for (SourceInput input : inputs) {
      if (isWaiting(input)) {
        return true;
      }
    }
    return false;
  }

  private boolean isAnyToBeAsked() {
    for (SourceInput input : inputs) {
      if (isWaiting(input) && !(input.isRefused() && commits.isWoken(input.table()))) {
        return true;
      }
    }
    return false;
  }

  private boolean isWaiting(SourceInput input) {
    return input.isRefused() || !isReady(input) || input.isHeld();
  }

  private boolean haveAllEnded() {
    for (SourceInput input : inputs) {
      if (!input.hasEnded() || input.isRefused()) {
        return false;
      }
    }
    return true;
  }

  private boolean hasAnyMoved() {
    for (SourceInput input : inputs) {
      if (input.hasMoved() && !(commits.separatesTables() && input.isRefused())) {
        return true;
      }
    }
    return false;
  }

  private int routeMalformed() {
    int moved = malformed.drive();
    uncommitted |= moved > 0;
    return moved;
  }

  private int retry() {
    int taken = 0;
    for (SourceInput input : inputs) {
      taken += input.retry() ? 1 : 0;
    }
    return taken;
  }

  private int run(long nowNanos, int before) {
    boolean blocked =
        malformed.isBlocked() || !malformedLog.hasRoom() || commits.holdsBack(nowNanos);
    commitIfDue(nowNanos, false);
    boolean overdue = commits.isOverdue(nowNanos) && !isQuiescent();
    asked = !blocked && !overdue;
    int work = asked ? pollAll(nowNanos) : 0;
    polled = work;
    boolean nothing = work + before == 0;
    boolean holds = blocked || (nothing && isAnyWaiting());
    held.set(holds, nowNanos);
    idle.set(nothing && !holds && !overdue, nowNanos);
    if (holds) {
      tellHeld(nowNanos, blocked || overdue);
    }
    commitIfDue(nowNanos, work == 0);
    if ((started && haveAllEnded()) || pipeline.finished()) {
      beginDraining();
    }
    return work;
  }

  /** A source that is not polled says nothing about its being idle. */
  private int rest(long nowNanos) {
    inputs.forEach(input -> input.heldBack(nowNanos));
    idle.set(false, nowNanos);
    commitIfDue(nowNanos, false);
    return 0;
  }

  private int pollAll(long nowNanos) {
    int work = 0;
    int reloaded = 0;
    for (int i = 0; i < inputs.size() && !commits.isForced(); i++) {
      SourceInput input = inputs.get((firstInput + i) % inputs.size());
      if (input.isRefused()) {
        continue;
      }
      if (input.hasEnded()) {
        reloaded += input.reload(pipeline, nowNanos, !isAnyTableNew());
      } else if (isReady(input)) {
        work += poll(input, nowNanos);
      }
    }
    firstInput = inputs.isEmpty() ? 0 : (firstInput + 1) % inputs.size();
    uncommitted |= work > 0;
    commits.noteChanges(pipeline.changedEntries());
    return work + reloaded;
  }

  /** Whether a table was read anew and has changed, and that is not in a commit yet. */
  private boolean isAnyTableNew() {
    for (SourceInput input : inputs) {
      if (input.hasNewTable()) {
        return true;
      }
    }
    return false;
  }

  /** Whether no join makes its rows wait for the table that they are to be looked up in. */
  private boolean isReady(SourceInput input) {
    return pipeline.ready(input.table());
  }

  private int poll(SourceInput input, long nowNanos) {
    String table = input.table();
    if (input.awakes()) {
      input.transitionToAwake();
      input.attempt(() -> pipeline.idle(table, false));
      return 1;
    }
    long watermark = input.nextWatermark();
    if (watermark != Long.MIN_VALUE) {
      input.attempt(() -> pipeline.source(table).advance(watermark));
      return 1;
    }
    Batch batch = input.poll(nowNanos);
    if (batch != null) {
      input.attempt(() -> pipeline.source(table).offer(batch));
      return batch.rows();
    }
    if (input.endsNow()) {
      input.transitionToEnded(nowNanos);
      input.attempt(() -> pipeline.source(table).advance(Long.MAX_VALUE));
      return 1;
    }
    if (input.becomesIdle(nowNanos)) {
      input.transitionToIdle();
      input.attempt(() -> pipeline.idle(table, true));
      return 1;
    }
    return 0;
  }

  private void commitIfDue(long nowNanos, boolean quiet) {
    if (hasNews()) {
      commits.noteNews(nowNanos);
    }
    boolean due = commits.isForced() || commits.isDue(nowNanos, quiet);
    if (due && isQuiescent() && hasNews()) {
      commit(nowNanos);
    }
  }

  private void commit(long nowNanos) {
    uncommitted = false;
    if (commits.isIdle()) {
      commits.partialResults().forEach(pipeline::giveOpen);
    }
    commits.commit(nowNanos, this::stateChanges);
  }

  private List<StateChange> stateChanges() {
    List<StateChange> changes = new ArrayList<>();
    pipeline.writeChanges(
        new StateWriter() {
          @Override
          public void put(byte[] key, byte[] value) {
            changes.add(new StateChange(key, value));
          }

          @Override
          public void remove(byte[] key) {
            changes.add(new StateChange(key, null));
          }
        });
    return changes;
  }

  private boolean hasNews() {
    return uncommitted || hasAnyMoved();
  }

  private void drain(long nowNanos) {
    if (stopped && commits.waitsForOthers()) {
      end(nowNanos);
    }
    if (phase == Phase.DONE || !isQuiescent() || isAnyRefused()) {
      return;
    }
    if (hasNews()) {
      if (commits.canCommit()) {
        commit(nowNanos);
      }
    } else if (commits.isSettled()) {
      end(nowNanos);
    }
  }

  private void end(long nowNanos) {
    phase = Phase.DONE;
    held.set(false, nowNanos);
  }

  /**
   * @param all whether none was polled; else one that was, and had nothing, may fall idle
   */
  private void tellHeld(long nowNanos, boolean all) {
    for (SourceInput input : inputs) {
      if (all || isWaiting(input)) {
        input.heldBack(nowNanos);
      }
    }
    if (isHeldForLong(nowNanos) && isDueAgain(heldReportedNanos, nowNanos)) {
      heldReportedNanos = nowNanos;
      listener.report(
          Severity.WARNING,
          "%s; the sources have been held back for %d s, nothing is lost"
              .formatted(whatHolds(), held.nanos(nowNanos) / 1_000_000_000));
    }
  }

  private static boolean isDueAgain(long reportedNanos, long nowNanos) {
    return reportedNanos == Long.MIN_VALUE || nowNanos - reportedNanos >= REPEAT_NANOS;
  }

  private void lookForLate(long nowNanos) {
    LateReadings.Finding found = lateReadings.look(pipeline.counters(), nowNanos);
    if (found != null && isDueAgain(lateReportedNanos, nowNanos)) {
      lateReportedNanos = nowNanos;
      listener.report(Severity.WARNING, found.text());
    }
  }

  private boolean isHeldForLong(long nowNanos) {
    return held.nanos(nowNanos) >= HELD_REPORT_NANOS;
  }

  private String whatHolds() {
    String full = titles(SinkOutput::hasRefused);
    if (!full.isEmpty()) {
      return "%s takes no more rows".formatted(full);
    }
    String unflushed = titles(output -> !output.isFlushed());
    if (!unflushed.isEmpty()) {
      return "%s has not written what it was given".formatted(unflushed);
    }
    String unready =
        inputs.stream()
            .filter(input -> !isReady(input))
            .map(input -> "table " + input.table())
            .collect(Collectors.joining(", "));
    String waiting =
        inputs.stream()
            .map(SourceInput::waitsFor)
            .filter(reason -> !reason.isEmpty())
            .distinct()
            .collect(Collectors.joining("; "));
    if (unready.isEmpty()) {
      return waiting.isEmpty() ? commits.waitsFor() : waiting;
    }
    return "%s is joined with a table that has not been read to its end".formatted(unready);
  }

  private String titles(Predicate<SinkOutput> which) {
    return outputs.stream()
        .filter(which)
        .map(SinkOutput::title)
        .distinct()
        .collect(Collectors.joining(", "));
  }

  /** The sinks that have not taken or written all they were given, for messages. */
  public String unfinishedSinks() {
    return titles(output -> output.hasRefused() || !output.isFlushed());
  }

  /**
   * What was done so far.
   *
   * @param startNanos when the job started, by the same clock
   * @param cpuNanos what its thread has used of the processor
   */
  public JobCounters counters(long startNanos, long nowNanos, long cpuNanos) {
    long readings = 0;
    long bytesIn = 0;
    long dropped = 0;
    long late = 0;
    Map<String, TableCounters> sources = new HashMap<>();
    Map<String, SinkCounters> sinks = new HashMap<>();
    for (Pipeline.Counters operator : pipeline.counters()) {
      dropped += operator.nullTimeRows();
      late += operator.lateRows();
    }
    for (SourceInput input : inputs) {
      SourceCounters source = input.counters();
      readings += source.readings();
      bytesIn += source.bytes();
      dropped += source.dropped();
      sources.put(
          input.table(),
          input.tableCounters(startNanos, nowNanos, malformedLog.failedRows(input.table())));
    }
    long commands = 0;
    long bytesOut = 0;
    long watermark = Long.MAX_VALUE;
    boolean known = false;
    for (SinkOutput output : outputs) {
      sinks.merge(
          output.table(), new SinkCounters(output.rows(), output.bytes()), SinkCounters::plus);
      commands += output.isCommand() ? rowsOut(output) : 0;
      bytesOut += output.bytes();
      if (output.watermark() != Long.MIN_VALUE) {
        watermark = Math.min(watermark, output.watermark());
        known = true;
      }
    }
    return new JobCounters(
        readings,
        rowsOut(),
        late,
        malformedLog.total(),
        dropped,
        commands,
        bytesIn,
        bytesOut,
        Duration.ofNanos(held.totalNanos(nowNanos)),
        Duration.ofNanos(idle.totalNanos(nowNanos)),
        Duration.ofNanos(nowNanos - startNanos),
        Duration.ofNanos(cpuNanos),
        known ? watermark : Long.MIN_VALUE,
        sources,
        sinks,
        isHeldForLong(nowNanos) ? whatHolds() : whatIsOfNoUse(nowNanos));
  }

  private String whatIsOfNoUse(long nowNanos) {
    Stream<String> late = Stream.ofNullable(lateReadings.finding()).map(LateReadings.Finding::text);
    return Stream.of(
            inputs.stream().map(this::whyOfNoUse),
            outputs.stream().map(this::whyNothingIsWritten),
            inputs.stream().map(input -> input.reloadTrouble(nowNanos)),
            late)
        .flatMap(reasons -> reasons)
        .filter(reason -> !reason.isEmpty())
        .collect(Collectors.joining("; "));
  }

  private String whyOfNoUse(SourceInput input) {
    if (input.isReloaded()) {
      return ""; // What is wrong with its last reading is said of that.
    }
    String table = input.table();
    long payloads = input.malformedInARow();
    if (payloads >= MANY_MALFORMED) {
      return "table %s: none of the last %,d payloads could be read, such as: %s"
          .formatted(table, payloads, malformedLog.example(table));
    }
    long readings = input.counters().readings();
    boolean allFail = readings >= MANY_MALFORMED && malformedLog.failedRows(table) >= readings;
    return allFail && rowsOut() == 0
        ? "table %s: each of %,d rows was left out, such as: %s"
            .formatted(table, readings, malformedLog.example(table))
        : "";
  }

  private String whyNothingIsWritten(SinkOutput output) {
    String table = output.table();
    return output.rows() >= MANY_MALFORMED && malformedLog.unwritten(table) >= output.rows()
        ? "table %s: none of its %,d rows could be written, such as: %s"
            .formatted(table, output.rows(), malformedLog.example(table))
        : "";
  }

  /**
   * Whether all of the input has ended, and nothing of it was of use: it was malformed, or an
   * expression failed for it.
   */
  public boolean hasReadNothing() {
    if (stopped || phase != Phase.DONE || inputs.isEmpty() || !haveAllEnded()) {
      return false;
    }
    long payloads = 0;
    long readings = 0;
    long failedRows = 0;
    for (SourceInput input : inputs) {
      if (input.isReloaded()) {
        continue;
      }
      payloads += input.counters().malformed();
      readings += input.counters().readings();
      failedRows += malformedLog.failedRows(input.table());
    }
    return payloads + failedRows > 0 && failedRows >= readings && rowsOut() == 0;
  }

  /** The rows that sinks took: neither malformed ones nor those that could not be written. */
  private long rowsOut() {
    return outputs.stream().mapToLong(this::rowsOut).sum();
  }

  private long rowsOut(SinkOutput output) {
    String table = output.table();
    return Math.max(0, output.rows() - malformed.rows(table) - malformedLog.unwritten(table));
  }
}
