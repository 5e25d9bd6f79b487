package io.sedge.connector.modbus.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.MalformedValueException;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class FieldTest {
  private static final RegisterParser PARSER =
      new RegisterParser(RegisterParser.Addressing.PROTOCOL, ByteOrder.BE);

  private static Field field(String register, Type type, String scale, String offset) {
    return new Field(
        "v",
        0,
        type,
        PARSER.parse(register),
        new Scaling(new BigDecimal(scale), new BigDecimal(offset)));
  }

  private static @Nullable Object decode(Field field, String hex, int offset)
      throws MalformedValueException {
    ColumnBuilder builder = ColumnBuilder.of(field.type());
    field.decode(HexFormat.of().parseHex(hex), offset, builder);
    return builder.build().value(0);
  }

  static Stream<Arguments> values() {
    return Stream.of(
        Arguments.of("holding:0:int16", Type.SMALLINT, "fffe", -2),
        Arguments.of("holding:0:int16:le", Type.INT, "feff", -2),
        Arguments.of("holding:0", Type.INT, "fffe", 65534),
        Arguments.of("holding:0:uint16:le-swap", Type.INT, "0102", 0x0102),
        Arguments.of("holding:0:uint16:be-swap", Type.INT, "0102", 0x0201),
        Arguments.of("holding:0:int32", Type.INT, "80000001", -2147483647),
        Arguments.of("holding:0:uint32", Type.BIGINT, "80000001", 2147483649L),
        Arguments.of("holding:0:int64", Type.BIGINT, "fffffffffffffffe", -2L),
        Arguments.of(
            "holding:0:uint64",
            Type.decimal(20, 0),
            "ffffffffffffffff",
            new BigDecimal("18446744073709551615")),
        Arguments.of("holding:0:float32", Type.FLOAT, "41ac0000", 21.5f),
        Arguments.of("holding:0:float32:le", Type.DOUBLE, "0000ac41", 21.5),
        Arguments.of("holding:0:float32:be-swap", Type.DOUBLE, "ac410000", 21.5),
        Arguments.of("holding:0:float32:le-swap", Type.DOUBLE, "000041ac", 21.5),
        Arguments.of("holding:0:float32", Type.DOUBLE, "7fc00000", Double.NaN),
        Arguments.of("holding:0:float64", Type.DOUBLE, "4035800000000000", 21.5),
        Arguments.of("holding:0:float64:le", Type.DOUBLE, "0000000000803540", 21.5),
        Arguments.of("holding:0:float64:be-swap", Type.DOUBLE, "3540008000000000", 21.5),
        Arguments.of("holding:0:float64:le-swap", Type.DOUBLE, "0000000080004035", 21.5),
        Arguments.of("holding:0:string(5)", Type.STRING, "50756d703700", "Pump7"),
        Arguments.of("holding:0:string(6)", Type.STRING, "50756d000041", "Pum"),
        Arguments.of("holding:0:string(4):be-swap", Type.STRING, "7550706d", "Pump"));
  }

  @ParameterizedTest
  @MethodSource("values")
  void everyTypeIsReadInEveryOrderAndWrittenAsItIsRead(
      String register, Type type, String hex, Object value) throws MalformedValueException {
    Field field = field(register, type, "1", "0");
    assertThat(decode(field, hex, 0)).isEqualTo(value);
    if (!hex.equals("50756d000041")) { // what stands after the end of a text is not kept
      assertThat(HexFormat.of().formatHex(field.encode(value))).isEqualTo(hex);
    }
  }

  @Test
  void aValueIsReadAtItsOffset() throws MalformedValueException {
    assertThat(decode(field("holding:7", Type.INT, "1", "0"), "000100020003", 1)).isEqualTo(2);
    assertThat(decode(field("coil:9", Type.BOOLEAN, "1", "0"), "0002", 9)).isEqualTo(true);
    assertThat(decode(field("coil:9", Type.BOOLEAN, "1", "0"), "fffd", 9)).isEqualTo(false);
  }

  // Bit 0 is the least significant.
  @Test
  void bitsOfARegisterAreCountedFromTheLowest() throws MalformedValueException {
    assertThat(decode(field("holding:0.0", Type.BOOLEAN, "1", "0"), "0001", 0)).isEqualTo(true);
    assertThat(decode(field("holding:0.15", Type.BOOLEAN, "1", "0"), "8000", 0)).isEqualTo(true);
    assertThat(decode(field("holding:0.8", Type.BOOLEAN, "1", "0"), "0001", 0)).isEqualTo(false);
  }

  @Test
  void scaleAndOffsetGiveTheNumberThatAPersonWouldWrite() throws MalformedValueException {
    assertThat(decode(field("holding:0", Type.DOUBLE, "0.1", "0"), "0003", 0)).isEqualTo(0.3);
    assertThat(decode(field("holding:0", Type.DOUBLE, "0.01", "-40"), "1f40", 0)).isEqualTo(40.0);
    assertThat(decode(field("holding:0:int16", Type.decimal(6, 2), "0.25", "1"), "ffff", 0))
        .isEqualTo(new BigDecimal("0.75"));
    assertThat(decode(field("holding:0:float32", Type.DOUBLE, "10", "0"), "7fc00000", 0))
        .isEqualTo(Double.NaN);
  }

  @Test
  void whatIsWrittenIsTheNearestNumberOfTheRegister() throws MalformedValueException {
    assertThat(field("holding:0", Type.DOUBLE, "0.1", "-40").encode(21.54))
        .isEqualTo(HexFormat.of().parseHex("0267"));
    assertThat(field("coil:0", Type.BOOLEAN, "1", "0").encode(true)).isEqualTo(new byte[] {1});
  }

  static Stream<Arguments> unwritable() {
    return Stream.of(
        Arguments.of(
            "holding:0", Type.INT, -1, "is -1 in the register, which uint16 does not hold"),
        Arguments.of("holding:0:int16", Type.INT, 32768, "which int16 does not hold"),
        Arguments.of("holding:0", Type.DOUBLE, Double.NaN, "is not a number that uint16 holds"),
        Arguments.of("holding:0:float32", Type.DOUBLE, 1e300, "is more than float32 holds"),
        Arguments.of("holding:0:string(2)", Type.STRING, "abc", "has 3 bytes, more than 2"));
  }

  @ParameterizedTest
  @MethodSource("unwritable")
  void whatARegisterDoesNotHoldIsNotWritten(
      String register, Type type, Object value, String message) {
    assertThatThrownBy(() -> field(register, type, "1", "0").encode(value))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aValueThatItsColumnDoesNotHoldIsMalformed() {
    assertThatThrownBy(
            () -> decode(field("holding:0:float32", Type.decimal(4, 1), "1", "0"), "7fc00000", 0))
        .isInstanceOf(MalformedValueException.class)
        .hasMessage("column `v`: holding 0 to 1 holds NaN, which DECIMAL(4, 1) has no value for");
    assertThatThrownBy(
            () -> decode(field("holding:0:float32", Type.decimal(4, 1), "1", "0"), "461c4000", 0))
        .hasMessageContaining("holds 10000.0, which does not fit DECIMAL(4, 1)");
    assertThatThrownBy(() -> decode(field("holding:0:string(2)", Type.STRING, "1", "0"), "ff41", 0))
        .hasMessageContaining("are no text in UTF-8");
  }

  // Infinity in a register is a value; one that scaling makes is a mistake.
  @Test
  void whatOnlyScalingMakesInfiniteIsNoValue() throws MalformedValueException {
    Field large = field("holding:0:float32", Type.DOUBLE, "1e300", "0");
    assertThatThrownBy(() -> decode(large, "7f000000", 0))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageEndingWith("which scaled is more than DOUBLE holds");
    assertThat(decode(large, "7f800000", 0)).isEqualTo(Double.POSITIVE_INFINITY);
    Field single = field("holding:0:float32", Type.FLOAT, "1e10", "0");
    assertThatThrownBy(() -> decode(single, "7f000000", 0))
        .isInstanceOf(MalformedValueException.class)
        .hasMessageEndingWith("which scaled is more than FLOAT holds");
    Field small = field("holding:0:float64", Type.DOUBLE, "1e-300", "0");
    assertThatThrownBy(() -> small.encode(1e300))
        .isInstanceOf(MalformedValueException.class)
        .hasMessage("column `v`: 1.0E300 is more than float64 holds");
  }
}
