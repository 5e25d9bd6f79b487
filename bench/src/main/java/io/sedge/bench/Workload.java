package io.sedge.bench;

/** What is measured. All: 1,000 sensors with string ids, readings in order of time. */
public enum Workload {
  /** Filter, then 10 s tumbling windows per sensor: count, min, max, avg, stddev. */
  W1,
  /** The same over 60 s windows hopping by 10 s. */
  W2,
  /** As W1, from UTF-8 JSON payloads. */
  W3;

  /** Readings with a lesser value are filtered out: a tenth of them. */
  public static final double THRESHOLD = 10;

  public static final long SLIDE_MS = 10_000;

  public long sizeMs() {
    return this == W2 ? 60_000 : SLIDE_MS;
  }
}
