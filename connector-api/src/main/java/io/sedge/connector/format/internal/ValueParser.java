package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.TemporalQueries;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Turns text into values of one type, as Flink's formats do: blanks around numbers and booleans do
 * not matter, a decimal is rounded half up to its scale and null where its precision does not hold
 * it. Otherwise than in Flink, whose booleans are false where they are not {@code true}, {@code 1}
 * is true and what is none of the two is malformed. One thread.
 */
final class ValueParser {
  private static final int LONGEST_TEXT_IN_MESSAGE = 60;

  /** A number is no longer than this, as in Jackson and so in Flink's formats. */
  private static final int MAX_DECIMAL_CHARS = 1_000;

  /** What Java puts for bytes that are not UTF-8. */
  private static final char REPLACEMENT = '\uFFFD';

  private static final byte[] TRUE = "true".getBytes(UTF_8);
  private static final byte[] FALSE = "false".getBytes(UTF_8);
  private static final byte[] ONE = "1".getBytes(UTF_8);
  private static final byte[] ZERO = "0".getBytes(UTF_8);

  /** What a small letter of ASCII has and a capital one lacks; digits have it. */
  private static final int CASE = 0x20;

  private static final Pattern CSV_DATE = Pattern.compile("(\\d{4})-(\\d{1,2})-(\\d{1,2})");

  private final Type type;
  private final Kind kind;
  private final TimestampText timestamps;
  private final boolean csv;
  private final NumberScanner numbers = new NumberScanner();

  /** What a timestamp's microseconds must be a multiple of. */
  private final long unitMicros;

  /**
   * @param csv whether dates and times are read as Flink's {@code csv} reads them, else as {@code
   *     json}
   */
  ValueParser(Type type, TimestampText timestamps, boolean csv) {
    this.type = type;
    this.kind = type.kind();
    this.timestamps = timestamps;
    this.csv = csv;
    this.unitMicros = kind.isTimestamp() ? unitMicros(type.precision()) : 1;
  }

  static long unitMicros(int precision) {
    long unit = 1;
    for (int i = precision; i < Type.MAX_TIMESTAMP_PRECISION; i++) {
      unit *= 10;
    }
    return unit;
  }

  /** Appends the value that the bytes from {@code from} to {@code to - 1} stand for. */
  void add(byte[] bytes, int from, int to, ColumnBuilder column) throws MalformedPayloadException {
    switch (kind) {
      case DOUBLE -> {
        if (numbers.scan(bytes, from, to) == to) {
          column.addDouble(numbers.doubleValue());
          return;
        }
      }
      case FLOAT -> {
        if (numbers.scan(bytes, from, to) == to) {
          column.addFloat(numbers.floatValue());
          return;
        }
      }
      case TINYINT, SMALLINT, INT -> {
        if (numbers.scan(bytes, from, to) == to && numbers.fitsLong() && isInRange()) {
          column.addInt((int) numbers.longValue());
          return;
        }
      }
      case BIGINT -> {
        if (numbers.scan(bytes, from, to) == to && numbers.fitsLong()) {
          column.addLong(numbers.longValue());
          return;
        }
      }
      case CHAR, VARCHAR -> {
        if (column.addUtf8(bytes, from, to)) {
          return;
        }
        throw notUtf8(new String(bytes, from, to - from, UTF_8));
      }
      case TIMESTAMP, TIMESTAMP_LTZ -> {
        long micros = timestamps.parse(bytes, from, to, kind == Kind.TIMESTAMP_LTZ);
        if (micros != Long.MIN_VALUE) {
          column.addLong(truncated(micros));
          return;
        }
      }
      case BOOLEAN -> {
        column.addBoolean(truth(bytes, from, to));
        return;
      }
      case DECIMAL, DATE, TIME, INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, ARRAY, ROW, NULL -> {}
    }
    column.add(parse(new String(bytes, from, to - from, UTF_8)));
  }

  /** The text that the bytes from {@code from} to {@code to - 1} are. */
  static String utf8(byte[] bytes, int from, int to) throws MalformedPayloadException {
    String text = new String(bytes, from, to - from, UTF_8);
    boolean suspect = text.indexOf(REPLACEMENT) >= 0;
    if (suspect
        && !ByteBuffer.wrap(text.getBytes(UTF_8)).equals(ByteBuffer.wrap(bytes, from, to - from))) {
      throw notUtf8(text);
    }
    return text;
  }

  private static MalformedPayloadException notUtf8(String text) {
    return new MalformedPayloadException("%s is not UTF-8".formatted(quoted(text)));
  }

  private boolean isInRange() {
    long value = numbers.longValue();
    return switch (kind) {
      case TINYINT -> value == (byte) value;
      case SMALLINT -> value == (short) value;
      default -> value == (int) value;
    };
  }

  /** Whether it is {@code true} in any case, or {@code 1}; not {@code false} or {@code 0}. */
  private boolean truth(byte[] bytes, int from, int to) throws MalformedPayloadException {
    int first = from;
    int end = to;
    while (first < end && isBlank(bytes[first])) {
      first++;
    }
    while (first < end && isBlank(bytes[end - 1])) {
      end--;
    }
    if (is(TRUE, bytes, first, end) || is(ONE, bytes, first, end)) {
      return true;
    }
    if (is(FALSE, bytes, first, end) || is(ZERO, bytes, first, end)) {
      return false;
    }
    throw malformed(new String(bytes, from, to - from, UTF_8));
  }

  private static boolean isBlank(byte b) {
    return b >= 0 && b <= ' ';
  }

  /** Whether bytes are a word in small letters, their own case aside. */
  private static boolean is(byte[] word, byte[] bytes, int from, int to) {
    if (to - from != word.length) {
      return false;
    }
    for (int i = 0; i < word.length; i++) {
      if ((bytes[from + i] | CASE) != word[i]) {
        return false;
      }
    }
    return true;
  }

  /** Cuts what is finer than the type's precision off. */
  long truncated(long micros) {
    return unitMicros == 1 ? micros : micros - Math.floorMod(micros, unitMicros);
  }

  /** The value that a text stands for, in the object form that {@link ColumnBuilder#add} takes. */
  @Nullable Object parse(String text) throws MalformedPayloadException {
    try {
      return switch (kind) {
        case BOOLEAN -> {
          byte[] bytes = text.getBytes(UTF_8);
          yield truth(bytes, 0, bytes.length);
        }
        case TINYINT -> (int) Byte.parseByte(text.trim());
        case SMALLINT -> (int) Short.parseShort(text.trim());
        case INT, INTERVAL_YEAR_MONTH -> Integer.parseInt(text.trim());
        case BIGINT, INTERVAL_DAY_TIME -> Long.parseLong(text.trim());
        case FLOAT -> Float.parseFloat(text.trim());
        case DOUBLE -> Double.parseDouble(text.trim());
        case DECIMAL -> decimal(text);
        case CHAR, VARCHAR -> text;
        case DATE -> Math.toIntExact((csv ? csvDate(text) : jsonDate(text)).toEpochDay());
        case TIME -> time(text);
        case TIMESTAMP -> truncated(timestamps.parse(text, false));
        case TIMESTAMP_LTZ -> truncated(timestamps.parse(text, true));
        case ARRAY, ROW, NULL -> throw malformed(text);
      };
    } catch (NumberFormatException | DateTimeException | ArithmeticException e) {
      throw malformed(text);
    }
  }

  private @Nullable BigDecimal decimal(String text) {
    String number = text.trim();
    if (number.length() > MAX_DECIMAL_CHARS) {
      throw new NumberFormatException(); // Reading digits takes time in their square.
    }
    return type.fit(new BigDecimal(number));
  }

  private static LocalDate jsonDate(String text) {
    LocalDate date =
        DateTimeFormatter.ISO_LOCAL_DATE.parse(text).query(TemporalQueries.localDate());
    if (date == null) {
      throw new DateTimeException(text);
    }
    return date;
  }

  /** As {@code java.sql.Date}: months and days of one digit, and 31 February is a day in March. */
  private static LocalDate csvDate(String text) {
    Matcher matcher = CSV_DATE.matcher(text.trim());
    if (!matcher.matches()) {
      throw new DateTimeException(text);
    }
    int day = Integer.parseInt(matcher.group(3));
    if (day < 1 || day > 31) {
      throw new DateTimeException(text);
    }
    return LocalDate.of(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)), 1)
        .plusDays(day - 1);
  }

  /** Milliseconds of the day; {@code csv} alone cuts to the type's precision, as in Flink. */
  private int time(String text) {
    LocalTime time = csv ? LocalTime.parse(text) : LocalTime.from(TimestampText.TIME.parse(text));
    int millis = (int) (time.toNanoOfDay() / 1_000_000);
    if (!csv) {
      return millis;
    }
    int unit = (int) Math.max(1, unitMicros(type.precision()) / 1_000);
    return millis / unit * unit;
  }

  /** That a text is no value of this type. */
  MalformedPayloadException malformed(String text) {
    return new MalformedPayloadException(
        "%s is not a value of type %s%s".formatted(quoted(text), type.withNullable(true), hint()));
  }

  private String hint() {
    boolean zoned = kind == Kind.TIMESTAMP_LTZ;
    return kind.isTimestamp() ? "; write it as " + timestamps.format(0, zoned) : "";
  }

  private static String quoted(String text) {
    return text.length() <= LONGEST_TEXT_IN_MESSAGE
        ? "'" + text + "'"
        : "'" + text.substring(0, LONGEST_TEXT_IN_MESSAGE) + "…'";
  }
}
