package io.sedge.sql.internal;

import io.sedge.connector.Keep;
import io.sedge.connector.Option;
import io.sedge.sql.Job;
import java.util.List;
import java.util.stream.Stream;

/** The options that every source table takes, whatever its connector. */
final class SourceOptions {
  static final String MALFORMED_TABLE = "malformed.table";
  static final String IDLE_TIMEOUT = "scan.watermark.idle-timeout";

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
              Job.LABELS,
              Option.Kind.STRING,
              "The labels that a device of a site must have to read or write the table."));

  private SourceOptions() {}

  private static List<Option> all(Option... own) {
    return Stream.concat(Stream.of(own), Keep.OPTIONS.stream()).toList();
  }
}
