package io.sedge.division;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.ChangeKind;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a table holds in the end: its rows, whatever order they came in, and how often each. */
class Results {
  private final Map<String, Integer> rows = new TreeMap<>();
  private long added;

  void add(Batch batch) {
    ChangeKind[] changes = batch.changes();
    for (int row = 0; row < batch.rows(); row++) {
      ChangeKind change = changes == null ? ChangeKind.INSERT : changes[row];
      int times =
          switch (change) {
            case INSERT, UPDATE_AFTER -> 1;
            case UPDATE_BEFORE, DELETE -> -1;
          };
      added++;
      rows.merge(batch.row(row).toString(), times, Results::sum);
    }
  }

  /** Null, which removes the entry, where nothing is left of a row. */
  private static @Nullable Integer sum(Integer one, Integer other) {
    int sum = one + other;
    return sum == 0 ? null : Integer.valueOf(sum);
  }

  Map<String, Integer> rows() {
    return rows;
  }

  /** How many rows came, changes included. */
  long added() {
    return added;
  }
}
