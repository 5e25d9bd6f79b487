package io.sedge.engine.expression.internal;

import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.type.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the rows for which a condition is true. */
@FunctionalInterface
public interface Selector {
  /**
   * Keeps those of the selected rows for which the condition is true.
   *
   * @param selected ascending rows of the frame; the first {@code count} count
   * @return how many are left, at the front of {@code selected}
   */
  int refine(Frame frame, int[] selected, int count);

  /** The rows of a frame for which the condition is true. */
  default int select(Frame frame, int[] selected) {
    int rows = frame.rows();
    for (int i = 0; i < rows; i++) {
      selected[i] = i;
    }
    return refine(frame, selected, rows);
  }

  /** Any condition, by its value. */
  static Selector of(Node condition) {
    return (frame, selected, count) -> {
      boolean dense = count == frame.rows() || (condition.isTotal() && count * 4 >= frame.rows());
      int[] rows = dense ? selected : selected.clone();
      Frame some = dense ? frame : frame.select(rows, count);
      BooleanColumn column = (BooleanColumn) condition.evaluate(some);
      boolean[] values = column.values();
      boolean[] nulls = column.nulls();
      int kept = 0;
      for (int i = 0; i < count; i++) {
        int row = rows[i];
        int at = dense ? row : i;
        selected[kept] = row;
        kept += values[at] && (nulls == null || !nulls[at]) ? 1 : 0;
      }
      return kept;
    };
  }

  /** All of the conditions, the later ones only for the rows that the earlier ones left. */
  static Selector all(List<Selector> conditions) {
    return new Selector() {
      @Override
      public int refine(Frame frame, int[] selected, int count) {
        return rest(0, frame, selected, count);
      }

      @Override
      public int select(Frame frame, int[] selected) {
        return rest(1, frame, selected, conditions.getFirst().select(frame, selected));
      }

      private int rest(int from, Frame frame, int[] selected, int count) {
        int left = count;
        for (int i = from; i < conditions.size() && left > 0; i++) {
          left = conditions.get(i).refine(frame, selected, left);
        }
        return left;
      }
    };
  }

  /** A comparison with a constant; null where there is no short way for these types. */
  static @Nullable Selector comparison(
      Comparison comparison, Node node, Expression.Literal literal) {
    Object value = literal.value();
    Kind kind = node.type().kind();
    Kind of = literal.type().kind();
    if (value == null || !node.isTotal()) {
      return null;
    }
    return switch (kind) {
      case DOUBLE ->
          of == Kind.DOUBLE || of.isInteger()
              ? doubles(comparison, node, ((Number) value).doubleValue())
              : null;
      case BIGINT -> of.isInteger() ? longs(comparison, node, ((Number) value).longValue()) : null;
      case TIMESTAMP, TIMESTAMP_LTZ ->
          of.isTimestamp() ? longs(comparison, node, (Long) value) : null;
      case TINYINT, SMALLINT, INT ->
          of.isInteger() && of != Kind.BIGINT
              ? ints(comparison, node, ((Number) value).intValue())
              : null;
      case DATE, TIME -> of == kind ? ints(comparison, node, (Integer) value) : null;
      case CHAR, VARCHAR -> of.isString() ? strings(comparison, node, (String) value) : null;
      default -> null;
    };
  }

  private static Selector doubles(Comparison comparison, Node node, double constant) {
    return new Selector() {
      @Override
      public int refine(Frame frame, int[] selected, int count) {
        DoubleColumn column = (DoubleColumn) node.evaluate(frame);
        int left = DoubleComparisons.refine(comparison, column.values(), constant, selected, count);
        return dropNulls(column, selected, left);
      }

      @Override
      public int select(Frame frame, int[] selected) {
        DoubleColumn column = (DoubleColumn) node.evaluate(frame);
        int left =
            DoubleComparisons.select(comparison, column.values(), constant, selected, frame.rows());
        return dropNulls(column, selected, left);
      }
    };
  }

  private static Selector longs(Comparison comparison, Node node, long constant) {
    return new Selector() {
      @Override
      public int refine(Frame frame, int[] selected, int count) {
        LongColumn column = (LongColumn) node.evaluate(frame);
        int left = LongComparisons.refine(comparison, column.values(), constant, selected, count);
        return dropNulls(column, selected, left);
      }

      @Override
      public int select(Frame frame, int[] selected) {
        LongColumn column = (LongColumn) node.evaluate(frame);
        int left =
            LongComparisons.select(comparison, column.values(), constant, selected, frame.rows());
        return dropNulls(column, selected, left);
      }
    };
  }

  private static Selector ints(Comparison comparison, Node node, int constant) {
    return new Selector() {
      @Override
      public int refine(Frame frame, int[] selected, int count) {
        IntColumn column = (IntColumn) node.evaluate(frame);
        int left = IntComparisons.refine(comparison, column.values(), constant, selected, count);
        return dropNulls(column, selected, left);
      }

      @Override
      public int select(Frame frame, int[] selected) {
        IntColumn column = (IntColumn) node.evaluate(frame);
        int left =
            IntComparisons.select(comparison, column.values(), constant, selected, frame.rows());
        return dropNulls(column, selected, left);
      }
    };
  }

  private static Selector strings(Comparison comparison, Node node, String constant) {
    StringPredicate predicate = ComparisonFunctions.predicate(comparison, constant);
    return (frame, selected, count) ->
        predicate.refine((StringColumn) node.evaluate(frame), selected, count);
  }

  private static int dropNulls(Column column, int[] selected, int count) {
    boolean[] nulls = column.nulls();
    if (nulls == null) {
      return count;
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int row = selected[i];
      selected[kept] = row;
      kept += nulls[row] ? 0 : 1;
    }
    return kept;
  }
}
