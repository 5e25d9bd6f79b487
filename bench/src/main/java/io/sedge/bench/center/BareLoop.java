package io.sedge.bench.center;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * A loop over JDBC that does what a store must at least: rows with the upsert key that a store has
 * for a table with the key (window_end, sensor), and an index on the time; each commit is on the
 * disk before the next.
 *
 * @param name of the database
 * @param url with user and password
 * @param timeType of a time
 * @param suffix of a table
 */
record BareLoop(String name, String url, String timeType, String suffix) {
  private static final String TEXT = "TEXT";
  private static final String SITE = "north";

  static BareLoop sqlite(Path file) {
    return new BareLoop(
        "SQLite",
        "jdbc:sqlite:%s?journal_mode=WAL&synchronous=FULL&page_size=8192&cache_size=-65536"
            .formatted(file),
        TEXT,
        " WITHOUT ROWID");
  }

  /** WRITE_DELAY 0: a commit of H2 waits for the disk as well. */
  static BareLoop h2(Path file) {
    return new BareLoop(
        "H2", "jdbc:h2:file:%s;WRITE_DELAY=0;MODE=PostgreSQL".formatted(file), "TIMESTAMP(3)", "");
  }

  static BareLoop postgres(String url, String user, String password) {
    return new BareLoop(
        "PostgreSQL",
        "%s?user=%s&password=%s&reWriteBatchedInserts=true".formatted(url, user, password),
        "TIMESTAMP(3)",
        "");
  }

  /**
   * Writes rows into a table that is not there yet.
   *
   * @return how many in a second
   */
  double run(String table, int rows) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(
          ("CREATE TABLE %s (_site VARCHAR(63) NOT NULL, _seq BIGINT NOT NULL, window_end %s NOT"
               + " NULL, sensor VARCHAR(63) NOT NULL, average DOUBLE PRECISION, PRIMARY KEY (_site,"
               + " window_end, sensor))%s")
              .formatted(table, timeType, suffix));
      statement.execute("CREATE INDEX %1$s_time ON %1$s (window_end)".formatted(table));
      connection.setAutoCommit(false);
      long begin = System.nanoTime();
      try (PreparedStatement insert = connection.prepareStatement(upsert(table))) {
        for (int row = 0; row < rows; row++) {
          bind(insert, row);
          insert.addBatch();
          if ((row + 1) % WindowRows.BLOCK == 0 || row + 1 == rows) {
            insert.executeBatch();
            connection.commit();
          }
        }
      }
      return rows / ((System.nanoTime() - begin) / 1e9);
    }
  }

  private String upsert(String table) {
    return name.equals("H2")
        ? "MERGE INTO %s KEY (_site, window_end, sensor) VALUES (?, ?, ?, ?, ?)".formatted(table)
        : ("INSERT INTO %s VALUES (?, ?, ?, ?, ?) ON CONFLICT (_site, window_end, sensor)"
                + " DO UPDATE SET _seq = excluded._seq, average = excluded.average")
            .formatted(table);
  }

  private void bind(PreparedStatement insert, int row) throws SQLException {
    LocalDateTime time = LocalDateTime.ofInstant(WindowRows.time(row), ZoneOffset.UTC);
    insert.setString(1, SITE);
    insert.setLong(2, row + 1);
    if (timeType.equals(TEXT)) {
      insert.setString(3, time.toString());
    } else {
      insert.setObject(3, time, Types.TIMESTAMP);
    }
    insert.setString(4, WindowRows.sensor(row));
    insert.setDouble(5, WindowRows.average(row));
  }
}
