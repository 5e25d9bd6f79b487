package io.sedge.site.api;

import io.sedge.ledger.Limit;
import java.util.List;

/**
 * What a site allows at most, and what is used of it.
 *
 * @param limits in the order of {@link Limit}
 * @param sharedBytes what the state, the outbox and the exchange may have together, on every device
 * @param leastDevice the device that has the least memory for tasks and for these; empty if none
 *     has measured it yet
 * @param leastMemoryBytes that memory; {@link Long#MAX_VALUE} if none has measured it
 */
public record SiteLimits(
    List<Bound> limits, long sharedBytes, String leastDevice, long leastMemoryBytes) {
  /** What is used of a limit where that is no number that could be told. */
  public static final long UNKNOWN = -1;

  public SiteLimits {
    limits = List.copyOf(limits);
  }

  /** One of them. */
  public Bound bound(Limit limit) {
    return limits.stream()
        .filter(bound -> bound.limit() == limit)
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no limit " + limit));
  }

  /**
   * One limit.
   *
   * @param used how many there are, or bytes; of scripts the largest; {@link #UNKNOWN} of commits
   *     and silence
   */
  public record Bound(Limit limit, long value, long used) {}
}
