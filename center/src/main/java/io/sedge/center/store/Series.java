package io.sedge.center.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values over time, down-sampled.
 *
 * @param bucket how much time a point stands for
 * @param lines one for each group, in the order of their values
 * @param complete whether these are all; otherwise there were too many lines
 */
public record Series(Duration bucket, List<Line> lines, boolean complete) {
  /**
   * The points of a group, in the order of time; where there were no rows there is no point.
   *
   * @param group the values of the columns that are grouped by
   */
  public record Line(List<@Nullable String> group, List<Point> points) {}

  /**
   * What the rows of a bucket were.
   *
   * @param at when the bucket begins
   * @param count how many values that are not NULL
   */
  public record Point(Instant at, double min, double max, double average, long count) {}
}
