package io.sedge.connector.jdbc.internal;

import java.util.List;

/**
 * The rows of a batch on their way.
 *
 * @param last the sequence of the batch's last row
 * @param payloadBytes what their values take, about
 */
record Shipment(long last, List<Row> rows, long payloadBytes) {
  /** Objects around a row. */
  private static final int ROW_BYTES = 100;

  Shipment {
    rows = List.copyOf(rows);
  }

  /** What it takes of memory, about. */
  long bytes() {
    return payloadBytes + (long) ROW_BYTES * rows.size();
  }
}
