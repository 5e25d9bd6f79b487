package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Reads one number, as JSON writes them (RFC 8259, section 6), from bytes. Holds what it found
 * last; one thread.
 */
final class NumberScanner {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** So many digits fit into 64 bits without a sign, whatever they are. */
  private static final int MAX_DIGITS = 19;

  private static final int MAX_FLOAT_POWER = 10;
  private static final float[] FLOAT_POWERS = {
    1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f
  };

  private byte[] bytes = new byte[0];
  private int begin;
  private int end;
  private boolean negative;
  private boolean integral;

  /** The digits without the point, as an unsigned number, if there are few enough. */
  private long mantissa;

  /** Digits from the first that is not zero on. */
  private int digits;

  /** The power of ten that the mantissa is to be multiplied by. */
  private int exponent;

  /**
   * Reads the number that begins at {@code from}.
   *
   * @return the index after it, or -1 if there is no number
   */
  int scan(byte[] source, int from, int to) {
    bytes = source;
    begin = from;
    int i = from;
    negative = i < to && source[i] == '-';
    if (negative) {
      i++;
    }
    int first = i;
    long value = 0;
    while (i <= to - 8) {
      long word = (long) LONGS.get(source, i);
      if (!isEightDigits(word)) {
        break;
      }
      value = value * 100_000_000 + eightDigits(word);
      i += 8;
    }
    while (i < to) {
      int digit = source[i] - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      value = value * 10 + digit;
      i++;
    }
    int count = i - first;
    if (count == 0 || (count > 1 && source[first] == '0')) {
      return -1;
    }
    digits = value == 0 && count == 1 ? 0 : count;
    mantissa = value;
    exponent = 0;
    integral = true;
    if (i < to && (source[i] == '.' || (source[i] | 0x20) == 'e')) {
      integral = false;
      i = source[i] == '.' ? fraction(source, i + 1, to) : i;
      if (i > 0 && i < to && (source[i] | 0x20) == 'e') {
        i = exponent(source, i + 1, to);
      }
    }
    end = i;
    return i;
  }

  private int fraction(byte[] source, int from, int to) {
    int i = from;
    long value = mantissa;
    while (i <= to - 8) {
      long word = (long) LONGS.get(source, i);
      if (!isEightDigits(word)) {
        break;
      }
      value = value * 100_000_000 + eightDigits(word);
      i += 8;
    }
    while (i < to) {
      int digit = source[i] - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      value = value * 10 + digit;
      i++;
    }
    int count = i - from;
    if (count == 0) {
      return -1;
    }
    if (digits == 0) {
      int zeros = from;
      while (zeros < i && source[zeros] == '0') {
        zeros++;
      }
      digits = i - zeros;
    } else {
      digits += count;
    }
    mantissa = value;
    exponent = -count;
    return i;
  }

  private int exponent(byte[] source, int from, int to) {
    int i = from;
    boolean down = false;
    if (i < to && (source[i] == '-' || source[i] == '+')) {
      down = source[i] == '-';
      i++;
    }
    int first = i;
    int value = 0;
    while (i < to && source[i] >= '0' && source[i] <= '9') {
      value = Math.min(value * 10 + source[i] - '0', 100_000);
      i++;
    }
    if (i == first) {
      return -1;
    }
    exponent += down ? -value : value;
    return i;
  }

  private static boolean isEightDigits(long word) {
    return (word & 0xF0F0F0F0F0F0F0F0L) == 0x3030303030303030L
        && ((word + 0x0606060606060606L) & 0xF0F0F0F0F0F0F0F0L) == 0x3030303030303030L;
  }

  /** Joins neighbours to pairs, pairs to fours, fours to eight, in three multiplications. */
  private static long eightDigits(long word) {
    long digits = word - 0x3030303030303030L;
    long pairs = digits * 10 + (digits >>> 8);
    return ((pairs & 0x000000FF000000FFL) * 0x000F424000000064L
            + ((pairs >>> 16) & 0x000000FF000000FFL) * 0x0000271000000001L)
        >>> 32;
  }

  /** Whether the number has neither point nor exponent. */
  boolean isIntegral() {
    return integral;
  }

  /** Whether the number is integral and fits into a long. */
  boolean fitsLong() {
    return integral
        && (digits < MAX_DIGITS
            || (digits == MAX_DIGITS
                && (mantissa >= 0 || (negative && mantissa == Long.MIN_VALUE))));
  }

  /** The value, if {@link #fitsLong}. */
  long longValue() {
    return negative ? -mantissa : mantissa;
  }

  /** The double nearest to the number; what {@link Double#parseDouble} says of it. */
  double doubleValue() {
    if (digits > MAX_DIGITS) {
      return Double.parseDouble(text());
    }
    double value = Doubles.of(mantissa, exponent);
    if (Double.isNaN(value)) {
      return Double.parseDouble(text());
    }
    return negative ? -value : value;
  }

  /** The float nearest to the number; what {@link Float#parseFloat} says of it. */
  float floatValue() {
    if (digits <= MAX_DIGITS && mantissa >>> 24 == 0 && Math.abs(exponent) <= MAX_FLOAT_POWER) {
      // Both are exact as floats, so the one operation rounds right.
      float power = FLOAT_POWERS[Math.abs(exponent)];
      float value = exponent < 0 ? mantissa / power : mantissa * power;
      return negative ? -value : value;
    }
    return Float.parseFloat(text());
  }

  /** The number as it is written. */
  String text() {
    return new String(bytes, begin, end - begin, ISO_8859_1);
  }
}
