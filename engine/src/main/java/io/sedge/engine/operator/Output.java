package io.sedge.engine.operator;

import io.sedge.engine.column.Batch;

/** Where an operator sends what it makes. May refuse, then the same must be offered again. */
public interface Output {
  /**
   * Takes a batch.
   *
   * @return false if it is not (or not wholly) taken: offer the very same batch again later, and
   *     nothing else before it; the receiver remembers how far it came
   */
  boolean offer(Batch batch);

  /**
   * Says that no row with an event time at or below {@code watermark} (microseconds) is expected
   * any more; {@link Long#MAX_VALUE} ends the input.
   *
   * @return false if what this set off is not all passed on: call again with the same value later
   */
  boolean advance(long watermark);
}
