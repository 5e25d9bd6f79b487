package io.sedge.sql.internal;

import io.sedge.connector.Keep;
import io.sedge.connector.Option;
import io.sedge.sql.Job;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The options that every source table takes, whatever its connector. */
final class SourceOptions {
  static final String MALFORMED_TABLE = "malformed.table";
  static final String IDLE_TIMEOUT = "scan.watermark.idle-timeout";

  static final String PER_KEY = "scan.watermark.per-key";
  static final String PER_KEY_IDLE_AFTER = "scan.watermark.per-key.idle-after";

  static final List<Option> ALL =
      all(
          Option.optional(
              MALFORMED_TABLE,
              Option.Kind.STRING,
              "The table that takes payloads that cannot be decoded."),
          Option.optional(
              IDLE_TIMEOUT,
              Option.Kind.DURATION,
              "After how long without a reading the table no longer holds back the watermark."),
          Option.optional(
              Job.MAX_AHEAD,
              Option.Kind.DURATION,
              "How far ahead of the device's clock the event time of a reading may be; 0 for any."),
          Option.optional(
              PER_KEY,
              Option.Kind.STRING,
              "The column of the sensor, where each has a clock of its own: all are waited for."),
          Option.optional(
              PER_KEY_IDLE_AFTER,
              Option.Kind.DURATION,
              "How long the others go on without a sensor until it is not waited for (1 min)."),
          Option.optional(
              Job.LABELS,
              Option.Kind.STRING,
              "The labels that a device of a site must have to read or write the table."));

  private SourceOptions() {}

  /** Those of a table's options that say how it is read, whatever its connector. */
  static Stream<String> ofReading(Set<String> given) {
    return ALL.stream()
        .map(Option::key)
        .filter(key -> given.contains(key) && !key.equals(Job.LABELS));
  }

  private static List<Option> all(Option... own) {
    return Stream.of(Stream.of(own), Keep.OPTIONS.stream(), LookupCache.OPTIONS.stream())
        .flatMap(options -> options)
        .toList();
  }
}
