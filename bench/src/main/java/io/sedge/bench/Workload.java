package io.sedge.bench;

/** What is measured. All: 1,000 sensors with string ids, readings in order of time. */
public enum Workload {
  /** Filter, then 10 s tumbling windows per sensor: count, min, max, avg, stddev. */
  W1,
  /** The same over 60 s windows hopping by 10 s. */
  W2,
  /** As W1, from UTF-8 JSON payloads. */
  W3,
  /** Latency of filter + map: each reading is there when it is due, each result is timed. */
  W4;

  /** Readings with a lesser value are filtered out: a tenth of them. */
  public static final double THRESHOLD = 10;

  public static final long SLIDE_MS = 10_000;

  /** W4's map: value × SCALE + SHIFT. */
  public static final double SCALE = 1.8;

  public static final double SHIFT = 32;

  public long sizeMs() {
    return this == W2 ? 60_000 : SLIDE_MS;
  }

  /** How many windows each reading belongs to. */
  public int windowsPerReading() {
    return (int) (sizeMs() / SLIDE_MS);
  }

  public boolean isJson() {
    return this == W3;
  }
}
