package io.sedge.connector.http.internal;

import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * What a server has said of the version that it gave last (RFC 9110, section 8.8), so that it need
 * not give the same again.
 *
 * @param etag empty if there was none
 * @param lastModified empty if there was none
 */
record Validators(String etag, String lastModified) {
  static final Validators NONE = new Validators("", "");

  /** They stand in each commit: longer ones are not kept. */
  private static final int MAX_CHARACTERS = 256;

  /** Of times in headers. */
  private static final Duration RESOLUTION = Duration.ofSeconds(1);

  /**
   * Those of an answer. A {@code Last-Modified} that is less than a second before the answer is not
   * kept: another version may still come with the same time (section 8.8.2.2).
   */
  static Validators of(HttpHeaders headers) {
    String lastModified = value(headers, "Last-Modified");
    boolean tellsVersions =
        time(lastModified)
            .flatMap(modified -> time(value(headers, "Date")).map(date -> isLater(date, modified)))
            .orElse(false);
    return new Validators(value(headers, "ETag"), tellsVersions ? lastModified : "");
  }

  private static boolean isLater(Instant date, Instant modified) {
    return !date.isBefore(modified.plus(RESOLUTION));
  }

  private static Optional<Instant> time(String value) {
    try {
      return Optional.of(
          ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeParseException e) {
      return Optional.empty(); // Absent, or in a form that no server may send any more.
    }
  }

  private static String value(HttpHeaders headers, String name) {
    String value = headers.firstValue(name).orElse("");
    return value.length() > MAX_CHARACTERS || !value.matches("[\\x20-\\x7e]*") ? "" : value;
  }

  /** Asks for nothing but another version. */
  void addTo(HttpRequest.Builder request) {
    if (!etag.isEmpty()) {
      request.setHeader("If-None-Match", etag);
    } else if (!lastModified.isEmpty()) {
      request.setHeader("If-Modified-Since", lastModified);
    }
  }
}
