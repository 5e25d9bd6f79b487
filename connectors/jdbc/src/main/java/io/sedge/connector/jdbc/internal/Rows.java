package io.sedge.connector.jdbc.internal;

import io.sedge.connector.courier.Shipment;
import java.util.List;

/**
 * The rows of a batch on their way.
 *
 * @param last the sequence of the batch's last row
 * @param payloadBytes what their values take, about
 */
record Rows(long last, List<Row> rows, long payloadBytes) implements Shipment {
  /** Objects around a row. */
  private static final int ROW_BYTES = 100;

  Rows {
    rows = List.copyOf(rows);
  }

  @Override
  public int size() {
    return rows.size();
  }

  @Override
  public long bytes() {
    return payloadBytes + (long) ROW_BYTES * rows.size();
  }
}
