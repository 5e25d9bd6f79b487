package io.sedge.engine.aggregate;

import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;

/** What a call reads from {@link Shared} accumulators, and the type in which it gives it. */
record Outcome(Function function, Type type) {

  /** The functions that are read from shared accumulators. */
  enum Function {
    COUNT(0),
    SUM(Shared.SUM),
    /** A sum that is 0 where there are no rows. */
    SUM0(Shared.SUM),
    AVG(Shared.SUM),
    MIN(Shared.EXTREMES),
    MAX(Shared.EXTREMES),
    VAR_POP(Shared.SQUARES),
    VAR_SAMP(Shared.SQUARES),
    STDDEV_POP(Shared.SQUARES),
    STDDEV_SAMP(Shared.SQUARES);

    private final int needs;

    Function(int needs) {
      this.needs = needs;
    }

    int needs() {
      return needs;
    }
  }

  /** Appends an integer in the type of the result; too large ones wrap around, as in Flink. */
  void addLong(long value, ColumnBuilder output) {
    switch (type.kind()) {
      case TINYINT -> output.addInt((byte) value);
      case SMALLINT -> output.addInt((short) value);
      default -> {
        switch (type.storage()) {
          case INT -> output.addInt((int) value);
          case LONG -> output.addLong(value);
          default -> addDouble((double) value, output);
        }
      }
    }
  }

  /** Appends a number in the type of the result, cut to an integer or rounded to a DECIMAL. */
  void addDouble(double value, ColumnBuilder output) {
    switch (type.storage()) {
      case INT, LONG -> addLong((long) value, output);
      case FLOAT -> output.addFloat((float) value);
      case DECIMAL -> addDecimal(new BigDecimal(Double.toString(value)), output);
      default -> output.addDouble(value);
    }
  }

  /** Appends a DECIMAL, or null where it has more digits than the type, as in Flink. */
  void addDecimal(BigDecimal value, ColumnBuilder output) {
    BigDecimal rounded = type.fit(value);
    if (rounded == null) {
      output.addNull();
    } else {
      output.addDecimal(rounded);
    }
  }

  /**
   * Appends a variance or deviation.
   *
   * @param count of the values
   * @param squares the sum of the squared distances from the mean
   */
  void addSpread(double count, double squares, ColumnBuilder output) {
    boolean sample = function == Function.VAR_SAMP || function == Function.STDDEV_SAMP;
    if (count < (sample ? 2 : 1)) {
      output.addNull();
      return;
    }
    double variance = squares / (sample ? count - 1 : count);
    boolean deviation = function == Function.STDDEV_POP || function == Function.STDDEV_SAMP;
    addDouble(deviation ? Math.sqrt(variance) : variance, output);
  }
}
