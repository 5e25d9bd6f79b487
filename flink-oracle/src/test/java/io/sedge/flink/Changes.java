package io.sedge.flink;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows with their changes, as the rows that are left when all changes are carried out. */
final class Changes {
  private Changes() {}

  /**
   * @param changes rows that begin with {@code +I}, {@code -U}, {@code +U} or {@code -D}
   * @param key of how many leading columns a {@code +U} replaces the row, if no {@code -U} has just
   *     taken it back: Flink leaves those out where it knows a key; -1 if it does not
   * @return the rows without their changes
   */
  static List<List<@Nullable Object>> carriedOut(List<List<@Nullable Object>> changes, int key) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    boolean takenBack = false;
    for (List<@Nullable Object> change : changes) {
      List<@Nullable Object> row = change.subList(1, change.size());
      if (key >= 0 && !takenBack && "+U".equals(change.getFirst())) {
        rows.removeIf(other -> other.subList(0, key).equals(row.subList(0, key)));
      }
      takenBack = "-U".equals(change.getFirst());
      if (String.valueOf(change.getFirst()).startsWith("+")) {
        rows.add(row);
      } else if (!removeLast(rows, row)) {
        throw new AssertionError("takes back a row that is not there: " + change);
      }
    }
    return rows;
  }

  private static boolean removeLast(List<List<@Nullable Object>> rows, List<@Nullable Object> row) {
    for (int i = rows.size() - 1; i >= 0; i--) {
      if (Same.rows(rows.get(i), row)) {
        rows.remove(i);
        return true;
      }
    }
    return false;
  }
}
