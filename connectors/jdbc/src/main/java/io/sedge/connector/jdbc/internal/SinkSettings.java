package io.sedge.connector.jdbc.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.TableDescriptor;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * What a sink writes to, and how.
 *
 * @param path the table in the database: {@code schema.table}
 * @param exactlyOnce whether the database keeps how far a writer has come
 * @param patience for how long opening waits for a database that is away
 * @param maxRows so many waiting rows begin a transaction unasked; 0: their number does not
 * @param interval a row that has waited for so long begins a transaction unasked
 * @param maxRetries how often in a row writing is tried again; empty: without end
 * @param queueBytes what may wait for the database
 */
record SinkSettings(
    TableDescriptor table,
    ConnectorContext context,
    Database database,
    String path,
    boolean exactlyOnce,
    Duration patience,
    int maxRows,
    Duration interval,
    OptionalInt maxRetries,
    long queueBytes) {
  /** Whether the last row of each key is enough. */
  boolean isUpsert() {
    return !table.primaryKey().isEmpty();
  }

  /** What messages begin with: {@code table results: PostgreSQL at plant:5432/results}. */
  String subject() {
    return "table %s: %s".formatted(table.name(), database);
  }
}
