package io.sedge.task;

/**
 * What a job has given to a sink table since it started.
 *
 * @param rows given, malformed payloads included
 * @param bytes of payload that the sink has written ({@link io.sedge.connector.Sink#bytes()})
 */
public record SinkCounters(long rows, long bytes) {
  public static final SinkCounters NONE = new SinkCounters(0, 0);

  /** Of both together. */
  public SinkCounters plus(SinkCounters more) {
    return new SinkCounters(rows + more.rows, bytes + more.bytes);
  }

  /** What has been added since. */
  public SinkCounters minus(SinkCounters before) {
    return new SinkCounters(rows - before.rows, bytes - before.bytes);
  }
}
