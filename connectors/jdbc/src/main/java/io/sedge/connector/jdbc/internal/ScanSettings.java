package io.sedge.connector.jdbc.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.TableDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a source reads, and how.
 *
 * @param path the table in the database: {@code schema.table}
 * @param fetched how many rows the driver fetches at once
 * @param patience for how long a database may be away
 * @param range the rows that are read; empty for all
 */
record ScanSettings(
    TableDescriptor table,
    ConnectorContext context,
    Database database,
    String path,
    int fetched,
    Duration patience,
    Optional<KeyRange> range) {
  /** The same for a part of the rows. */
  ScanSettings only(KeyRange part) {
    return new ScanSettings(table, context, database, path, fetched, patience, Optional.of(part));
  }

  /** What messages begin with: {@code table results: PostgreSQL at plant:5432/results}. */
  String subject() {
    return "table %s: %s".formatted(table.name(), database);
  }

  /** Whether a row is known by its key, so that reading can go on behind it. */
  boolean isKeyed() {
    return !table.primaryKey().isEmpty();
  }

  /**
   * The columns that rows are ordered by, so that reading twice gives the same: the key, or else
   * all; the column of the range before them, so that ranges follow each other.
   */
  List<Integer> order() {
    List<Integer> columns =
        isKeyed() ? table.primaryKey() : IntStream.range(0, table.schema().size()).boxed().toList();
    return Stream.concat(range.map(KeyRange::column).stream(), columns.stream())
        .distinct()
        .toList();
  }
}
