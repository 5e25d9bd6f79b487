package io.sedge.cli.internal.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CellsTest {
  private final Cells cells = new Cells(ZoneOffset.UTC);

  @ParameterizedTest
  @CsvSource({
    "0.0, 0",
    "-0.0, 0",
    "1.0, 1",
    "0.1, 0.1",
    "33.333333333333336, 33.3333",
    "-2.5, -2.5",
    "100000.0, 100000",
    "1234567.0, 1234570",
    "999999.6, 1000000",
    "0.00012345678, 0.000123457",
    "0.00001, 1e-5",
    "-1.5E12, -1.5e12",
    "1.23456789E300, 1.23457e300",
    "NaN, NaN",
    "-Infinity, -Infinity"
  })
  void doublesAreRoundedToSixDigits(double value, String text) {
    assertThat(cells.text(Type.DOUBLE, value)).isEqualTo(text);
  }

  @Test
  void exactTypesAreExact() {
    assertThat(cells.text(Type.BIGINT, Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
    assertThat(cells.text(Type.decimal(20, 3), new BigDecimal("12345678901234.500")))
        .isEqualTo("12345678901234.500");
    assertThat(cells.text(Type.BOOLEAN, true)).isEqualTo("true");
    assertThat(cells.text(Type.STRING, null)).isEqualTo("NULL");
  }

  @Test
  void timesHaveTheDigitsOfTheirType() {
    long micros = 1_700_000_000_123_456L;
    assertThat(cells.text(Type.timestamp(3), micros)).isEqualTo("2023-11-14 22:13:20.123");
    assertThat(cells.text(Type.timestamp(0), micros)).isEqualTo("2023-11-14 22:13:20");
    assertThat(cells.text(Type.timestamp(6), -1L)).isEqualTo("1969-12-31 23:59:59.999999");
    assertThat(cells.text(Type.DATE, -1)).isEqualTo("1969-12-31");
    assertThat(cells.text(Type.TIME, 3_723_000)).isEqualTo("01:02:03");
  }

  @Test
  void instantsAreShownInTheZone() {
    Cells berlin = new Cells(ZoneId.of("Europe/Berlin"));
    assertThat(berlin.text(Type.timestampLtz(0), 0L)).isEqualTo("1970-01-01 01:00:00");
    assertThat(berlin.text(Type.timestamp(0), 0L)).isEqualTo("1970-01-01 00:00:00");
  }

  @Test
  void arraysAndRowsAreShownWithTheirParts() {
    assertThat(cells.text(Type.array(Type.INT), Arrays.asList(1, null))).isEqualTo("[1, NULL]");
    Type row = Type.row(List.of("a", "b"), List.of(Type.STRING, Type.DOUBLE));
    assertThat(cells.text(row, List.of("x", 0.5))).isEqualTo("(x, 0.5)");
  }

  /** A name from the network must not be able to move the cursor or ring the bell. */
  @Test
  void controlCharactersAreNotPassedOnToTheTerminal() {
    assertThat(cells.text(Type.STRING, "a\u001b[2Jb\nc")).isEqualTo("a·[2Jb·c");
  }
}
