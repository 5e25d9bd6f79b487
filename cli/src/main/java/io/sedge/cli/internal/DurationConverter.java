package io.sedge.cli.internal;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as the options of tables write them: a number and a unit. */
final class DurationConverter implements ITypeConverter<Duration> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})\\s*([a-z]*)");

  @Override
  public Duration convert(String value) {
    Matcher matcher = FORM.matcher(value.strip().toLowerCase(Locale.ROOT));
    if (matcher.matches()) {
      long count = Long.parseLong(matcher.group(1));
      Duration unit =
          switch (matcher.group(2)) {
            case "ms", "milli", "millis" -> Duration.ofMillis(1);
            case "s", "sec", "second", "seconds" -> Duration.ofSeconds(1);
            case "m", "min", "minute", "minutes" -> Duration.ofMinutes(1);
            case "h", "hour", "hours" -> Duration.ofHours(1);
            case "d", "day", "days" -> Duration.ofDays(1);
            default -> Duration.ZERO;
          };
      if (!unit.isZero() && count > 0) {
        return unit.multipliedBy(count);
      }
    }
    throw new TypeConversionException(
        "write a time as a number above 0 and a unit: 500ms, 60s, 10min, 2h");
  }
}
