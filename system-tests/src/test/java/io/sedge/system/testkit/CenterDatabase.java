package io.sedge.system.testkit;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the file of a center's embedded database with its driver alone, whether the center runs or
 * not: it shares no code with Sedge. Each question has a connection of its own. Any thread.
 *
 * @param file which need not be there yet
 */
public record CenterDatabase(Path file) {
  /**
   * A question whose answer is numbers.
   *
   * @throws SQLException also as long as the table is not there
   */
  public List<List<Long>> numbers(String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:file:%s?mode=ro".formatted(file));
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<List<Long>> rows = new ArrayList<>();
      while (result.next()) {
        List<Long> row = new ArrayList<>();
        for (int column = 1; column <= result.getMetaData().getColumnCount(); column++) {
          row.add(result.getLong(column));
        }
        rows.add(row);
      }
      return rows;
    }
  }

  /** The only number of an answer; 0 as long as the table is not there. */
  public long count(String sql) {
    try {
      return numbers(sql).getFirst().getFirst();
    } catch (SQLException e) {
      return 0;
    }
  }
}
