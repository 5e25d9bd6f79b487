package io.sedge.engine.expression.internal;

import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Set;

/** Numbers and booleans from strings and back, in Flink's formats. */
final class Texts {
  private static final Set<String> TRUE = Set.of("t", "true", "y", "yes", "1");
  private static final Set<String> FALSE = Set.of("f", "false", "n", "no", "0");

  /**
   * A number is no longer than this, as in Jackson and so in Flink's JSON; reading digits takes
   * time in their square.
   */
  static final int MAX_NUMBER_CHARS = 1_000;

  private static final int MAX_TEXT_IN_MESSAGE = 200;

  private Texts() {}

  static boolean toBoolean(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    if (TRUE.contains(lower)) {
      return true;
    }
    if (FALSE.contains(lower)) {
      return false;
    }
    throw unfit(text, Type.BOOLEAN, "allowed are t, true, y, yes, 1, f, false, n, no, 0");
  }

  /** An integer of any kind; a fraction is checked to be digits, then cut off. */
  static long toInteger(String text, Type type) {
    String trimmed = trim(text);
    int sign = trimmed.startsWith("-") || trimmed.startsWith("+") ? 1 : 0;
    int point = trimmed.indexOf('.');
    int end = point < 0 ? trimmed.length() : point;
    boolean anyDigit = trimmed.length() > sign;
    if (!anyDigit
        || !areDigits(trimmed, sign, end)
        || !areDigits(trimmed, end + 1, trimmed.length())) {
      throw unfit(text, type, "an integer is digits with a sign before them");
    }
    String digits = trimmed.substring(sign, end);
    if (digits.length() > MAX_NUMBER_CHARS) {
      throw unfit(text, type, "it is out of range");
    }
    BigInteger value = digits.isEmpty() ? BigInteger.ZERO : new BigInteger(digits);
    if (trimmed.startsWith("-")) {
      value = value.negate();
    }
    if (value.bitLength() >= bits(type.kind())) {
      throw unfit(text, type, "it is out of range");
    }
    return value.longValue();
  }

  private static boolean areDigits(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private static int bits(Kind kind) {
    return switch (kind) {
      case TINYINT -> Byte.SIZE;
      case SMALLINT -> Short.SIZE;
      case INT -> Integer.SIZE;
      default -> Long.SIZE;
    };
  }

  static double toDouble(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException notANumber) {
      throw unfit(text, Type.DOUBLE, "a number looks like 1.5 or 1.5E3");
    }
  }

  static float toFloat(String text) {
    try {
      return Float.parseFloat(text);
    } catch (NumberFormatException notANumber) {
      throw unfit(text, Type.FLOAT, "a number looks like 1.5 or 1.5E3");
    }
  }

  static BigDecimal toDecimal(String text, Type type) {
    String number = text.strip();
    if (number.length() > MAX_NUMBER_CHARS) {
      throw unfit(text, type, "it has more than %,d characters".formatted(MAX_NUMBER_CHARS));
    }
    BigDecimal value;
    try {
      value = new BigDecimal(number);
    } catch (NumberFormatException notANumber) {
      throw unfit(text, type, "a number looks like 1.5 or 1.5E3");
    }
    BigDecimal fitted = type.fit(value);
    if (fitted == null) {
      throw unfit(text, type, "it has too many digits");
    }
    return fitted;
  }

  /** Cuts or, for CHAR, pads with spaces to the length of a type. */
  static String fit(String text, Type type) {
    int length = text.codePointCount(0, text.length());
    if (length > type.precision()) {
      return text.substring(0, text.offsetByCodePoints(0, type.precision()));
    }
    return type.kind() == Kind.CHAR ? text + " ".repeat(type.precision() - length) : text;
  }

  /** Whether {@link #fit} could change a string of one type for another. */
  static boolean mustFit(Type from, Type to) {
    return to.kind() == Kind.CHAR
        ? from.kind() != Kind.CHAR || from.precision() != to.precision()
        : from.precision() > to.precision();
  }

  /** In code points. */
  static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  /** The code points {@code from} to {@code to - 1}. */
  static String slice(String text, int from, int to) {
    int begin = text.offsetByCodePoints(0, from);
    return text.substring(begin, text.offsetByCodePoints(begin, to - from));
  }

  /** Without spaces on either side. */
  static String trim(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && text.charAt(from) == ' ') {
      from++;
    }
    while (to > from && text.charAt(to - 1) == ' ') {
      to--;
    }
    return text.substring(from, to);
  }

  static EvaluationException unfit(String text, Type type, String reason) {
    String shown =
        text.length() <= MAX_TEXT_IN_MESSAGE ? text : text.substring(0, MAX_TEXT_IN_MESSAGE) + "…";
    return new EvaluationException(
        "CAST('%s' AS %s): %s; TRY_CAST gives NULL instead"
            .formatted(shown, type.withNullable(true), reason));
  }
}
