package io.sedge.simulator;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fault that begins, and may end, at a time.
 *
 * @param fault which
 * @param target what it befalls; empty for the fault's first target
 * @param begin simulated time from the start
 * @param end simulated time from the start, or empty if it stays
 */
public record PlannedFault(
    Fault fault, Optional<String> target, Duration begin, Optional<Duration> end) {

  private static final Pattern FORM =
      Pattern.compile("([a-z-]+)(?::([^@]+))?@([0-9.]+[a-z]+)(?:\\.\\.([0-9.]+[a-z]+))?");

  /**
   * Reads {@code bearing-wear@30s}, {@code leak@1m..3m} or {@code
   * sensor-frozen:storage/tank-2/level@30s}.
   *
   * @throws IllegalArgumentException whose message says what is allowed
   */
  public static PlannedFault parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a planned fault; write it as NAME@30s, NAME@1m..3m or NAME:ZONE/MACHINE@30s"
              .formatted(text));
    }
    Fault fault =
        Fault.named(matcher.group(1))
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "there is no fault '%s'; each simulation's help lists its own"
                            .formatted(matcher.group(1))));
    Duration begin = duration(matcher.group(3));
    Optional<Duration> end = Optional.ofNullable(matcher.group(4)).map(PlannedFault::duration);
    if (end.isPresent() && end.get().compareTo(begin) <= 0) {
      throw new IllegalArgumentException("'%s' ends before it begins".formatted(text));
    }
    return new PlannedFault(fault, Optional.ofNullable(matcher.group(2)), begin, end);
  }

  private static Duration duration(String text) {
    try {
      return Duration.parse("PT" + text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "'%s' is not a time; write it as 30s, 5m or 1h".formatted(text), e);
    }
  }
}
