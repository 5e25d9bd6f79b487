package io.sedge.engine.expression.internal;

import io.sedge.engine.expression.EvaluationException;
import java.text.ParsePosition;
import java.text.SimpleDateFormat;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/**
 * The patterns of {@link SimpleDateFormat}, by which Flink's older functions read and write times:
 * a day that a month lacks runs into the next, and what follows the pattern is left aside.
 */
final class LegacyFormats {
  private static final int CAPACITY = 64;

  private record Key(String pattern, ZoneId zone) {}

  private final Map<Key, SimpleDateFormat> formats = new HashMap<>();

  /** The zone of a name; UTC if there is none. */
  static ZoneId zone(String name) {
    return TimeZone.getTimeZone(name).toZoneId();
  }

  String format(long epochMillis, String pattern, ZoneId zone) {
    return get(pattern, zone).format(Date.from(Instant.ofEpochMilli(epochMillis)));
  }

  /** Milliseconds since 1970-01-01T00:00:00Z; null if the text does not fit the pattern. */
  @Nullable Long parse(String text, String pattern, ZoneId zone) {
    Date date = get(pattern, zone).parse(text, new ParsePosition(0));
    return date == null ? null : (Long) date.toInstant().toEpochMilli();
  }

  private SimpleDateFormat get(String pattern, ZoneId zone) {
    Key key = new Key(pattern, zone);
    SimpleDateFormat known = formats.get(key);
    if (known == null) {
      known = create(pattern, zone);
      if (formats.size() == CAPACITY) {
        formats.clear();
      }
      formats.put(key, known);
    }
    return known;
  }

  private static SimpleDateFormat create(String pattern, ZoneId zone) {
    try {
      SimpleDateFormat format = new SimpleDateFormat(pattern, Locale.US);
      format.setTimeZone(
          zone.equals(ZoneOffset.UTC) ? TimeZone.getTimeZone("UTC") : TimeZone.getTimeZone(zone));
      return format;
    } catch (IllegalArgumentException malformed) {
      throw new EvaluationException(
          "'%s' is not a pattern of a time such as 'yyyy-MM-dd HH:mm:ss': %s"
              .formatted(pattern, malformed.getMessage()),
          malformed);
    }
  }
}
