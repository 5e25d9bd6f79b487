package io.sedge.center.store.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.DecimalColumn;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.type.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/** Keeps {@link RollUp}s up to date, with the rows. One thread. */
final class RollUpWriter {
  private static final long BUCKET_MICROS = TimeUnit.MILLISECONDS.toMicros(RollUp.BUCKET_MILLIS);

  /** The ids of lines by table, column and group; what is not committed is forgotten. */
  private final Map<Line, Long> ids = new HashMap<>();

  /** How many lines a table and column have. */
  private final Map<String, Long> counts = new HashMap<>();

  private record Line(String table, String column, String group) {}

  private record Bucket(Line line, long bucket) {}

  private static final class Sum {
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    double total;
    long count;

    void add(double value) {
      least = Math.min(least, value);
      greatest = Math.max(greatest, value);
      total += value;
      count++;
    }
  }

  /** A transaction was taken back. */
  void forget() {
    ids.clear();
    counts.clear();
  }

  /** Adds the rows of blocks; false if the table has too many lines. */
  boolean add(Connection connection, StreamPlan plan, TableShape shape, List<Append.Block> blocks)
      throws SQLException {
    RollUp rollUp = shape.rollUp();
    if (rollUp == null || plan.schema().indexOf(rollUp.time()) < 0) {
      return true;
    }
    Map<Bucket, Sum> sums = new HashMap<>();
    for (Append.Block block : blocks) {
      sum(plan, rollUp, block.batch(), sums);
    }
    return write(connection, sums);
  }

  private static void sum(StreamPlan plan, RollUp rollUp, Batch batch, Map<Bucket, Sum> sums) {
    LongColumn times = (LongColumn) batch.column(plan.schema().indexOf(rollUp.time()));
    Column[] groups =
        rollUp.groups().stream()
            .map(plan.schema()::indexOf)
            .map(at -> at < 0 ? null : batch.column(at))
            .toArray(Column[]::new);
    Map<List<@Nullable String>, String> texts = new HashMap<>();
    String[] keys = new String[batch.rows()];
    for (int row = 0; row < keys.length; row++) {
      List<@Nullable String> key = new ArrayList<>(groups.length);
      for (Column group : groups) {
        key.add(group == null ? null : (String) group.value(row));
      }
      key.set(0, plan.site());
      keys[row] = texts.computeIfAbsent(key, Schemas::text);
    }
    for (int column = 0; column < batch.width(); column++) {
      Kind kind = plan.schema().type(column).kind();
      if (kind.isNumeric()) {
        sum(plan, column, batch.column(column), times, keys, sums);
      }
    }
  }

  private static void sum(
      StreamPlan plan,
      int position,
      Column column,
      LongColumn times,
      String[] keys,
      Map<Bucket, Sum> sums) {
    String name = plan.schema().name(position);
    Cells.DoubleSource values = values(column);
    for (int row = 0; row < keys.length; row++) {
      if (column.isNull(row) || times.isNull(row)) {
        continue;
      }
      double value = values.get(row);
      if (!Double.isNaN(value)) {
        long bucket = Math.floorDiv(times.values()[row], BUCKET_MICROS);
        sums.computeIfAbsent(
                new Bucket(new Line(plan.table(), name, keys[row]), bucket), _ -> new Sum())
            .add(value);
      }
    }
  }

  private static Cells.DoubleSource values(Column column) {
    return switch (column) {
      case DoubleColumn _, FloatColumn _ -> Cells.doubles(column);
      case DecimalColumn _ -> row -> Cells.decimal(column, row).doubleValue();
      default -> {
        IntToLongFunction source = Cells.longs(column);
        yield source::applyAsLong;
      }
    };
  }

  private boolean write(Connection connection, Map<Bucket, Sum> sums) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO sedge_rollup (series, bucket, least, greatest, total, row_count)"
                + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (series, bucket) DO UPDATE SET"
                + " least = CASE WHEN excluded.least < sedge_rollup.least"
                + " THEN excluded.least ELSE sedge_rollup.least END,"
                + " greatest = CASE WHEN excluded.greatest > sedge_rollup.greatest"
                + " THEN excluded.greatest ELSE sedge_rollup.greatest END,"
                + " total = sedge_rollup.total + excluded.total,"
                + " row_count = sedge_rollup.row_count + excluded.row_count")) {
      for (Map.Entry<Bucket, Sum> each : sums.entrySet()) {
        long id = id(connection, each.getKey().line());
        if (id < 0) {
          return false;
        }
        Sum sum = each.getValue();
        statement.setLong(1, id);
        statement.setLong(2, each.getKey().bucket());
        statement.setDouble(3, sum.least);
        statement.setDouble(4, sum.greatest);
        statement.setDouble(5, sum.total);
        statement.setLong(6, sum.count);
        statement.addBatch();
      }
      statement.executeBatch();
    }
    return true;
  }

  /** The id of a line, made if it is new; -1 if there are too many. */
  private long id(Connection connection, Line line) throws SQLException {
    Long known = ids.get(line);
    if (known != null) {
      return known;
    }
    Long id = find(connection, line);
    if (id == null) {
      String column = line.table() + '.' + line.column();
      Long count = counts.get(column);
      if (count == null) {
        count = count(connection, line);
      }
      if (count >= RollUp.MAX_SERIES) {
        return -1;
      }
      counts.put(column, count + 1);
      id = insert(connection, line);
    }
    ids.put(line, id);
    return id;
  }

  private static @Nullable Long find(Connection connection, Line line) throws SQLException {
    return one(
        connection,
        "SELECT id FROM sedge_rollup_series WHERE result_table = ? AND value_column = ?"
            + " AND group_values = ?",
        line.table(),
        line.column(),
        line.group());
  }

  private static long insert(Connection connection, Line line) throws SQLException {
    Long id =
        one(
            connection,
            "INSERT INTO sedge_rollup_series (result_table, value_column, group_values)"
                + " VALUES (?, ?, ?) RETURNING id",
            line.table(),
            line.column(),
            line.group());
    if (id == null) {
      throw new SQLException("a line of a roll-up has no id");
    }
    return id;
  }

  private static long count(Connection connection, Line line) throws SQLException {
    Long count =
        one(
            connection,
            "SELECT count(*) FROM sedge_rollup_series WHERE result_table = ? AND value_column = ?",
            line.table(),
            line.column());
    return count == null ? 0 : count;
  }

  private static @Nullable Long one(Connection connection, String sql, String... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setString(i + 1, values[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : null;
      }
    }
  }

  /** Takes a table's roll-up away for good. */
  static void drop(Connection connection, String table) throws SQLException {
    for (String sql :
        List.of(
            "DELETE FROM sedge_rollup WHERE series IN"
                + " (SELECT id FROM sedge_rollup_series WHERE result_table = ?)",
            "DELETE FROM sedge_rollup_series WHERE result_table = ?",
            "UPDATE sedge_table SET rollup = NULL WHERE name = ?")) {
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        statement.setString(1, table);
        statement.executeUpdate();
      }
    }
  }
}
