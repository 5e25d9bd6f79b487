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
 * @param until where its group ends: the sequence of the last row of this batch or a later one. All
 *     batches up to there are at hand. Always the same for a batch, so a sink that {@linkplain
 *     Sink#gathers gathers} writes the same things together whoever delivers. A batch alone ends
 *     its own group
 */
public record NumberedBatch(long first, Batch batch, Optional<Awaited> awaited, long until) {
  /** One that nobody waits for, alone. */
  public NumberedBatch(long first, Batch batch) {
    this(first, batch, Optional.empty());
  }

  /** One that is alone. */
  public NumberedBatch(long first, Batch batch, Optional<Awaited> awaited) {
    this(first, batch, awaited, first + batch.rows() - 1);
  }

  public NumberedBatch {
    if (first < 1) {
      throw new IllegalArgumentException("sequence %d is below 1".formatted(first));
    }
    if (until < first + batch.rows() - 1) {
      throw new IllegalArgumentException(
          "rows from %d on: their group ends at %d, before they do".formatted(first, until));
    }
  }

  /** Whether no other batch of its group comes after it. */
  public boolean endsGroup() {
    return last() >= until;
  }

  /** The sequence of the last row; of an empty batch the one before {@link #first}. */
  public long last() {
    return first + batch.rows() - 1;
  }
}
