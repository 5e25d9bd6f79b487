package io.sedge.cli.internal.output;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.ChangeKind;
import io.sedge.task.StandingRows;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a live table shows of a query. One of three:
 *
 * <ul>
 *   <li>The latest row per name, where the result only grows and has string columns: the name is
 *       the first string column and those that follow it at once. Sorted by name, so a row keeps
 *       its place.
 *   <li>The result as it stands, where it is updating: an update takes the place of what it
 *       replaces.
 *   <li>The latest rows, else.
 * </ul>
 *
 * Bounded by {@link #MAX_ROWS}: of more names those not seen for the longest time go. Not
 * thread-safe.
 */
final class TableModel {
  /** How many rows are kept. */
  static final int MAX_ROWS = 1000;

  private final RowOutput.Query query;
  private final int[] nameColumns;
  private final LinkedHashMap<List<@Nullable Object>, Row> latest =
      new LinkedHashMap<>(16, 0.75f, true);
  private final List<Row> rows = new ArrayList<>();
  private final StandingRows<List<@Nullable Object>, Row> standing =
      new StandingRows<>(MAX_ROWS, Long.MAX_VALUE, _ -> 0);
  private long total;
  private long version;

  /**
   * A row.
   *
   * @param version of the model when it came: greater is newer
   */
  record Row(List<@Nullable Object> values, long version) {}

  TableModel(RowOutput.Query query) {
    this.query = query;
    this.nameColumns =
        query.updating() ? new int[0] : query.keys().stream().mapToInt(i -> i).toArray();
  }

  RowOutput.Query query() {
    return query;
  }

  /** Rows taken, shown or not. */
  long total() {
    return total;
  }

  /** Rises with every batch. */
  long version() {
    return version;
  }

  /** Rows of an updating result for which there was no place. */
  long hidden() {
    return standing.hidden();
  }

  void add(Batch batch) {
    version++;
    total += batch.rows();
    for (int row = 0; row < batch.rows(); row++) {
      if (query.updating()) {
        change(batch.change(row), new Row(batch.row(row), version));
      } else if (nameColumns.length > 0) {
        addNamed(batch, row);
      } else if (row >= batch.rows() - MAX_ROWS) {
        addTail(new Row(batch.row(row), version));
      }
    }
  }

  private void addNamed(Batch batch, int row) {
    List<@Nullable Object> name = new ArrayList<>(nameColumns.length);
    for (int column : nameColumns) {
      name.add(batch.column(column).value(row));
    }
    latest.put(name, new Row(batch.row(row), version));
    if (latest.size() > MAX_ROWS) {
      latest.pollFirstEntry();
    }
  }

  private void addTail(Row row) {
    rows.add(row);
    if (rows.size() >= 2 * MAX_ROWS) {
      rows.subList(0, rows.size() - MAX_ROWS).clear();
    }
  }

  private void change(ChangeKind change, Row row) {
    switch (change) {
      case INSERT, UPDATE_AFTER -> standing.place(row.values(), row);
      case UPDATE_BEFORE, DELETE -> standing.remove(row.values());
    }
  }

  /**
   * The rows in the order of the table.
   *
   * @param limit how many; of the latest rows the last ones are given, of others the first
   */
  List<Row> rows(int limit) {
    if (nameColumns.length > 0) {
      List<Row> sorted = new ArrayList<>(latest.values());
      sorted.sort((left, right) -> compare(left.values(), right.values()));
      return sorted.subList(0, Math.min(limit, sorted.size()));
    }
    if (query.updating()) {
      List<Row> present = standing.rows();
      return present.subList(0, Math.min(limit, present.size()));
    }
    return rows.subList(Math.max(0, rows.size() - limit), rows.size());
  }

  /** How many rows the table has. */
  int size() {
    if (query.updating()) {
      return standing.size();
    }
    return nameColumns.length > 0 ? latest.size() : rows.size();
  }

  private int compare(List<@Nullable Object> left, List<@Nullable Object> right) {
    for (int column : nameColumns) {
      int order =
          NaturalOrder.compare(String.valueOf(left.get(column)), String.valueOf(right.get(column)));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }
}
