package io.sedge.connector.http.internal;

import java.net.URI;
import java.util.List;

/**
 * Rows that follow each other and go to one address, together if the server takes them so. How many
 * of them are settled is remembered, so that after a failure only the others are sent again. The
 * courier's thread alone changes it.
 */
final class Request {
  /** Objects around a row. */
  private static final int ROW_BYTES = 48;

  private final URI address;
  private final long first;
  private final List<byte[]> rows;
  private final long payloadBytes;
  private int settled;

  /**
   * @param first the sequence of the first row
   */
  Request(URI address, long first, List<byte[]> rows) {
    this.address = address;
    this.first = first;
    this.rows = List.copyOf(rows);
    this.payloadBytes = rows.stream().mapToLong(row -> row.length).sum();
  }

  URI address() {
    return address;
  }

  /** The sequence of a row. */
  long sequence(int row) {
    return first + row;
  }

  List<byte[]> rows() {
    return rows;
  }

  /** The rows before it are taken or refused. */
  int settled() {
    return settled;
  }

  void settle(int rowsBefore) {
    settled = rowsBefore;
  }

  long payloadBytes() {
    return payloadBytes;
  }

  long bytes() {
    return payloadBytes + (long) ROW_BYTES * rows.size() + ROW_BYTES;
  }
}
