package io.sedge.flink;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether values of two engines are the same: equal, and for DOUBLE and FLOAT within 1e-9 relative
 * (engines add in different orders).
 */
final class Same {
  private static final double RELATIVE = 1e-9;

  private Same() {}

  static boolean rows(List<? extends @Nullable Object> a, List<? extends @Nullable Object> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!values(a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * What differs between two results, whose order does not count.
   *
   * @return lines for people; empty if nothing differs
   */
  static List<String> inAnyOrder(
      List<List<@Nullable Object>> flink, List<List<@Nullable Object>> sedge) {
    List<List<@Nullable Object>> surplus = new ArrayList<>(sedge);
    List<String> lines = new ArrayList<>();
    for (List<@Nullable Object> row : flink) {
      boolean found = false;
      for (int i = 0; i < surplus.size() && !found; i++) {
        if (rows(row, surplus.get(i))) {
          surplus.remove(i);
          found = true;
        }
      }
      if (!found) {
        lines.add("only Flink: " + row);
      }
    }
    for (List<@Nullable Object> row : surplus) {
      lines.add("only Sedge: " + row);
    }
    lines.sort(Comparator.comparing(line -> line.substring("only Flink".length())));
    return lines;
  }

  /** As {@link #inAnyOrder}, where the order counts. */
  static List<String> inOrder(
      List<List<@Nullable Object>> flink, List<List<@Nullable Object>> sedge) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < Math.max(flink.size(), sedge.size()); i++) {
      List<@Nullable Object> a = i < flink.size() ? flink.get(i) : List.of();
      List<@Nullable Object> b = i < sedge.size() ? sedge.get(i) : List.of();
      if (!rows(a, b)) {
        lines.add("row %d, Flink: %s, Sedge: %s".formatted(i, a, b));
      }
    }
    return lines;
  }

  private static boolean values(@Nullable Object a, @Nullable Object b) {
    if (a instanceof Double x && b instanceof Double y) {
      return x.equals(y)
          || x.doubleValue() == y.doubleValue()
          || Math.abs(x - y) <= RELATIVE * Math.max(Math.abs(x), Math.abs(y));
    }
    if (a instanceof BigDecimal x && b instanceof BigDecimal y) {
      return x.compareTo(y) == 0 && x.scale() == y.scale();
    }
    if (a instanceof List<?> x && b instanceof List<?> y) {
      return rows(x, y);
    }
    return Objects.equals(a, b);
  }
}
