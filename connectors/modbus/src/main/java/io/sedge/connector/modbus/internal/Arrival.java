package io.sedge.connector.modbus.internal;

/** What a line hands to the task. */
sealed interface Arrival {
  /**
   * A unit has answered all requests of its plan.
   *
   * @param device which of the table's
   * @param micros when the last answer came
   * @param values one array for each request
   */
  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  record Reading(int device, ReadPlan plan, long micros, byte[][] values) implements Arrival {}

  /**
   * An answer was none.
   *
   * @param device which of the table's
   * @param span what was asked
   * @param values what came
   */
  @SuppressWarnings("ArrayRecordComponent") // Read once, never compared.
  record Garbled(int device, Span span, byte[] values, String why) implements Arrival {}
}
