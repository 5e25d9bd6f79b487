package io.sedge.center.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Values over time, to be drawn.
 *
 * @param timeColumn a TIMESTAMP or TIMESTAMP_LTZ
 * @param valueColumn a number
 * @param groupBy one line for each combination of these columns' values
 * @param filters the values that columns must have
 * @param to exclusive
 * @param points how many points a line may have, 1 to {@value #MAX_POINTS}; from 100 on there may
 *     be fewer, of ten minutes each
 */
public record SeriesRequest(
    String table,
    String timeColumn,
    String valueColumn,
    List<String> groupBy,
    Map<String, String> filters,
    Instant from,
    Instant to,
    int points) {
  /** The most points that a line may have. */
  public static final int MAX_POINTS = 5_000;

  public SeriesRequest {
    groupBy = List.copyOf(groupBy);
    filters = Map.copyOf(filters);
    if (points < 1 || points > MAX_POINTS) {
      throw new IllegalArgumentException(
          "%d points: 1 to %,d are allowed".formatted(points, MAX_POINTS));
    }
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("from %s to %s: no time lies between".formatted(from, to));
    }
  }
}
