package io.sedge.center.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table of results.
 *
 * @param rows about how many
 * @param bytes about what it takes on the disk
 * @param keepSeconds for how long rows are kept; absent for ever
 * @param keepBy the column whose time says how old a row is
 * @param sites whose rows it has
 */
public record TableReport(
    String name,
    List<Column> columns,
    List<String> primaryKey,
    long rows,
    long bytes,
    @Nullable Long keepSeconds,
    @Nullable String keepBy,
    List<String> sites) {

  /**
   * A column.
   *
   * @param sqlType its type in the database
   * @param type its type as jobs declare it; empty for the center's own columns
   */
  public record Column(String name, String sqlType, String type) {}
}
