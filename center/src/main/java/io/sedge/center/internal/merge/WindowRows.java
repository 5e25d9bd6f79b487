package io.sedge.center.internal.merge;

import io.sedge.connector.TableDescriptor;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a window, by their key. Of rows of equal keys the last counts, as in the table; a row
 * with a key that is NULL in part is left out, as there. Immutable.
 */
final class WindowRows {
  private final TableDescriptor table;
  private final Map<List<@Nullable Object>, List<@Nullable Object>> rows;

  private WindowRows(
      TableDescriptor table, Map<List<@Nullable Object>, List<@Nullable Object>> rows) {
    this.table = table;
    this.rows = rows;
  }

  static WindowRows none(TableDescriptor table) {
    return new WindowRows(table, Map.of());
  }

  static WindowRows of(TableDescriptor table, List<Batch> batches) {
    Map<List<@Nullable Object>, List<@Nullable Object>> rows = new LinkedHashMap<>();
    for (Batch batch : batches) {
      for (int i = 0; i < batch.rows(); i++) {
        List<@Nullable Object> row = new ArrayList<>(batch.row(i));
        List<@Nullable Object> key = new ArrayList<>();
        table.primaryKey().forEach(column -> key.add(row.get(column)));
        if (!key.contains(null)) {
          rows.put(key, row);
        }
      }
    }
    return new WindowRows(table, rows);
  }

  int size() {
    return rows.size();
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  byte[] encode(RowsCodec codec) {
    BatchBuilder builder = new BatchBuilder(table.schema());
    rows.values().forEach(row -> builder.addRow(row.toArray()));
    return codec.encode(List.of(builder.build()));
  }

  /** What turns other rows of the window into these, in batches; none if nothing does. */
  List<Batch> changesFrom(WindowRows before) {
    List<Batch> batches = new ArrayList<>();
    BatchBuilder builder = new BatchBuilder(table.schema());
    before.rows.forEach(
        (key, row) -> {
          if (!rows.containsKey(key)) {
            add(builder, row, ChangeKind.DELETE, batches);
          }
        });
    rows.forEach(
        (key, row) -> {
          List<@Nullable Object> old = before.rows.get(key);
          if (old == null) {
            add(builder, row, ChangeKind.INSERT, batches);
          } else if (!old.equals(row)) {
            add(builder, row, ChangeKind.UPDATE_AFTER, batches);
          }
        });
    if (builder.rows() > 0) {
      batches.add(builder.build());
    }
    return batches;
  }

  private static void add(
      BatchBuilder builder, List<@Nullable Object> row, ChangeKind change, List<Batch> batches) {
    for (int i = 0; i < row.size(); i++) {
      builder.column(i).add(row.get(i));
    }
    builder.endRow(change);
    if (builder.isFull()) {
      batches.add(builder.build());
    }
  }
}
