package io.sedge.uplink;

/**
 * Rows that are stored whole or not at all. The same rows come in the same block whenever they come
 * again, so that a block is known by its sequences.
 *
 * @param first the sequence of the first row, 1 or more; the others follow without gaps
 * @param rows how many
 * @param bytes as {@link io.sedge.engine.codec.RowsCodec} writes them for the stream's schema
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
public record RowBlock(long first, int rows, byte[] bytes) {
  /** The most rows of a block: bytes cannot say how many a block has in memory. */
  static final int MAX_ROWS = 64 << 10;

  /** What a block takes under way beside its bytes. */
  static final int HEADER_BYTES = Long.BYTES + 2 * Integer.BYTES;

  public RowBlock {
    if (first < 1 || rows < 1 || rows > MAX_ROWS) {
      throw new IllegalArgumentException(
          "%d rows from sequence %d on: 1 to %d are allowed".formatted(rows, first, MAX_ROWS));
    }
  }

  /** The sequence of the last row. */
  public long last() {
    return first + rows - 1;
  }

  /** What it takes when it is not deflated. */
  public int size() {
    return HEADER_BYTES + bytes.length;
  }
}
