package io.sedge.bench.peers;

import io.sedge.bench.WindowResult;
import java.io.Serializable;

/** What every row engine keeps per window: the same arithmetic for all. */
public final class Statistics implements Serializable {
  private static final long serialVersionUID = 1;

  public long count;
  public double sum;
  public double squares;
  public double min = Double.POSITIVE_INFINITY;
  public double max = Double.NEGATIVE_INFINITY;

  public void add(double value) {
    count++;
    sum += value;
    squares += value * value;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }

  public Statistics merge(Statistics other) {
    count += other.count;
    sum += other.sum;
    squares += other.squares;
    min = Math.min(min, other.min);
    max = Math.max(max, other.max);
    return this;
  }

  public void clear() {
    count = 0;
    sum = 0;
    squares = 0;
    min = Double.POSITIVE_INFINITY;
    max = Double.NEGATIVE_INFINITY;
  }

  public WindowResult result(String id, long endMs) {
    double mean = sum / count;
    double deviation = Math.sqrt(Math.max(0, squares / count - mean * mean));
    return new WindowResult(id, endMs, count, min, max, mean, deviation);
  }
}
