package io.sedge.engine.expression.internal;

/**
 * Comparisons of {@code int} arrays with arrays and with constants: one counted loop per operator.
 * The selecting ones are free of branches on the data.
 */
final class IntComparisons {
  private IntComparisons() {}

  static void compare(Comparison comparison, int[] left, int[] right, boolean[] result, int rows) {
    switch (comparison) {
      case EQUAL -> equal(left, right, result, rows);
      case NOT_EQUAL -> notEqual(left, right, result, rows);
      case LESS -> less(left, right, result, rows);
      case LESS_OR_EQUAL -> lessOrEqual(left, right, result, rows);
      case GREATER -> less(right, left, result, rows);
      case GREATER_OR_EQUAL -> lessOrEqual(right, left, result, rows);
    }
  }

  /** The rows among 0 to {@code rows - 1} that compare true with a constant. */
  static int select(Comparison comparison, int[] values, int constant, int[] selected, int rows) {
    return switch (comparison) {
      case EQUAL -> selectEqual(values, constant, selected, rows);
      case NOT_EQUAL -> selectNotEqual(values, constant, selected, rows);
      case LESS -> selectLess(values, constant, selected, rows);
      case LESS_OR_EQUAL -> selectLessOrEqual(values, constant, selected, rows);
      case GREATER -> selectGreater(values, constant, selected, rows);
      case GREATER_OR_EQUAL -> selectGreaterOrEqual(values, constant, selected, rows);
    };
  }

  /** Keeps those of the selected rows that compare true with a constant. */
  static int refine(Comparison comparison, int[] values, int constant, int[] selected, int count) {
    return switch (comparison) {
      case EQUAL -> refineEqual(values, constant, selected, count);
      case NOT_EQUAL -> refineNotEqual(values, constant, selected, count);
      case LESS -> refineLess(values, constant, selected, count);
      case LESS_OR_EQUAL -> refineLessOrEqual(values, constant, selected, count);
      case GREATER -> refineGreater(values, constant, selected, count);
      case GREATER_OR_EQUAL -> refineGreaterOrEqual(values, constant, selected, count);
    };
  }

  private static void equal(int[] left, int[] right, boolean[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] == right[i];
    }
  }

  private static void notEqual(int[] left, int[] right, boolean[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] != right[i];
    }
  }

  private static void less(int[] left, int[] right, boolean[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] < right[i];
    }
  }

  private static void lessOrEqual(int[] left, int[] right, boolean[] result, int rows) {
    for (int i = 0; i < rows; i++) {
      result[i] = left[i] <= right[i];
    }
  }

  private static int selectEqual(int[] values, int constant, int[] selected, int rows) {
    int count = 0;
    for (int i = 0; i < rows; i++) {
      selected[count] = i;
      count += values[i] == constant ? 1 : 0;
    }
    return count;
  }

  private static int selectNotEqual(int[] values, int constant, int[] selected, int rows) {
    int count = 0;
    for (int i = 0; i < rows; i++) {
      selected[count] = i;
      count += values[i] != constant ? 1 : 0;
    }
    return count;
  }

  private static int selectLess(int[] values, int constant, int[] selected, int rows) {
    int count = 0;
    for (int i = 0; i < rows; i++) {
      selected[count] = i;
      count += values[i] < constant ? 1 : 0;
    }
    return count;
  }

  private static int selectLessOrEqual(int[] values, int constant, int[] selected, int rows) {
    int count = 0;
    for (int i = 0; i < rows; i++) {
      selected[count] = i;
      count += values[i] <= constant ? 1 : 0;
    }
    return count;
  }

  private static int selectGreater(int[] values, int constant, int[] selected, int rows) {
    int count = 0;
    for (int i = 0; i < rows; i++) {
      selected[count] = i;
      count += values[i] > constant ? 1 : 0;
    }
    return count;
  }

  private static int selectGreaterOrEqual(int[] values, int constant, int[] selected, int rows) {
    int count = 0;
    for (int i = 0; i < rows; i++) {
      selected[count] = i;
      count += values[i] >= constant ? 1 : 0;
    }
    return count;
  }

  private static int refineEqual(int[] values, int constant, int[] selected, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int row = selected[i];
      selected[kept] = row;
      kept += values[row] == constant ? 1 : 0;
    }
    return kept;
  }

  private static int refineNotEqual(int[] values, int constant, int[] selected, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int row = selected[i];
      selected[kept] = row;
      kept += values[row] != constant ? 1 : 0;
    }
    return kept;
  }

  private static int refineLess(int[] values, int constant, int[] selected, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int row = selected[i];
      selected[kept] = row;
      kept += values[row] < constant ? 1 : 0;
    }
    return kept;
  }

  private static int refineLessOrEqual(int[] values, int constant, int[] selected, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int row = selected[i];
      selected[kept] = row;
      kept += values[row] <= constant ? 1 : 0;
    }
    return kept;
  }

  private static int refineGreater(int[] values, int constant, int[] selected, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int row = selected[i];
      selected[kept] = row;
      kept += values[row] > constant ? 1 : 0;
    }
    return kept;
  }

  private static int refineGreaterOrEqual(int[] values, int constant, int[] selected, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int row = selected[i];
      selected[kept] = row;
      kept += values[row] >= constant ? 1 : 0;
    }
    return kept;
  }
}
