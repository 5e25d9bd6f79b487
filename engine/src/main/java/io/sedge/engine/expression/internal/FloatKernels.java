package io.sedge.engine.expression.internal;

/**
 * Arithmetic over {@code float} arrays: one counted loop per operator, so that the JIT vectorizes
 * it.
 */
final class FloatKernels {
  private FloatKernels() {}

  /** A binary operator over the first {@code rows} entries. */
  @FunctionalInterface
  interface Kernel {
    void run(float[] left, float[] right, float[] result, int rows);
  }

  static void add(float[] left, float[] right, float[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] + right[i];
    }
  }

  static void subtract(float[] left, float[] right, float[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] - right[i];
    }
  }

  static void multiply(float[] left, float[] right, float[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] * right[i];
    }
  }

  static void divide(float[] left, float[] right, float[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] / right[i];
    }
  }

  static void remainder(float[] left, float[] right, float[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] % right[i];
    }
  }

  static void negate(float[] values, float[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = -values[i];
    }
  }

  static void abs(float[] values, float[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = Math.abs(values[i]);
    }
  }
}
