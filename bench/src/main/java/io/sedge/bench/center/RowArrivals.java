package io.sedge.bench.center;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks into a center's database file, again and again, for how long after the end of a window its
 * rows are there. Devices and center have one clock: they are on one machine. What it tells is too
 * long by the pause between two looks at most. One thread.
 */
final class RowArrivals implements AutoCloseable {
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /**
   * Windows that ended earlier are not looked for, so that a look is short however many there are.
   */
  private static final int LOOK_BACK_SECONDS = 60;

  private final Connection connection;
  private final Map<String, Instant> latest = new HashMap<>();
  private final List<Long> nanos = new ArrayList<>();

  /**
   * @param file of the database
   */
  RowArrivals(Path file) throws SQLException {
    this.connection = DriverManager.getConnection("jdbc:sqlite:file:%s?mode=ro".formatted(file));
  }

  /** Looks for a while; the first window of each site counts only from its second look on. */
  void watch(int seconds) throws SQLException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (System.nanoTime() < deadline) {
      look();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void look() throws SQLException {
    Instant since = Instant.now().minusSeconds(LOOK_BACK_SECONDS);
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT _site, max(window_end) FROM windows WHERE window_end > '%s' GROUP BY _site"
                    .formatted(text(since)))) {
      while (rows.next()) {
        Instant end =
            LocalDateTime.parse(rows.getString(2).replace(' ', 'T')).toInstant(ZoneOffset.UTC);
        Instant before = latest.put(rows.getString(1), end);
        if (before != null && !before.equals(end)) {
          nanos.add(ChronoUnit.NANOS.between(end, Instant.now()));
        }
      }
    }
  }

  /** As the database has it. */
  private static String text(Instant time) {
    return LocalDateTime.ofInstant(time, ZoneOffset.UTC).toString().replace('T', ' ');
  }

  /** How long it took, in nanoseconds, the shortest first. */
  List<Long> sorted() {
    Collections.sort(nanos);
    return List.copyOf(nanos);
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
