package io.sedge.connector.format.internal;

import java.math.BigInteger;

/**
 * Turns a decimal number of at most 19 digits into the nearest double.
 *
 * <p>Where the digits fit into 53 bits and the power of ten is an exact double, one multiplication
 * or division rounds right (Clinger, "How to Read Floating Point Numbers Accurately", 1990). Else
 * the digits are multiplied by the first 128 bits of the power of ten, and the result is right
 * unless the bits after the 53rd could still carry (Lemire, "Number Parsing at a Gigabyte per
 * Second", 2021); those rare cases and subnormal results are left to the caller.
 */
final class Doubles {
  private static final double[] EXACT_POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };
  private static final int MAX_EXACT_POWER = 22;
  private static final int LEAST_POWER = -342;
  private static final int GREATEST_POWER = 308;

  private Doubles() {}

  /**
   * The double nearest to {@code mantissa * 10^power}, or NaN if that is not for certain.
   *
   * @param mantissa unsigned
   */
  static double of(long mantissa, int power) {
    if (mantissa == 0) {
      return 0;
    }
    if (mantissa >>> 53 == 0 && power >= -MAX_EXACT_POWER && power <= MAX_EXACT_POWER) {
      return power < 0 ? mantissa / EXACT_POWERS[-power] : mantissa * EXACT_POWERS[power];
    }
    if (power < LEAST_POWER) {
      return 0;
    }
    return power > GREATEST_POWER ? Double.POSITIVE_INFINITY : scaled(mantissa, power);
  }

  private static double scaled(long mantissa, int power) {
    int leadingZeros = Long.numberOfLeadingZeros(mantissa);
    long digits = mantissa << leadingZeros;
    int index = (power - LEAST_POWER) * 2;
    long high = Math.unsignedMultiplyHigh(digits, Powers.BITS[index]);
    long low = digits * Powers.BITS[index];
    if ((high & 0x1FF) == 0x1FF) {
      long carry = Math.unsignedMultiplyHigh(digits, Powers.BITS[index + 1]);
      low += carry;
      if (Long.compareUnsigned(carry, low) > 0) {
        high++;
      }
      if (low == -1 && (power < -27 || power > 55)) {
        return Double.NaN;
      }
    }
    int upperBit = (int) (high >>> 63);
    long bits = high >>> (upperBit + 9);
    int binaryPower = (((152170 + 65536) * power) >> 16) + 63 + upperBit - leadingZeros + 1023;
    if (binaryPower <= 0) {
      return Double.NaN;
    }
    boolean halfway = (low == 0 || low == 1) && power >= -4 && power <= 23 && (bits & 3) == 1;
    if (halfway && bits << (upperBit + 9) == high) {
      bits &= ~1L;
    }
    bits = (bits + (bits & 1)) >>> 1;
    if (bits >>> 53 != 0) {
      bits = 1L << 52;
      binaryPower++;
    }
    if (binaryPower >= 0x7FF) {
      return Double.POSITIVE_INFINITY;
    }
    return Double.longBitsToDouble((bits & ~(1L << 52)) | (long) binaryPower << 52);
  }

  /** Made when the first number needs it: many streams never do. */
  private static final class Powers {
    /** The first 128 bits of each power of five, high word first; negative powers rounded up. */
    static final long[] BITS = bits();

    private static long[] bits() {
      long[] bits = new long[(GREATEST_POWER - LEAST_POWER + 1) * 2];
      BigInteger five = BigInteger.valueOf(5);
      for (int power = LEAST_POWER; power <= GREATEST_POWER; power++) {
        BigInteger exact = five.pow(Math.abs(power));
        BigInteger head;
        if (power >= 0) {
          head = exact.shiftLeft(128).shiftRight(exact.bitLength());
        } else {
          int width = exact.subtract(BigInteger.ONE).bitLength();
          int shift = power >= -27 ? width + 127 : 2 * width + 128;
          head = BigInteger.ONE.shiftLeft(shift).divide(exact).add(BigInteger.ONE);
          head = head.shiftRight(Math.max(0, head.bitLength() - 128));
        }
        int index = (power - LEAST_POWER) * 2;
        bits[index] = head.shiftRight(64).longValue();
        bits[index + 1] = head.longValue();
      }
      return bits;
    }
  }
}
