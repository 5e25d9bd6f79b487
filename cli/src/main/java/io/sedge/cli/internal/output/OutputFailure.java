package io.sedge.cli.internal.output;

import io.sedge.connector.ConnectorException;
import java.io.IOException;
import java.util.Locale;

/** What it means that standard output cannot be written. */
final class OutputFailure {
  private OutputFailure() {}

  /**
   * Whether nobody reads it any more (EPIPE), as after {@code | head}: what comes then is dropped
   * since nobody wants it. All else, such as a full disk, loses rows that somebody waits for.
   */
  static boolean isReaderGone(IOException failure) {
    return String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT).contains("broken pipe");
  }

  /** The failure that ends the job. */
  static ConnectorException of(IOException failure) {
    return new ConnectorException(
        ConnectorException.Kind.FILE,
        "standard output cannot be written: %s; rows are missing there"
            .formatted(failure.getMessage()),
        failure);
  }
}
