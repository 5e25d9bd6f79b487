package io.sedge.bench;

/**
 * A window's result for a sensor.
 *
 * @param endMs the window's end, exclusive
 */
public record WindowResult(
    String id, long endMs, long count, double min, double max, double mean, double deviation) {

  /** The parts that every way of computing them gives exactly, as a number to be added up. */
  long exactHash() {
    long hash = id.hashCode();
    hash = hash * 31 + endMs;
    hash = hash * 31 + count;
    hash = hash * 31 + Double.doubleToLongBits(min);
    hash = hash * 31 + Double.doubleToLongBits(max);
    hash *= 0x9E3779B97F4A7C15L;
    return hash ^ (hash >>> 32);
  }

  /** One line. */
  @Override
  public String toString() {
    return "%s %d %d %s %s %s %s".formatted(id, endMs, count, min, max, mean, deviation);
  }
}
