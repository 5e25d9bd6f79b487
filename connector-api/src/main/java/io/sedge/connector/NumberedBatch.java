package io.sedge.connector;

import io.sedge.engine.column.Batch;
import java.util.Optional;

/**
 * A batch whose rows have sequences: the first row {@link #first}, the next one more, the last
 * {@link #last}.
 *
 * @param first 1 or more
 * @param awaited who waits for its one row, and until when; as a rule nobody. A sink that keeps
 *     rows for longer than a moment before it writes them asks it before each attempt, and tells it
 *     what it knows
 */
public record NumberedBatch(long first, Batch batch, Optional<Awaited> awaited) {
  /** One that nobody waits for. */
  public NumberedBatch(long first, Batch batch) {
    this(first, batch, Optional.empty());
  }

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
