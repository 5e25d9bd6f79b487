package io.sedge.connector.jdbc.internal;

import io.sedge.engine.column.Batch;
import java.util.List;

/**
 * Rows on their way to the task.
 *
 * @param malformed rows that do not fit the table's columns
 * @param after how far the table was read with them
 * @param bytes what the values take, about
 */
record Chunk(Batch batch, List<Malformed> malformed, ScanPosition after, long bytes) {
  /**
   * A row that does not fit.
   *
   * @param text its values
   */
  record Malformed(String text, String reason) {}

  Chunk {
    malformed = List.copyOf(malformed);
  }
}
