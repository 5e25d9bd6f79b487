package io.sedge.engine.aggregate;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.RowColumn;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A list of aggregates in two steps. The first, at each of several places, aggregates some of the
 * rows and gives the accumulators instead of their results ({@link #partial}): all of a group as
 * one text, which is Base64 of what {@link GroupAccumulators#write} writes. The second merges those
 * of one group and gives the results ({@link #merged}, then {@link #result}).
 *
 * <p>Merging is exact for everything whose accumulators are: counts, whole numbers, decimals,
 * extremes, sets; sums of DOUBLE differ from those of one place by rounding alone. The order of
 * rows, which FIRST_VALUE, LAST_VALUE and LISTAGG go by, is that in which partial results arrive.
 *
 * <p>The calls that this makes know nothing of the aggregates but a name: {@link #aggregates} and
 * {@link #functions} find them by it. Immutable.
 */
public final class PartialAggregates {
  private static final String PARTIAL = "PARTIAL ";
  private static final String MERGED = "MERGED ";
  private static final String RESULT = "RESULT ";

  private final String name;
  private final List<AggregateCall> calls;
  private final GroupAccumulators.Factory accumulators;

  /** The columns of the input that the calls need. */
  private final List<Integer> columns;

  private final List<Type> columnTypes;
  private final Type results;

  /**
   * @param name unique among those of a job; the same wherever its parts run
   * @param calls at least one
   * @param input what they aggregate
   * @param registry finds their functions
   * @throws IllegalArgumentException if it lacks one
   */
  public PartialAggregates(
      String name, List<AggregateCall> calls, Schema input, AggregateRegistry registry) {
    if (calls.isEmpty()) {
      throw new IllegalArgumentException("there is nothing to aggregate in two steps");
    }
    this.name = name;
    this.calls = List.copyOf(calls);
    TreeSet<Integer> needed = new TreeSet<>();
    for (AggregateCall call : calls) {
      needed.addAll(call.arguments());
      if (call.filter() >= 0) {
        needed.add(call.filter());
      }
    }
    if (needed.isEmpty()) {
      needed.add(0); // COUNT(*) alone: rows must be seen to be counted.
    }
    this.columns = List.copyOf(needed);
    this.columnTypes = columns.stream().map(input::type).toList();
    List<AggregateCall> renumbered = calls.stream().map(this::renumbered).toList();
    this.accumulators = GroupAccumulators.factory(renumbered, registry);
    this.results =
        Type.row(
                IntStream.range(0, calls.size()).mapToObj(i -> "r" + i).toList(),
                calls.stream().map(AggregateCall::type).toList())
            .notNull();
  }

  private AggregateCall renumbered(AggregateCall call) {
    return new AggregateCall(
        call.function(),
        call.arguments().stream().map(columns::indexOf).toList(),
        call.argumentTypes(),
        call.parameters(),
        call.filter() < 0 ? -1 : columns.indexOf(call.filter()),
        call.distinct(),
        call.type(),
        call.name());
  }

  /** The aggregates whose results it gives. */
  public List<AggregateCall> calls() {
    return calls;
  }

  /** Aggregates rows of the input; the result, a STRING, is all that is known of them. */
  public AggregateCall partial(String column) {
    return call(PARTIAL, columns, columnTypes, partialType(), column);
  }

  /** Whether a call is one that {@link #partial} has made. */
  public static boolean isPartial(AggregateCall call) {
    return call.function().startsWith(PARTIAL);
  }

  /** The type of what {@link #partial} gives. */
  public static Type partialType() {
    return Type.STRING.notNull();
  }

  /** The same for a single row of the input. */
  public Expression partialOfRow() {
    List<Expression> arguments = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      arguments.add(new Expression.Input(columns.get(i), columnTypes.get(i)));
    }
    return new Expression.Call(PARTIAL + name, arguments, partialType());
  }

  /**
   * Merges what {@link #partial} gave.
   *
   * @param column where that is
   */
  public AggregateCall merged(int column, String resultColumn) {
    return call(MERGED, List.of(column), List.of(partialType()), results, resultColumn);
  }

  /**
   * The result of one of the aggregates.
   *
   * @param column where {@link #merged} is
   * @param call its position among {@link #calls}
   */
  public Expression result(int column, int call) {
    return new Expression.Call(
        RESULT + call, List.of(new Expression.Input(column, results)), calls.get(call).type());
  }

  private AggregateCall call(
      String kind, List<Integer> arguments, List<Type> types, Type type, String column) {
    return new AggregateCall(kind + name, arguments, types, List.of(), -1, false, type, column);
  }

  /** Finds {@link #partial} and {@link #merged}, and nothing else. */
  public AggregateRegistry aggregates() {
    return call ->
        call.function().equals(PARTIAL + name)
            ? Optional.of(() -> new Partials(accumulators.create()))
            : call.function().equals(MERGED + name)
                ? Optional.of(
                    () -> new MergedPartials(accumulators.create(), accumulators.create(), calls))
                : Optional.empty();
  }

  /** Finds {@link #partialOfRow} and {@link #result}, and nothing else. */
  public FunctionRegistry functions() {
    return (function, arguments, type) -> {
      if (function.equals(PARTIAL + name)) {
        return Optional.of(new PartialOfRow(accumulators.create()));
      }
      if (function.startsWith(RESULT) && arguments.getFirst().type().equals(results)) {
        int field = Integer.parseInt(function.substring(RESULT.length()));
        return Optional.of((columns, rows) -> ((RowColumn) columns.getFirst()).field(field));
      }
      return Optional.empty();
    };
  }

  /** Rows one by one through accumulators for one group. */
  private record PartialOfRow(GroupAccumulators group) implements ScalarFunction {
    @Override
    public Column apply(List<Column> arguments, int rows) {
      group.ensureSlots(1);
      Batch batch = new Batch(rows, arguments);
      ColumnBuilder texts = ColumnBuilder.of(partialType());
      for (int row = 0; row < rows; row++) {
        group.clear(0);
        group.add(new int[] {row}, new int[1], 1, batch);
        texts.addString(Partials.encode(group, 0));
      }
      return texts.build();
    }
  }
}
