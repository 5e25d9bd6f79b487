package io.sedge.engine.expression.internal;

/**
 * Arithmetic over {@code long} arrays: one counted loop per operator, so that the JIT vectorizes
 * it.
 */
final class LongKernels {
  private LongKernels() {}

  /** A binary operator over the first {@code rows} entries. */
  @FunctionalInterface
  interface Kernel {
    void run(long[] left, long[] right, long[] result, int rows);
  }

  static void add(long[] left, long[] right, long[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] + right[i];
    }
  }

  static void subtract(long[] left, long[] right, long[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] - right[i];
    }
  }

  static void multiply(long[] left, long[] right, long[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] * right[i];
    }
  }

  static void negate(long[] values, long[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = -values[i];
    }
  }

  static void abs(long[] values, long[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = Math.abs(values[i]);
    }
  }

  /** Rows whose divisor is 0 give 0: the caller has looked for those that are not null. */
  static void divide(long[] left, long[] right, long[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = right[i] == 0 ? 0 : left[i] / right[i];
    }
  }

  /** Rows whose divisor is 0 give 0: the caller has looked for those that are not null. */
  static void remainder(long[] left, long[] right, long[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = right[i] == 0 ? 0 : left[i] % right[i];
    }
  }
}
