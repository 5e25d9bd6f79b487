package io.sedge.bench.connectors;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/**
 * A process with a loop over JDBC that writes the rows of {@link JdbcBenchmark} in batches, each a
 * transaction: {@code UpsertLoop URL TABLE WARMUP ROWS}. It says how many rows it wrote in a
 * second.
 */
final class UpsertLoop {
  static final String RATE = "rows a second: ";

  /** As large as part center's. */
  private static final int BATCH = 4_096;

  private UpsertLoop() {}

  public static void main(String[] args) throws SQLException {
    String url = args[0] + (args[0].contains("postgresql") ? "&reWriteBatchedInserts=true" : "");
    try (Connection connection = DriverManager.getConnection(url)) {
      connection.setAutoCommit(false);
      write(connection, args[1], Integer.parseInt(args[2]));
      int rows = Integer.parseInt(args[3]);
      long begin = System.nanoTime();
      write(connection, args[1], rows);
      System.out.printf(Locale.ROOT, RATE + "%.0f%n", rows / ((System.nanoTime() - begin) / 1e9));
    }
  }

  private static void write(Connection connection, String table, int rows) throws SQLException {
    String upsert =
        "INSERT INTO %s VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET sensor = excluded.sensor, v = excluded.v"
            .formatted(table);
    try (PreparedStatement insert = connection.prepareStatement(upsert)) {
      for (int row = 0; row < rows; row++) {
        int id = row % JdbcBenchmark.KEYS;
        insert.setInt(1, id);
        insert.setString(2, "sensor-" + id);
        insert.setDouble(3, row / 8.0);
        insert.addBatch();
        if ((row + 1) % BATCH == 0 || row + 1 == rows) {
          insert.executeBatch();
          connection.commit();
        }
      }
    }
  }

  /** Makes an empty table of the rows. */
  static void create(String url, String table) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS " + table);
      statement.execute(
          "CREATE TABLE %s (id INTEGER PRIMARY KEY, sensor TEXT, v DOUBLE PRECISION)"
              .formatted(table));
    }
  }

  /**
   * @throws IllegalStateException if the table has not the last row of each key
   */
  static void check(String url, String table, int rows) throws SQLException {
    double sum = 0;
    for (int row = Math.max(0, rows - JdbcBenchmark.KEYS); row < rows; row++) {
      sum += row / 8.0;
    }
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        var result = statement.executeQuery("SELECT COUNT(*), SUM(v) FROM " + table)) {
      result.next();
      if (result.getLong(1) != Math.min(rows, JdbcBenchmark.KEYS) || result.getDouble(2) != sum) {
        throw new IllegalStateException(
            "%s has %d rows, whose sum is %f and not %f"
                .formatted(table, result.getLong(1), result.getDouble(2), sum));
      }
    }
  }
}
