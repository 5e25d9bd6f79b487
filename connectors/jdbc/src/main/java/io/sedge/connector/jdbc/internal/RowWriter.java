package io.sedge.connector.jdbc.internal;

import io.sedge.connector.TableDescriptor;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows within a transaction. Where the database refuses one, the rows are halved until the
 * one that is refused stands alone; the others are written. One connection, one thread.
 */
final class RowWriter implements AutoCloseable {
  /** What becomes of a row that the database does not take. */
  @FunctionalInterface
  interface Refusals {
    void refused(Row row, SQLException why);
  }

  private final Connection connection;
  private final TableDescriptor declared;
  private final Dialect dialect;
  private final Refusals refusals;
  private final PreparedStatement write;
  private final @Nullable PreparedStatement delete;

  RowWriter(
      Connection connection,
      TableDescriptor declared,
      Dialect dialect,
      Layout layout,
      Refusals refusals)
      throws SQLException {
    this.connection = connection;
    this.declared = declared;
    this.dialect = dialect;
    this.refusals = refusals;
    List<String> key = layout.key(declared);
    if (key.isEmpty()) {
      write = connection.prepareStatement(dialect.insert(layout.table(), layout.columns()));
      delete = null;
    } else {
      write = connection.prepareStatement(dialect.upsert(layout.table(), layout.columns(), key));
      delete = connection.prepareStatement(dialect.delete(layout.table(), key));
    }
  }

  /** Writes the rows of batches in order, of each key the last one; does not commit. */
  void write(List<Rows> batches) throws SQLException {
    if (dialect == Dialect.POSTGRESQL) {
      // Else a constraint could object at the commit, where no row is to blame.
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET CONSTRAINTS ALL IMMEDIATE");
      }
    }
    List<Row> deleted = new ArrayList<>();
    List<Row> written = new ArrayList<>();
    for (Row row : lastOfEachKey(batches)) {
      if (!row.isRefused()) {
        (row.isDeleted() ? deleted : written).add(row);
      }
    }
    if (delete != null) {
      execute(delete, deleted);
    }
    execute(write, written);
  }

  private List<Row> lastOfEachKey(List<Rows> batches) {
    List<Row> all = batches.stream().flatMap(batch -> batch.rows().stream()).toList();
    if (declared.primaryKey().isEmpty()) {
      return all;
    }
    Map<List<@Nullable Object>, Row> last = new LinkedHashMap<>();
    for (Row row : all) {
      List<@Nullable Object> key = row.key(declared.primaryKey());
      last.remove(key); // So that the rows stay in their order.
      last.put(key, row);
    }
    return new ArrayList<>(last.values());
  }

  private void execute(PreparedStatement statement, List<Row> rows) throws SQLException {
    if (rows.isEmpty()) {
      return;
    }
    Savepoint before = connection.setSavepoint();
    try {
      for (Row row : rows) {
        bind(statement, row);
        statement.addBatch();
      }
      statement.executeBatch();
      connection.releaseSavepoint(before);
    } catch (SQLException e) {
      statement.clearBatch();
      if (!Failures.isRefusal(e)) {
        throw e;
      }
      connection.rollback(before);
      if (rows.size() == 1) {
        refusals.refused(rows.getFirst(), Failures.cause(e));
      } else {
        int middle = rows.size() / 2;
        execute(statement, rows.subList(0, middle));
        execute(statement, rows.subList(middle, rows.size()));
      }
    }
  }

  private void bind(PreparedStatement statement, Row row) throws SQLException {
    List<Integer> key = declared.primaryKey();
    int parameters = row.isDeleted() ? key.size() : row.values().length;
    for (int i = 0; i < parameters; i++) {
      Object value = row.values()[row.isDeleted() ? key.get(i) : i];
      if (value == null) {
        statement.setNull(i + 1, Types.NULL);
      } else {
        statement.setObject(i + 1, value);
      }
    }
  }

  @Override
  public void close() throws SQLException {
    write.close();
    if (delete != null) {
      delete.close();
    }
  }
}
