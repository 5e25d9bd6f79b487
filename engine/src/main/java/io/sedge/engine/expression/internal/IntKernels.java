package io.sedge.engine.expression.internal;

/**
 * Arithmetic over {@code int} arrays: one counted loop per operator, so that the JIT vectorizes it.
 */
final class IntKernels {
  private IntKernels() {}

  /** A binary operator over the first {@code rows} entries. */
  @FunctionalInterface
  interface Kernel {
    void run(int[] left, int[] right, int[] result, int rows);
  }

  static void add(int[] left, int[] right, int[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] + right[i];
    }
  }

  static void subtract(int[] left, int[] right, int[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] - right[i];
    }
  }

  static void multiply(int[] left, int[] right, int[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] * right[i];
    }
  }

  static void negate(int[] values, int[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = -values[i];
    }
  }

  static void abs(int[] values, int[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = Math.abs(values[i]);
    }
  }

  /** Rows whose divisor is 0 give 0: the caller has looked for those that are not null. */
  static void divide(int[] left, int[] right, int[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = right[i] == 0 ? 0 : left[i] / right[i];
    }
  }

  /** Rows whose divisor is 0 give 0: the caller has looked for those that are not null. */
  static void remainder(int[] left, int[] right, int[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = right[i] == 0 ? 0 : left[i] % right[i];
    }
  }
}
