package io.sedge.connector.http.internal;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** What status codes mean (RFC 9110, section 15), for people and for what is done next. */
final class Statuses {
  /** A server may ask for no longer pause. */
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

  private static final int NAMED_BYTES = 200;

  private Statuses() {}

  /**
   * Whether the server refuses what was sent, and will each time: its content, or, where the
   * address is made of the row's values, its address. All else is none: no other row would fare
   * better with a login, a media type or a limit that somebody has to put right.
   */
  static boolean isRefusal(int status, boolean fixedAddress) {
    return switch (status) {
      case 400, 413, 422 -> true;
      case 404, 405, 410, 414 -> !fixedAddress;
      default -> false;
    };
  }

  /** What an answer says that is neither success nor a refusal of rows. */
  static StatusException failure(Answer answer, Instant now) {
    int status = answer.status();
    String text =
        switch (status) {
          case 301, 302, 303, 307, 308 ->
              "it answers %d, look at %s; write that in 'url' if it is right"
                  .formatted(
                      status, plain(answer.headers().firstValue("Location").orElse("nowhere")));
          case 401, 407 -> "the login is refused (%d)".formatted(status);
          case 403 -> "the login does not allow it (403)";
          case 404, 410 -> "there is nothing at the address (%d)".formatted(status);
          case 405 -> "the address does not take the method (405)";
          case 415 -> "it does not take the media type (415); see 'headers.Content-Type'";
          case 429 -> "it takes no more requests for now (429)";
          default -> "it answers %d".formatted(status);
        };
    boolean lasting =
        switch (status) {
          case 401, 403, 404, 405, 407, 410 -> true;
          default -> status >= 300 && status < 400;
        };
    return new StatusException(text + said(answer), lasting, pause(answer, now));
  }

  /** The beginning of what the body says, if that is text. */
  static String said(Answer answer) {
    String type = answer.headers().firstValue("Content-Type").orElse("");
    boolean isText = type.startsWith("text/plain") || type.contains("json");
    String text = isText ? plain(Bodies.text(answer.body(), NAMED_BYTES)) : "";
    return text.isBlank() ? "" : ": " + text;
  }

  /** Without what would break a line of a log. */
  private static String plain(String text) {
    String cut = text.length() > NAMED_BYTES ? text.substring(0, NAMED_BYTES) : text;
    return cut.strip().replaceAll("[\\p{Cntrl}\\s]+", " ");
  }

  /** The pause of a header Retry-After: seconds, or a date. */
  static Duration pause(Answer answer, Instant now) {
    String value = answer.headers().firstValue("Retry-After").orElse("").strip();
    try {
      Duration pause =
          value.matches("\\d{1,9}")
              ? Duration.ofSeconds(Long.parseLong(value))
              : value.isEmpty()
                  ? Duration.ZERO
                  : Duration.between(
                      now,
                      ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
      return pause.isNegative()
          ? Duration.ZERO
          : pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    } catch (DateTimeException e) {
      return Duration.ZERO; // A header that says nothing asks for nothing.
    }
  }
}
