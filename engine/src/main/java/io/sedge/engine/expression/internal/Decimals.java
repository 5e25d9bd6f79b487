package io.sedge.engine.expression.internal;

import io.sedge.engine.column.DecimalColumn;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Helpers for decimals. */
final class Decimals {
  /** The digits in which Flink divides before it rounds to the result's scale. */
  static final MathContext CONTEXT = new MathContext(38, RoundingMode.HALF_UP);

  private Decimals() {}

  /** Applies an operator that keeps the scale to the rows that are not null. */
  static DecimalColumn map(DecimalColumn column, UnaryOperator<BigDecimal> operator) {
    int rows = column.size();
    @Nullable BigDecimal[] from = column.values();
    @Nullable BigDecimal[] values = new BigDecimal[rows];
    for (int i = 0; i < rows; i++) {
      BigDecimal value = from[i];
      if (value != null && !column.isNull(i)) {
        values[i] = operator.apply(value);
      }
    }
    return new DecimalColumn(values, column.nulls(), rows);
  }
}
