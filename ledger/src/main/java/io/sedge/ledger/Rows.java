package io.sedge.ledger;

/**
 * Rows for one table, encoded by whoever commits them. The array is given up by the caller.
 *
 * @param count how many rows the bytes hold, 1 or more
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
public record Rows(Channel channel, String table, int count, byte[] bytes) {
  public Rows {
    Names.check(table, "table");
    if (count < 1) {
      throw new IllegalArgumentException("a block of %d rows".formatted(count));
    }
  }
}
