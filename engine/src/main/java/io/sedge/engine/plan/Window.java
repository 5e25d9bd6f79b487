package io.sedge.engine.plan;

/**
 * How rows are assigned to windows of event time. All in microseconds; windows are [start, end).
 */
public sealed interface Window {
  /** Windows of {@code size} that follow each other, starting at {@code offset} modulo the size. */
  record Tumbling(long size, long offset) implements Window {}

  /**
   * Windows of {@code size} that start every {@code slide}; size is a multiple of slide, as in
   * Flink.
   */
  record Hopping(long size, long slide, long offset) implements Window {}

  /** Windows that start every {@code maxSize} and end after each further {@code step}. */
  record Cumulating(long maxSize, long step, long offset) implements Window {}

  /** Windows of rows less than {@code gap} apart. */
  record Session(long gap) implements Window {}
}
