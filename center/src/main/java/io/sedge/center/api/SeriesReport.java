package io.sedge.center.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Values over time, down-sampled.
 *
 * @param bucketMillis how much time a point stands for
 * @param by the columns that a line's group has the values of
 * @param complete whether these are all; otherwise there were too many lines
 */
public record SeriesReport(long bucketMillis, List<String> by, List<Line> lines, boolean complete) {

  /** The points of a group in the order of time; where there were no rows there is none. */
  public record Line(List<@Nullable String> group, List<Point> points) {}

  /** The rows of a bucket, which begins at a time. */
  public record Point(long atMillis, double min, double max, double average, long count) {}
}
