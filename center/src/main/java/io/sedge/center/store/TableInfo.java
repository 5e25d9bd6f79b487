package io.sedge.center.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A table of results.
 *
 * @param primaryKey the columns that the database knows a row by
 * @param rows how many rows it has, about
 * @param bytes what it takes on the disk, about
 * @param keep for how long rows are kept; empty for ever
 * @param retentionColumn whose time says how old a row is, where rows are not kept for ever
 * @param sites whose rows it has
 */
public record TableInfo(
    String name,
    List<Column> columns,
    List<String> primaryKey,
    long rows,
    long bytes,
    Optional<Duration> keep,
    Optional<String> retentionColumn,
    List<String> sites) {

  /**
   * A column.
   *
   * @param sqlType its type in this database
   * @param type its type as jobs declare it, such as {@code DECIMAL(10, 2)}; empty for the store's
   *     own columns
   */
  public record Column(String name, String sqlType, String type) {}
}
