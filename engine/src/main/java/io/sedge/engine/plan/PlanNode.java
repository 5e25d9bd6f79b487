package io.sedge.engine.plan;

import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.type.Schema;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A step of a plan as data: what it does, its inputs and the schema of its result. Columns are
 * named by position in the input (for joins: in the left input followed by the right). All
 * durations and times are microseconds.
 */
public sealed interface PlanNode {
  Schema schema();

  List<PlanNode> inputs();

  /**
   * The rows of a source table, as its connector gives them.
   *
   * @param timeColumns those that are event times already, with watermarks that whoever offers the
   *     rows announces; as a rule none, and {@link Watermark} makes them
   */
  record Scan(String table, Schema schema, List<Integer> timeColumns) implements PlanNode {
    public Scan {
      timeColumns = List.copyOf(timeColumns);
    }

    /** Without event times. */
    public Scan(String table, Schema schema) {
      this(table, schema, List.of());
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of();
    }

    /** Nothing is said of event times where there are none: state knows its plan by its text. */
    @Override
    public String toString() {
      String times = timeColumns.isEmpty() ? "" : ", timeColumns=" + timeColumns;
      return "Scan[table=%s, schema=%s%s]".formatted(table, schema, times);
    }
  }

  /** Constant rows, then the end of the input. */
  record Values(List<List<Expression.Literal>> rows, Schema schema) implements PlanNode {
    public Values {
      rows = rows.stream().map(List::copyOf).toList();
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of();
    }
  }

  /** The rows for which the condition is true. */
  record Filter(PlanNode input, Expression condition) implements PlanNode {
    @Override
    public Schema schema() {
      return input.schema();
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }

  /** One column per expression. */
  record Project(PlanNode input, List<Expression> expressions, Schema schema) implements PlanNode {
    public Project {
      expressions = List.copyOf(expressions);
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }

  /**
   * Makes watermarks: after each row the watermark is the greatest value of {@code watermark} so
   * far, as Flink's WATERMARK FOR; with {@code perKey} the least of the greatest ones of the keys,
   * as Flink has it of a source's partitions. Rows whose time is null are dropped and counted.
   */
  record Watermark(PlanNode input, int timeColumn, Expression watermark, @Nullable PerKey perKey)
      implements PlanNode {
    /** Of all rows alike. */
    public Watermark(PlanNode input, int timeColumn, Expression watermark) {
      this(input, timeColumn, watermark, null);
    }

    /**
     * Each key is waited for.
     *
     * @param column with the key
     * @param idleAfter for how long the other keys go on without a row of one until it is no longer
     *     waited for; in microseconds of event time, positive. For as long no watermark is given at
     *     first, so that all keys become known
     */
    public record PerKey(int column, long idleAfter) {
      public PerKey {
        if (idleAfter <= 0) {
          throw new IllegalArgumentException("idleAfter=%d is not positive".formatted(idleAfter));
        }
      }
    }

    @Override
    public Schema schema() {
      return input.schema();
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }

    /** Nothing is said of keys where there are none: state knows its plan by its text. */
    @Override
    public String toString() {
      return "Watermark[input=%s, timeColumn=%d, watermark=%s%s]"
          .formatted(input, timeColumn, watermark, perKey == null ? "" : ", perKey=" + perKey);
    }
  }

  /**
   * A window table function on its own: each row once per window it belongs to, with the columns
   * window_start, window_end and window_time appended. Not for sessions.
   *
   * @param zone as for {@link WindowAggregate}
   */
  record WindowAssign(PlanNode input, Window window, int timeColumn, String zone, Schema schema)
      implements PlanNode {
    /** Over a TIMESTAMP column. */
    public WindowAssign(PlanNode input, Window window, int timeColumn, Schema schema) {
      this(input, window, timeColumn, "UTC", schema);
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }

  /**
   * Aggregates per key and window. The result has the keys, the aggregates, then window_start,
   * window_end and window_time (TIMESTAMP(3), or TIMESTAMP_LTZ where the time column is one:
   * window_start and window_end are always local times in {@code zone}), once per window when the
   * watermark passes its end less 1 ms, as in Flink.
   *
   * @param timeColumn event time
   * @param keys group columns
   * @param zone the zone in which windows are laid over a TIMESTAMP_LTZ column, as an id; "UTC"
   *     where the time column is a TIMESTAMP
   * @param allowedLateness how long a fired window is kept; a late row within it makes the window
   *     fire again, with the row merged, when the watermark next advances
   */
  record WindowAggregate(
      PlanNode input,
      Window window,
      int timeColumn,
      List<Integer> keys,
      List<AggregateCall> aggregates,
      String zone,
      long allowedLateness,
      Schema schema)
      implements PlanNode {
    public WindowAggregate {
      keys = List.copyOf(keys);
      aggregates = List.copyOf(aggregates);
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }

  /**
   * The rows that came too late for {@code window}, a side output, with the columns of its input.
   */
  record LateRows(WindowAggregate window) implements PlanNode {
    @Override
    public Schema schema() {
      return window.input().schema();
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(window);
    }
  }

  /** Aggregates per key over all rows so far: an updating result. The keys, then the aggregates. */
  record GroupAggregate(
      PlanNode input, List<Integer> keys, List<AggregateCall> aggregates, Schema schema)
      implements PlanNode {
    public GroupAggregate {
      keys = List.copyOf(keys);
      aggregates = List.copyOf(aggregates);
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }

  /**
   * Aggregates of each row's predecessors in its partition, by event time; the input's columns,
   * then the aggregates. Rows come out in time order per partition when the watermark passes them.
   *
   * @param frame ROWS or RANGE between a number of predecessors (or microseconds) and the current
   *     row
   */
  record OverAggregate(
      PlanNode input,
      List<Integer> partition,
      int timeColumn,
      Frame frame,
      List<AggregateCall> aggregates,
      Schema schema)
      implements PlanNode {
    public OverAggregate {
      partition = List.copyOf(partition);
      aggregates = List.copyOf(aggregates);
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }

  /**
   * The frame of an OVER aggregate; it ends with the current row (RANGE: with its peers).
   *
   * @param rows true for ROWS, false for RANGE
   * @param preceding rows before the current one, or microseconds; {@link Long#MAX_VALUE} for
   *     UNBOUNDED
   */
  record Frame(boolean rows, long preceding) {}

  /**
   * The rows ranked {@code from} to {@code to} (1 is the first) of each partition by ROW_NUMBER.
   * Without a window the result is updating; with one, rows come out when it closes.
   *
   * <p>Where the partition names no window, and the one row of each partition is chosen by its
   * event time (a column that {@link Watermark} names, passed on unchanged), it is a deduplication
   * as in Flink: the first row comes out when the watermark passes it, once; the last row is an
   * updating result in which the later of two rows of equal time wins, as it does in a window.
   *
   * @param windowEnd the column of the window's end if the partition names a window, else -1
   * @param zone in which the window's end is a local time, as for {@link WindowAggregate}
   * @param rankName the name of an appended BIGINT column of the rank, or null
   */
  record TopN(
      PlanNode input,
      List<Integer> partition,
      List<Ordering> orderings,
      long from,
      long to,
      int windowEnd,
      String zone,
      @Nullable String rankName,
      Schema schema)
      implements PlanNode {
    public TopN {
      partition = List.copyOf(partition);
      orderings = List.copyOf(orderings);
    }

    /** Without a window, or with one over a TIMESTAMP column. */
    public TopN(
        PlanNode input,
        List<Integer> partition,
        List<Ordering> orderings,
        long from,
        long to,
        int windowEnd,
        @Nullable String rankName,
        Schema schema) {
      this(input, partition, orderings, from, to, windowEnd, "UTC", rankName, schema);
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }

  /** The kinds of join. */
  enum JoinKind {
    INNER,
    LEFT,
    RIGHT,
    FULL
  }

  /**
   * Joins rows of equal keys whose times are near: left time - right time is in {@code [lower,
   * upper]}. The columns of left, then right.
   *
   * @param ofWindows whether the times are those of windows that both sides must agree in: as in
   *     Flink, a row whose window is over is late, and dropped and counted. Without, a late row
   *     meets what is still kept, and one of an outer side that meets nothing is filled with nulls
   * @param condition what else must hold, over the joined columns
   */
  record IntervalJoin(
      PlanNode left,
      PlanNode right,
      JoinKind kind,
      List<Integer> leftKeys,
      List<Integer> rightKeys,
      int leftTime,
      int rightTime,
      long lower,
      long upper,
      boolean ofWindows,
      Optional<Expression> condition,
      Schema schema)
      implements PlanNode {
    public IntervalJoin {
      leftKeys = List.copyOf(leftKeys);
      rightKeys = List.copyOf(rightKeys);
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(left, right);
    }
  }

  /**
   * Joins each row with the rows of a small bounded table, which is read whole before the first row
   * is joined. The columns of input, then table.
   *
   * @param kind INNER or LEFT
   */
  record LookupJoin(
      PlanNode input,
      PlanNode table,
      JoinKind kind,
      List<Integer> inputKeys,
      List<Integer> tableKeys,
      Optional<Expression> condition,
      Schema schema)
      implements PlanNode {
    public LookupJoin {
      inputKeys = List.copyOf(inputKeys);
      tableKeys = List.copyOf(tableKeys);
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input, table);
    }
  }

  /**
   * Each row once for each element of its array, in their order: some columns of the input, then
   * the element (the fields of one that is a ROW, a column each) and, if wanted, its number from 1.
   * A row keeps its event time. Without elements it gives no row or, if {@code outer}, one that is
   * filled with nulls. As in Flink a ROW that is NULL gives no row, but counts in the numbers.
   *
   * @param array the column of arrays
   * @param kept which columns of the input the result begins with
   * @param ordinality whether the result ends with the number, an INT
   */
  record Unnest(
      PlanNode input,
      int array,
      List<Integer> kept,
      boolean ordinality,
      boolean outer,
      Schema schema)
      implements PlanNode {
    public Unnest {
      kept = List.copyOf(kept);
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }

  /** All rows of all inputs. */
  record Union(List<PlanNode> inputs) implements PlanNode {
    public Union {
      inputs = List.copyOf(inputs);
    }

    @Override
    public Schema schema() {
      return inputs.getFirst().schema();
    }
  }

  /** The first {@code count} rows, then the end of the input. */
  record Limit(PlanNode input, long count) implements PlanNode {
    @Override
    public Schema schema() {
      return input.schema();
    }

    @Override
    public List<PlanNode> inputs() {
      return List.of(input);
    }
  }
}
