package io.sedge.cli.internal.connect;

import java.util.List;
import java.util.stream.Collectors;

/** How a script of found tables ends. */
final class Queries {
  private Queries() {}

  /**
   * A script with a query of each table.
   *
   * @param statements that declare the tables
   * @param tables by their names in statements; the first query runs, the others are comments
   */
  static String after(String statements, List<String> tables) {
    return tables.stream()
        .map(table -> "SELECT * FROM " + table + ";\n")
        .collect(Collectors.joining("-- ", statements, ""));
  }
}
