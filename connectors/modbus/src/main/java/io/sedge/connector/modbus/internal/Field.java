package io.sedge.connector.modbus.internal;

import io.sedge.connector.MalformedValueException;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * A column and the register that it is kept in.
 *
 * @param column its position in the table's schema
 * @param type the column's
 */
record Field(String name, int column, Type type, Register register, Scaling scaling) {
  /**
   * Reads the value out of an answer.
   *
   * @param answer the values of a span
   * @param offset where the field's own begin: a number of bits if the span is of bits, else of
   *     registers
   * @throws MalformedValueException if the column cannot hold it
   */
  void decode(byte[] answer, int offset, ColumnBuilder builder) throws MalformedValueException {
    RegisterType kept = register.type();
    if (kept == RegisterType.BOOL) {
      builder.addBoolean(bit(answer, offset));
      return;
    }
    int count = register.span().count();
    if (kept == RegisterType.STRING) {
      builder.addString(text(register.order().text(answer, 2 * offset, count)));
      return;
    }
    long bits = register.order().bits(answer, 2 * offset, count);
    switch (type.kind()) {
      case DECIMAL -> builder.addDecimal(decimal(bits));
      case FLOAT -> builder.addFloat((float) scaled(bits, Float.MAX_VALUE));
      case DOUBLE -> builder.addDouble(scaled(bits, Double.MAX_VALUE));
      case BIGINT -> builder.addLong(whole(bits));
      default -> builder.addInt((int) whole(bits));
    }
  }

  private boolean bit(byte[] answer, int offset) {
    if (!register.isBitOfRegister()) {
      return (answer[offset / 8] >> offset % 8 & 1) == 1;
    }
    return (register.order().bits(answer, 2 * offset, 1) >> register.bit() & 1) == 1;
  }

  private String text(byte[] bytes) throws MalformedValueException {
    int length = 0;
    while (length < register.length() && bytes[length] != 0) {
      length++;
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(bytes, 0, length))
          .toString();
    } catch (CharacterCodingException e) {
      throw new MalformedValueException(
          "column `%s`: the bytes of %s are no text in UTF-8".formatted(name, register.span()));
    }
  }

  /** An integer that fits into 64 bits with its sign. */
  private long whole(long bits) {
    int unused = 64 - 16 * register.span().count();
    return register.type().isSigned() ? bits << unused >> unused : bits;
  }

  private double number(long bits) {
    return switch (register.type()) {
      case FLOAT32 -> Float.intBitsToFloat((int) bits);
      case FLOAT64 -> Double.longBitsToDouble(bits);
      case UINT64 -> exact(bits).doubleValue();
      default -> whole(bits);
    };
  }

  /** The value; one that only scaling makes infinite is none. */
  private double scaled(long bits, double most) throws MalformedValueException {
    double number = number(bits);
    double value = scaling.apply(number);
    if (Double.isFinite(number) && !(Math.abs(value) <= most)) {
      throw new MalformedValueException(
          "column `%s`: %s holds %s, which scaled is more than %s holds"
              .formatted(name, register.span(), number, type));
    }
    return value;
  }

  private BigDecimal decimal(long bits) throws MalformedValueException {
    BigDecimal raw;
    if (register.type().isInteger()) {
      raw = exact(bits);
    } else {
      double number = number(bits);
      if (!Double.isFinite(number)) {
        throw new MalformedValueException(
            "column `%s`: %s holds %s, which %s has no value for"
                .formatted(name, register.span(), number, type));
      }
      raw = BigDecimal.valueOf(number);
    }
    BigDecimal value = scaling.apply(raw);
    BigDecimal fitting = type.fit(value);
    if (fitting == null) {
      throw new MalformedValueException(
          "column `%s`: %s holds %s, which does not fit %s"
              .formatted(name, register.span(), value.toPlainString(), type));
    }
    return fitting;
  }

  private BigDecimal exact(long bits) {
    return register.type() == RegisterType.UINT64
        ? new BigDecimal(new BigInteger(Long.toUnsignedString(bits)))
        : BigDecimal.valueOf(whole(bits));
  }

  /**
   * The registers that hold a value, or one byte, 0 or 1, for a coil.
   *
   * @param value in the object form of the column's type
   * @throws MalformedValueException if registers cannot hold it
   */
  byte[] encode(Object value) throws MalformedValueException {
    if (value instanceof Boolean on) {
      return new byte[] {(byte) (on ? 1 : 0)};
    }
    int count = register.span().count();
    byte[] bytes = new byte[2 * count];
    if (value instanceof String text) {
      byte[] given = text.getBytes(StandardCharsets.UTF_8);
      if (given.length > register.length()) {
        throw new MalformedValueException(
            "column `%s`: the text has %d bytes, more than %d"
                .formatted(name, given.length, register.length()));
      }
      System.arraycopy(given, 0, bytes, 0, given.length);
      return register.order().text(bytes, 0, count);
    }
    register.order().put(toBits((Number) value), bytes, 0, count);
    return bytes;
  }

  private long toBits(Number value) throws MalformedValueException {
    return switch (register.type()) {
      case FLOAT32 -> floatBits(value) & 0xFFFF_FFFFL;
      case FLOAT64 -> Double.doubleToRawLongBits(doubleValue(value));
      default -> wholeBits(value);
    };
  }

  private double doubleValue(Number value) throws MalformedValueException {
    double number = scaling.invert(value.doubleValue());
    if (!Double.isFinite(number) && Double.isFinite(value.doubleValue())) {
      throw tooMuch(value);
    }
    return number;
  }

  private MalformedValueException tooMuch(Number value) {
    return new MalformedValueException(
        "column `%s`: %s is more than %s holds".formatted(name, value, register.type()));
  }

  private int floatBits(Number value) throws MalformedValueException {
    double number = doubleValue(value);
    float kept = (float) number;
    if (Float.isInfinite(kept) && Double.isFinite(number)) {
      throw tooMuch(value);
    }
    return Float.floatToRawIntBits(kept);
  }

  private long wholeBits(Number value) throws MalformedValueException {
    BigInteger whole = nearest(value);
    int size = 16 * register.span().count();
    boolean fits =
        register.type().isSigned()
            ? whole.bitLength() < size
            : whole.signum() >= 0 && whole.bitLength() <= size;
    if (!fits) {
      throw new MalformedValueException(
          "column `%s`: %s is %s in the register, which %s does not hold"
              .formatted(name, value, whole, register.type()));
    }
    return whole.longValue();
  }

  private BigInteger nearest(Number value) throws MalformedValueException {
    double number = value.doubleValue();
    if (!Double.isFinite(number)) {
      throw new MalformedValueException(
          "column `%s`: %s is not a number that %s holds".formatted(name, value, register.type()));
    }
    BigDecimal exact =
        value instanceof BigDecimal decimal ? decimal : new BigDecimal(value.toString());
    return scaling.invert(exact).setScale(0, RoundingMode.HALF_UP).toBigIntegerExact();
  }
}
