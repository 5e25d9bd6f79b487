package io.sedge.engine.expression.internal;

/**
 * Arithmetic over {@code double} arrays: one counted loop per operator, so that the JIT vectorizes
 * it.
 */
final class DoubleKernels {
  private DoubleKernels() {}

  /** A binary operator over the first {@code rows} entries. */
  @FunctionalInterface
  interface Kernel {
    void run(double[] left, double[] right, double[] result, int rows);
  }

  static void add(double[] left, double[] right, double[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] + right[i];
    }
  }

  static void subtract(double[] left, double[] right, double[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] - right[i];
    }
  }

  static void multiply(double[] left, double[] right, double[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] * right[i];
    }
  }

  static void divide(double[] left, double[] right, double[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] / right[i];
    }
  }

  static void remainder(double[] left, double[] right, double[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] % right[i];
    }
  }

  static void negate(double[] values, double[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = -values[i];
    }
  }

  static void abs(double[] values, double[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = Math.abs(values[i]);
    }
  }
}
