package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The fast way must give the bits that {@link Double#parseDouble} gives, without exception. */
final class DoublesTest {
  private final NumberScanner scanner = new NumberScanner();

  private void check(String text) {
    byte[] bytes = ("[" + text + "]").getBytes(US_ASCII);
    assertThat(scanner.scan(bytes, 1, bytes.length)).as(text).isEqualTo(bytes.length - 1);
    assertThat(Double.doubleToRawLongBits(scanner.doubleValue()))
        .as(text)
        .isEqualTo(Double.doubleToRawLongBits(Double.parseDouble(text)));
    assertThat(Float.floatToRawIntBits(scanner.floatValue()))
        .as(text)
        .isEqualTo(Float.floatToRawIntBits(Float.parseFloat(text)));
  }

  @Test
  void theEdgesOfTheDoublesAreRead() {
    for (String text :
        new String[] {
          "0",
          "-0",
          "0.0",
          "-0.0e5",
          "1",
          "0.1",
          "1e22",
          "1e23",
          "9007199254740993",
          "9007199254740992.5",
          "1.7976931348623157e308",
          "1.7976931348623159e308",
          "1e309",
          "4.9e-324",
          "2.4703282292062328e-324",
          "2.2250738585072011e-308",
          "2.2250738585072014e-308",
          "1e-400",
          "9223372036854775807",
          "9223372036854775808",
          "18446744073709551615",
          "99999999999999999999",
          "123456789012345678901234567890",
          "0.000000000000000000000001",
          "8.5e-323",
          "1.0000000000000002",
          "5e-324",
          "6.0221407E+23",
          "0.30000000000000004",
          "1e99999999999",
          "1e-99999999999",
          "16777217",
          "8388608.5"
        }) {
      check(text);
    }
  }

  @Test
  void randomNumbersAreReadToTheBit() {
    long seed = System.nanoTime();
    System.out.println("DoublesTest seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 300_000; i++) {
      switch (i % 4) {
        case 0 -> {
          double value = Double.longBitsToDouble(random.nextLong());
          check(Double.isFinite(value) ? Double.toString(value) : "1");
        }
        case 1 -> check(random.nextLong(1_000_000_000) / 1e6 + "");
        case 2 ->
            check(Long.toUnsignedString(random.nextLong()) + "e" + (random.nextInt(700) - 350));
        default -> {
          // Half-way between two doubles, where rounding is decided by the last bit.
          long mantissa = (random.nextLong() >>> 11) | 1L << 52;
          check(
              new java.math.BigDecimal(mantissa)
                  .add(new java.math.BigDecimal("0.5"))
                  .multiply(new java.math.BigDecimal(2).pow(random.nextInt(8)))
                  .toPlainString());
        }
      }
    }
  }

  @Test
  void whatIsNoJsonNumberIsNotRead() {
    for (String text : new String[] {"", "-", "+1", "01", ".5", "1.", "1.e5", "1e", "1e+", "e5"}) {
      byte[] bytes = text.getBytes(US_ASCII);
      int end = scanner.scan(bytes, 0, bytes.length);
      assertThat(end == bytes.length && end > 0).as(text).isFalse();
    }
  }
}
