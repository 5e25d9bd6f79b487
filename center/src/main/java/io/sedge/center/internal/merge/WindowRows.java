package io.sedge.center.internal.merge;

import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a window, by their key. Of rows of equal keys the last counts, as in the table; a row
 * with a key that is NULL in part is left out, as there. Immutable.
 */
final class WindowRows {
  private final TableDescriptor table;
  private final Map<List<@Nullable Object>, List<@Nullable Object>> rows;
  private final long withoutKey;

  private WindowRows(
      TableDescriptor table,
      Map<List<@Nullable Object>, List<@Nullable Object>> rows,
      long withoutKey) {
    this.table = table;
    this.rows = rows;
    this.withoutKey = withoutKey;
  }

  static WindowRows of(TableDescriptor table, List<Batch> batches) {
    Map<List<@Nullable Object>, List<@Nullable Object>> rows = new LinkedHashMap<>();
    long withoutKey = 0;
    for (Batch batch : batches) {
      for (int i = 0; i < batch.rows(); i++) {
        List<@Nullable Object> row = new ArrayList<>(batch.row(i));
        List<@Nullable Object> key = new ArrayList<>();
        table.primaryKey().forEach(column -> key.add(row.get(column)));
        if (key.contains(null)) {
          withoutKey++;
        } else {
          rows.put(key, row);
        }
      }
    }
    return new WindowRows(table, rows, withoutKey);
  }

  /** How many rows were left out. */
  long withoutKey() {
    return withoutKey;
  }

  /**
   * What makes a table have these rows, in batches.
   *
   * @param present the keys of the rows that it has of the window
   */
  List<Batch> changes(Set<List<Object>> present) {
    List<Batch> batches = new ArrayList<>();
    BatchBuilder builder = new BatchBuilder(table.schema());
    for (List<Object> key : present) {
      if (!rows.containsKey(key)) {
        for (int i = 0; i < key.size(); i++) {
          builder.column(table.primaryKey().get(i)).add(key.get(i));
        }
        end(builder, ChangeKind.DELETE, batches);
      }
    }
    rows.forEach(
        (key, row) -> {
          for (int i = 0; i < row.size(); i++) {
            builder.column(i).add(row.get(i));
          }
          end(
              builder,
              present.contains(key) ? ChangeKind.UPDATE_AFTER : ChangeKind.INSERT,
              batches);
        });
    if (builder.rows() > 0) {
      batches.add(builder.build());
    }
    return batches;
  }

  private static void end(BatchBuilder builder, ChangeKind change, List<Batch> batches) {
    builder.endRow(change);
    if (builder.isFull()) {
      batches.add(builder.build());
    }
  }
}
