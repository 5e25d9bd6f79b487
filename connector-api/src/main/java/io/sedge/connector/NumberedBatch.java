package io.sedge.connector;

import io.sedge.engine.column.Batch;

/**
 * A batch whose rows have sequences: the first row {@link #first}, the next one more, the last
 * {@link #last}.
 *
 * @param first 1 or more
 */
public record NumberedBatch(long first, Batch batch) {
  public NumberedBatch {
    if (first < 1) {
      throw new IllegalArgumentException("sequence %d is below 1".formatted(first));
    }
  }

  /** The sequence of the last row; of an empty batch the one before {@link #first}. */
  public long last() {
    return first + batch.rows() - 1;
  }
}
