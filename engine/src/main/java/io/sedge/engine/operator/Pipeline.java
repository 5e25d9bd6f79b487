package io.sedge.engine.operator;

import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.column.CapacityException;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.operator.internal.Graph;
import io.sedge.engine.operator.internal.GraphRunner;
import io.sedge.engine.operator.internal.Operators;
import io.sedge.engine.plan.Plan;
import io.sedge.engine.state.StateWriter;
import io.sedge.engine.state.Stateful;
import java.util.List;
import java.util.Map;

/**
 * A plan, ready to run: rows are offered to its sources and arrive at its sinks, all in the
 * caller's one thread. Nothing is buffered beyond one batch per connection of two operators: what a
 * sink refuses, its sources refuse.
 *
 * <p>How to run one: {@link #restore} if there is state, {@link #start} until it is true, then
 * offer batches to {@link #source}; advance a source to {@link Long#MAX_VALUE} when its input has
 * ended. Tables with a WATERMARK need no other advance. Equal parts of the plan are run once.
 *
 * <p>A refused call is repeated with the same arguments until it is taken. Calls to other sources
 * may come between; they may be refused for as long as this one is not repeated.
 */
public final class Pipeline implements Stateful {
  private final GraphRunner runner;

  private Pipeline(GraphRunner runner) {
    this.runner = runner;
  }

  /** The same as the other; a row that an expression has no value for ends the call. */
  public static Pipeline compile(
      Plan plan,
      FunctionRegistry functions,
      AggregateRegistry aggregates,
      Map<String, Output> sinks) {
    return compile(plan, functions, aggregates, sinks, FailedRows.THROWN);
  }

  /**
   * Makes the operators of a plan.
   *
   * @param sinks where the rows of each sink of the plan go, by the sink's name; a sink that
   *     several parts of the plan write gets one watermark, the least of theirs
   * @param failedRows takes the rows that an expression has no value for
   * @throws IllegalArgumentException if the plan names a sink or function that is not given, or
   *     joins that would wait for each other
   */
  public static Pipeline compile(
      Plan plan,
      FunctionRegistry functions,
      AggregateRegistry aggregates,
      Map<String, Output> sinks,
      FailedRows failedRows) {
    Graph graph = new Graph(plan, new Operators(functions, aggregates, failedRows), sinks);
    return new Pipeline(new GraphRunner(plan, graph));
  }

  /** The names of the tables that the plan scans. */
  public List<String> sources() {
    return runner.sources();
  }

  /**
   * Where the rows of a table go in. Rows end its idleness.
   *
   * @throws IllegalArgumentException if the plan does not scan it
   */
  public Output source(String table) {
    return runner.source(table);
  }

  /**
   * Whether rows of a table can be taken at all now. They cannot while a join that they are for has
   * not read the whole of the table that it looks up; until then the source is best not read, since
   * a row that waits outside holds up commits.
   *
   * @throws IllegalArgumentException if the plan does not scan it
   */
  public boolean ready(String table) {
    return runner.ready(table);
  }

  /**
   * Begins to read a table anew that has ended and that rows are only looked up in. What {@link
   * #source} is offered of it until {@link #endReload} is compared with what joins keep. What an
   * earlier reading gave and did not complete is dropped.
   *
   * @param mostBytes how much state may change
   * @throws IllegalArgumentException if the plan does not scan it, or makes anything else of it
   */
  public void beginReload(String table, long mostBytes) {
    runner.beginReload(table, mostBytes);
  }

  /** Drops what the reading that {@link #beginReload} began has given; nothing has changed. */
  public void dropReload(String table) {
    runner.dropReload(table);
  }

  /**
   * Says that the reading that {@link #beginReload} began is complete: from now on its rows are
   * found, and no others. What has not changed is no change of state.
   *
   * @return false if a join is still at a row: call again
   * @throws CapacityException if more would change, or there are more rows than a join keeps; those
   *     of before stay
   */
  public boolean endReload(String table) {
    return runner.endReload(table);
  }

  /**
   * Says that a table has no rows for a while and holds back no watermark, or that it is back.
   *
   * @return false if what this set off is not all taken: call again with the same arguments
   */
  public boolean idle(String table, boolean idle) {
    return runner.idle(table, idle);
  }

  /**
   * Gives a sink what the tumbling windows before it have of what is not over, as if it were: for
   * partial results, which somebody adds up. Changes no watermark. What is between the windows and
   * the sink may change rows and leave some out, and nothing else; and the sink must take all.
   *
   * @throws IllegalArgumentException if there is another step between them
   * @throws IllegalStateException if not {@link #flushed}, or if the sink refuses
   */
  public void giveOpen(String sink) {
    runner.giveOpen(sink);
  }

  /**
   * Runs the constant rows of the plan; those that a lookup join is not ready for stay where they
   * are.
   *
   * @return false if they are not all taken: call again
   */
  public boolean start() {
    return runner.start();
  }

  /** Whether no call waits for room, so that the state may be written. */
  public boolean flushed() {
    return runner.flushed();
  }

  /**
   * How many entries {@link #writeChanges} would write now, about; those of bounded number (what
   * each operator has once) are left out.
   */
  public long changedEntries() {
    return runner.changedEntries();
  }

  /** Whether all sinks have been told the end, so that no more rows are of use. */
  public boolean finished() {
    return runner.finished();
  }

  /** What each operator has counted since this object was made, inputs before their consumers. */
  public List<Counters> counters() {
    return runner.counters();
  }

  /** Throws an {@link AssertionError} if the state of an operator contradicts itself. */
  public void checkInvariants() {
    runner.checkInvariants();
  }

  /**
   * @throws IllegalStateException if not {@link #flushed}
   */
  @Override
  public void writeSnapshot(StateWriter writer) {
    runner.writeSnapshot(writer);
  }

  /**
   * @throws IllegalStateException if not {@link #flushed}
   */
  @Override
  public void writeChanges(StateWriter writer) {
    runner.writeChanges(writer);
  }

  /**
   * @throws IllegalArgumentException if the entries are of another plan
   */
  @Override
  public void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    runner.restore(entries);
  }

  /**
   * What an operator has counted.
   *
   * @param id of the operator; the same whenever the same plan is compiled
   * @param name its kind; for sources and sinks with the table
   * @param inputs the ids of the operators that feed it
   * @param rowsIn rows taken
   * @param rowsOut rows that all its consumers have taken
   * @param lateRows rows that came too late and were dropped, or went to a side output
   * @param nullTimeRows rows dropped because their event time was null
   * @param watermark that of its inputs together, in microseconds; {@link Long#MIN_VALUE} for none
   *     yet, {@link Long#MAX_VALUE} after the end
   */
  public record Counters(
      int id,
      String name,
      List<Integer> inputs,
      long rowsIn,
      long rowsOut,
      long lateRows,
      long nullTimeRows,
      long watermark) {
    public Counters {
      inputs = List.copyOf(inputs);
    }
  }
}
