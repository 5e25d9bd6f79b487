package io.sedge.sql.internal;

import io.sedge.engine.plan.Window;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * A call of a window function.
 *
 * @param window what it lays over the time column
 * @param timeColumn the position of the time column in the input
 * @param instant whether the time column is TIMESTAMP_LTZ, so that the bounds are times in a zone
 * @param partition the columns within whose values sessions are found
 * @param position where it stands in the script
 */
record WindowCall(
    Window window,
    int timeColumn,
    boolean instant,
    List<Integer> partition,
    SqlParserPos position) {
  private static final long MICROS_PER_MILLI = 1_000;

  WindowCall {
    partition = List.copyOf(partition);
  }

  /**
   * Reads a validated call of a window table function.
   *
   * @param descriptor of the time column
   * @param intervals its arguments after the descriptor
   */
  static WindowCall of(
      SqlCall call,
      SqlNode descriptor,
      List<String> partition,
      List<RexNode> intervals,
      RelDataType input) {
    SqlIdentifier column = ((SqlCall) descriptor).operand(0);
    SqlParserPos position = call.getParserPosition();
    int timeColumn = input.getFieldNames().indexOf(column.getSimple());
    List<Long> micros = new ArrayList<>();
    for (RexNode interval : intervals) {
      micros.add(micros(interval, position));
    }
    return new WindowCall(
        window(call.getOperator().getName(), micros, position),
        timeColumn,
        input.getFieldList().get(timeColumn).getType().getSqlTypeName()
            == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE,
        partition.stream().map(name -> input.getFieldNames().indexOf(name)).toList(),
        position);
  }

  /**
   * The window that a function's intervals describe.
   *
   * @param micros size and offset; slide, size and offset; step, size and offset; or gap
   */
  static Window window(String function, List<Long> micros, SqlParserPos position) {
    for (int i = 0; i < Math.min(micros.size(), function.equals("TUMBLE") ? 1 : 2); i++) {
      if (micros.get(i) <= 0) {
        throw new UnsupportedException(
            function + ": an interval must be longer than zero", null, position);
      }
    }
    return switch (function) {
      case "TUMBLE" -> new Window.Tumbling(micros.getFirst(), optional(micros, 1));
      case "HOP" -> {
        requireMultiple(function, micros, "slide", "size", position);
        yield new Window.Hopping(micros.get(1), micros.getFirst(), optional(micros, 2));
      }
      case "CUMULATE" -> {
        requireMultiple(function, micros, "step", "size", position);
        yield new Window.Cumulating(micros.get(1), micros.getFirst(), optional(micros, 2));
      }
      default -> new Window.Session(micros.getFirst());
    };
  }

  private static long optional(List<Long> micros, int index) {
    return micros.size() > index ? micros.get(index) : 0;
  }

  private static void requireMultiple(
      String function, List<Long> micros, String part, String whole, SqlParserPos position) {
    if (micros.get(1) % micros.getFirst() != 0) {
      throw new UnsupportedException(
          "%s: the %s (second interval, %d ms) is not a multiple of the %s (first interval, %d ms)"
              .formatted(
                  function,
                  whole,
                  micros.get(1) / MICROS_PER_MILLI,
                  part,
                  micros.getFirst() / MICROS_PER_MILLI),
          "the %s first, then a %s that is a multiple of it".formatted(part, whole),
          position);
    }
  }

  /** The microseconds of an interval literal. */
  static long micros(RexNode node, SqlParserPos position) {
    SqlTypeName type = node.getType().getSqlTypeName();
    if (!(node instanceof RexLiteral literal)
        || !SqlTypeName.DAY_INTERVAL_TYPES.contains(type)
        || literal.getValueAs(BigDecimal.class) == null) {
      throw new UnsupportedException(
          "the length of a window must be a constant of days, hours, minutes or seconds",
          "INTERVAL '5' SECOND",
          position);
    }
    return literal.getValueAs(BigDecimal.class).longValueExact() * MICROS_PER_MILLI;
  }
}
