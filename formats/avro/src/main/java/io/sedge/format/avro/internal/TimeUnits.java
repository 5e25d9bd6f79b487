package io.sedge.format.avro.internal;

import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** The unit in which Avro has a time, by its logical type. */
final class TimeUnits {
  /** In the microseconds of a column. */
  private static final long MICROS_PER_MILLI = 1_000;

  private static final long NANOS_PER_MICRO = 1_000;

  private TimeUnits() {}

  /** Whether it is a timestamp of some kind. */
  static boolean isTimestamp(Schema schema) {
    return isMillis(schema) || isMicros(schema) || isNanos(schema);
  }

  private static boolean isMillis(Schema schema) {
    return schema.getLogicalType() instanceof LogicalTypes.TimestampMillis
        || schema.getLogicalType() instanceof LogicalTypes.LocalTimestampMillis;
  }

  private static boolean isMicros(Schema schema) {
    return schema.getLogicalType() instanceof LogicalTypes.TimestampMicros
        || schema.getLogicalType() instanceof LogicalTypes.LocalTimestampMicros;
  }

  private static boolean isNanos(Schema schema) {
    return schema.getLogicalType() instanceof LogicalTypes.TimestampNanos
        || schema.getLogicalType() instanceof LogicalTypes.LocalTimestampNanos;
  }

  /**
   * A timestamp in microseconds.
   *
   * @throws ArithmeticException if it is too far from 1970 for that
   */
  static long toMicros(Schema schema, long value) {
    if (isMicros(schema)) {
      return value;
    }
    return isNanos(schema)
        ? Math.floorDiv(value, NANOS_PER_MICRO)
        : Math.multiplyExact(value, MICROS_PER_MILLI);
  }

  /**
   * The other way round; what the unit does not hold is cut off.
   *
   * @throws ArithmeticException if it is too far from 1970 for nanoseconds
   */
  static long ofMicros(Schema schema, long micros) {
    if (isMicros(schema)) {
      return micros;
    }
    return isNanos(schema)
        ? Math.multiplyExact(micros, NANOS_PER_MICRO)
        : Math.floorDiv(micros, MICROS_PER_MILLI);
  }
}
