package io.sedge.center.store.internal;

import static io.sedge.center.store.internal.Dialect.quote;

import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.ChangeKind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the rows of one stream's blocks into its table. A table without a key takes each row as
 * one of its own; in a table with a key the last change of each key in a block counts, which is
 * what the table would have come to.
 */
final class BlockWriter {
  /** Where the generation of a stream begins in a row's sequence. */
  static final int GENERATION_SHIFT = 48;

  private final Dialect dialect;
  private final Repairs repairs;
  private final Connection connection;
  private final StreamPlan plan;
  private final TableShape shape;
  private final int generation;
  private final int[] targets;
  private final int[] keyColumns;
  private long rejected;

  BlockWriter(
      Dialect dialect,
      Repairs repairs,
      Connection connection,
      StreamPlan plan,
      TableShape shape,
      int generation)
      throws StoreException {
    this.dialect = dialect;
    this.repairs = repairs;
    this.connection = connection;
    this.plan = plan;
    this.shape = shape;
    this.generation = generation;
    this.targets = new int[plan.schema().size()];
    for (int i = 0; i < targets.length; i++) {
      targets[i] = shape.indexOf(plan.schema().name(i));
      if (targets[i] < 0) {
        throw new StoreException(
            Reason.SCHEMA_REFUSED,
            "table %s has no column %s: open the stream anew"
                .formatted(shape.name(), plan.schema().name(i)));
      }
    }
    this.keyColumns = shape.key().stream().mapToInt(name -> plan.schema().indexOf(name)).toArray();
    if (Arrays.stream(keyColumns).anyMatch(column -> column < 0)) {
      throw new StoreException(
          Reason.SCHEMA_REFUSED,
          "table %s has the primary key %s, which job %s does not have: open the stream anew"
              .formatted(shape.name(), String.join(", ", shape.key()), plan.job()));
    }
  }

  /** How many rows were left out because a column of their key was NULL. */
  long rejected() {
    return rejected;
  }

  void write(Append.Block block) throws SQLException, StoreException {
    Batch batch = block.batch();
    Cells[] cells = new Cells[batch.width()];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = dialect.cells(shape.declared().type(targets[i]), batch.column(i), repairs);
    }
    if (shape.key().isEmpty()) {
      refuseRemovals(batch);
      insert(block, cells, null, batch.rows());
      return;
    }
    Changes changes = collapse(batch, cells);
    delete(cells, changes.deleted);
    insert(block, cells, changes.written, changes.written.length);
  }

  private void refuseRemovals(Batch batch) throws StoreException {
    ChangeKind[] changes = batch.changes();
    if (changes == null) {
      return;
    }
    for (ChangeKind change : changes) {
      if (change == ChangeKind.DELETE || change == ChangeKind.UPDATE_BEFORE) {
        throw new StoreException(
            Reason.SCHEMA_REFUSED,
            "rows of job %s replace others in table %s, which has no primary key: declare one in the job and give it a table of another name"
                .formatted(plan.job(), shape.name()));
      }
    }
  }

  /** The rows that are to be written and those whose keys are to go. */
  @SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
  private record Changes(int[] written, int[] deleted) {}

  private Changes collapse(Batch batch, Cells[] cells) {
    Map<List<Object>, Integer> last = new HashMap<>();
    for (int row = 0; row < batch.rows(); row++) {
      if (batch.change(row) == ChangeKind.UPDATE_BEFORE) {
        continue;
      }
      List<Object> key = key(cells, row);
      if (key == null) {
        rejected++;
      } else {
        last.put(key, row);
      }
    }
    int[] rows = last.values().stream().mapToInt(Integer::intValue).sorted().toArray();
    return new Changes(
        Arrays.stream(rows).filter(row -> batch.change(row) != ChangeKind.DELETE).toArray(),
        Arrays.stream(rows).filter(row -> batch.change(row) == ChangeKind.DELETE).toArray());
  }

  private @Nullable List<Object> key(Cells[] cells, int row) {
    List<Object> key = new ArrayList<>(keyColumns.length);
    for (int column : keyColumns) {
      Object part = cells[column].key(row);
      if (part == null) {
        return null;
      }
      key.add(part);
    }
    return key;
  }

  private void insert(Append.Block block, Cells[] cells, int @Nullable [] rows, int count)
      throws SQLException {
    if (count == 0) {
      return;
    }
    long sequence = ((long) generation << GENERATION_SHIFT) + block.first();
    try (PreparedStatement statement = connection.prepareStatement(insertText())) {
      for (int i = 0; i < count; i++) {
        int row = rows == null ? i : rows[i];
        statement.setString(1, plan.site());
        statement.setString(2, plan.job());
        statement.setLong(3, plan.id());
        statement.setLong(4, sequence + row);
        for (int column = 0; column < cells.length; column++) {
          cells[column].bind(statement, TableNames.OWN.size() + 1 + column, row);
        }
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private void delete(Cells[] cells, int[] rows) throws SQLException {
    if (rows.length == 0) {
      return;
    }
    String key =
        shape.key().stream()
            .map(column -> " AND %s = ?".formatted(quote(column)))
            .collect(Collectors.joining());
    try (PreparedStatement statement =
        connection.prepareStatement(
            "DELETE FROM %s WHERE \"_site\" = ?%s".formatted(quote(shape.name()), key))) {
      for (int row : rows) {
        statement.setString(1, plan.site());
        for (int i = 0; i < keyColumns.length; i++) {
          cells[keyColumns[i]].bind(statement, 2 + i, row);
        }
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  private String insertText() {
    List<String> columns = new ArrayList<>(TableNames.OWN);
    columns.addAll(plan.schema().names());
    String names = columns.stream().map(Dialect::quote).collect(Collectors.joining(", "));
    String insert =
        "INSERT INTO %s (%s) VALUES (%s)"
            .formatted(
                quote(shape.name()),
                names,
                columns.stream().map(_ -> "?").collect(Collectors.joining(", ")));
    if (shape.key().isEmpty()) {
      return insert;
    }
    List<String> primaryKey = shape.primaryKey();
    return "%s ON CONFLICT (%s) DO UPDATE SET %s"
        .formatted(
            insert,
            primaryKey.stream().map(Dialect::quote).collect(Collectors.joining(", ")),
            columns.stream()
                .filter(column -> !primaryKey.contains(column))
                .map(column -> "%1$s = excluded.%1$s".formatted(quote(column)))
                .collect(Collectors.joining(", ")));
  }
}
