package io.sedge.connector.courier;

import java.time.Duration;
import java.util.Optional;

/**
 * When what a carrier was given is committed: when the job asks, and before that for these reasons.
 * Several batches are committed together, never a part of one.
 *
 * @param queueBytes what may wait for the far end; when it is full the job waits
 * @param commitBytes so many bytes are committed unasked
 * @param startRows so many rows are committed unasked; 0: their number is no reason
 * @param mostRows a commit has more rows than that only if its first batch has
 * @param interval rows that have waited for so long are committed unasked; empty: not for their age
 */
public record Rhythm(
    long queueBytes, long commitBytes, int startRows, int mostRows, Optional<Duration> interval) {
  public Rhythm {
    if (queueBytes < 1 || commitBytes < 1 || startRows < 0 || mostRows < 1) {
      throw new IllegalArgumentException(
          "queue of %d bytes, commits of %d bytes, %d to %d rows"
              .formatted(queueBytes, commitBytes, startRows, mostRows));
    }
  }
}
