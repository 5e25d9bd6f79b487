package io.sedge.bench.center;

import io.sedge.bench.outside.SinkTail;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The rows of a {@link FleetQuery}.
 *
 * @param byKey machine and window's end, to the values that follow, as text; the first is a count
 */
record MergedRows(Map<String, List<String>> byKey) {
  /**
   * How rows differ.
   *
   * @param counts windows whose count is another, or that only one side has
   * @param numbers the largest difference of any other value, relative to the greater one
   */
  record Difference(int counts, double numbers) {}

  /** What a center has, which may not have the table yet. */
  static MergedRows inDatabase(Path file, FleetQuery query) throws SQLException {
    Map<String, List<String>> rows = new HashMap<>();
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:file:%s?mode=ro".formatted(file));
        Statement statement = connection.createStatement()) {
      if (!isThere(statement, query)) {
        return new MergedRows(rows);
      }
      List<String> columns = query.columns();
      try (ResultSet row =
          statement.executeQuery(
              "SELECT %s FROM %s".formatted(String.join(", ", columns), query.name()))) {
        while (row.next()) {
          String[] values = new String[columns.size()];
          for (int column = 0; column < values.length; column++) {
            values[column] = row.getString(column + 1);
          }
          put(rows, values);
        }
      }
    }
    return new MergedRows(rows);
  }

  private static boolean isThere(Statement statement, FleetQuery query) throws SQLException {
    try (ResultSet found =
        statement.executeQuery(
            "SELECT 1 FROM sqlite_master WHERE name = '%s'".formatted(query.name()))) {
      return found.next();
    }
  }

  /** What a job has written to a directory, in CSV. */
  static MergedRows inFiles(Path directory) throws IOException {
    Map<String, List<String>> rows = new HashMap<>();
    for (String line : SinkTail.all(directory)) {
      put(rows, line.replace("\"", "").split(",", -1));
    }
    return new MergedRows(rows);
  }

  private static void put(Map<String, List<String>> rows, String[] values) {
    // Whole minutes, which one side writes with milliseconds.
    String end = values[1].replace('T', ' ').substring(0, "2026-01-01 00:00".length());
    if (rows.put(values[0] + " " + end, Arrays.asList(values).subList(2, values.length)) != null) {
      throw new IllegalStateException("two rows of machine %s at %s".formatted(values[0], end));
    }
  }

  int windows() {
    return byKey.size();
  }

  /** The sum of all counts. */
  long readings() {
    return byKey.values().stream().mapToLong(values -> Long.parseLong(values.getFirst())).sum();
  }

  Difference difference(MergedRows expected) {
    int counts = 0;
    double numbers = 0;
    for (Map.Entry<String, List<String>> row : byKey.entrySet()) {
      List<String> values = row.getValue();
      List<String> others = expected.byKey.get(row.getKey());
      if (others == null || !Objects.equals(others.getFirst(), values.getFirst())) {
        counts++;
        continue;
      }
      for (int column = 1; column < values.size(); column++) {
        double one = Double.parseDouble(values.get(column));
        double other = Double.parseDouble(others.get(column));
        double greater = Math.max(Math.abs(one), Math.abs(other));
        numbers = Math.max(numbers, greater == 0 ? 0 : Math.abs(one - other) / greater);
      }
    }
    long missing = expected.byKey.keySet().stream().filter(key -> !byKey.containsKey(key)).count();
    return new Difference(counts + Math.toIntExact(missing), numbers);
  }
}
