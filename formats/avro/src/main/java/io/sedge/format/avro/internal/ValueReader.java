package io.sedge.format.avro.internal;

import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.io.ResolvingDecoder;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/** Reads the values of a column, or those within a value, in the reader's schema. One thread. */
final class ValueReader {
  private static final long MICROS_PER_MILLI = 1_000;
  private static final long MICROS_PER_DAY = 86_400_000_000L;
  private static final int MILLIS_PER_DAY = 86_400_000;

  private final String column;
  private final Type type;
  private final boolean isUnion;
  private final Schema schema;
  private final ElementBudget budget;
  private final List<ValueReader> children = new ArrayList<>();

  /** Of a timestamp's last digit. */
  private final long unitMicros;

  private Utf8 text = new Utf8();
  private @Nullable ByteBuffer bytes;

  /**
   * @param column for messages
   * @param schema a union with null, null first, where the type is nullable
   */
  ValueReader(String column, Type type, Schema schema, ElementBudget budget) {
    this.column = column;
    this.type = type;
    this.isUnion = schema.getType() == Schema.Type.UNION;
    this.schema = isUnion ? schema.getTypes().get(1) : schema;
    this.budget = budget;
    this.unitMicros = type.kind().isTimestamp() ? unitMicros(type.precision()) : 1;
    switch (this.schema.getType()) {
      case ARRAY ->
          children.add(
              new ValueReader(
                  column, type.children().getFirst(), this.schema.getElementType(), budget));
      case RECORD ->
          this.schema
              .getFields()
              .forEach(
                  field ->
                      children.add(
                          new ValueReader(
                              column + "." + field.name(),
                              type.children().get(field.pos()),
                              field.schema(),
                              budget)));
      default -> {}
    }
  }

  private static long unitMicros(int precision) {
    long unit = 1;
    for (int digit = precision; digit < Type.MAX_TIMESTAMP_PRECISION; digit++) {
      unit *= 10;
    }
    return unit;
  }

  /** Reads a value into its column. */
  void into(ResolvingDecoder input, ColumnBuilder builder)
      throws IOException, MalformedPayloadException {
    if (isNull(input)) {
      builder.addNull();
      return;
    }
    switch (type.kind()) {
      case BOOLEAN -> builder.addBoolean(input.readBoolean());
      case INT, DATE -> builder.addInt(input.readInt());
      case BIGINT -> builder.addLong(input.readLong());
      case FLOAT -> builder.addFloat(input.readFloat());
      case DOUBLE -> builder.addDouble(input.readDouble());
      case TIMESTAMP, TIMESTAMP_LTZ -> builder.addLong(micros(input));
      case CHAR, VARCHAR -> {
        if (schema.getType() == Schema.Type.ENUM) {
          builder.addString(symbol(input));
          return;
        }
        text = input.readString(text);
        if (!builder.addUtf8(text.getBytes(), 0, text.getByteLength())) {
          throw malformed("is not UTF-8");
        }
      }
      case TINYINT, SMALLINT, DECIMAL, TIME, ARRAY, ROW -> builder.add(value(input));
      case INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, NULL -> throw new IllegalStateException();
    }
  }

  private boolean isNull(ResolvingDecoder input) throws IOException {
    if (isUnion && input.readIndex() == 0) {
      input.readNull();
      return true;
    }
    return false;
  }

  private @Nullable Object object(ResolvingDecoder input)
      throws IOException, MalformedPayloadException {
    return isNull(input) ? null : value(input);
  }

  private Object value(ResolvingDecoder input) throws IOException, MalformedPayloadException {
    return switch (type.kind()) {
      case BOOLEAN -> input.readBoolean();
      case TINYINT -> within(input.readInt(), Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT -> within(input.readInt(), Short.MIN_VALUE, Short.MAX_VALUE);
      case INT, DATE -> input.readInt();
      case BIGINT -> input.readLong();
      case FLOAT -> input.readFloat();
      case DOUBLE -> input.readDouble();
      case CHAR, VARCHAR ->
          schema.getType() == Schema.Type.ENUM ? symbol(input) : input.readString();
      case TIME -> time(input);
      case TIMESTAMP, TIMESTAMP_LTZ -> micros(input);
      case DECIMAL -> decimal(input);
      case ARRAY -> array(input);
      case ROW -> row(input);
      case INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, NULL -> throw new IllegalStateException();
    };
  }

  private int within(int value, int least, int most) throws MalformedPayloadException {
    if (value < least || value > most) {
      throw malformed("is %d, which %s does not hold".formatted(value, type));
    }
    return value;
  }

  private String symbol(ResolvingDecoder input) throws IOException {
    return schema.getEnumSymbols().get(input.readEnum());
  }

  /** In the precision of the column. */
  private long micros(ResolvingDecoder input) throws IOException {
    long micros = TimeUnits.toMicros(schema, input.readLong());
    return micros - Math.floorMod(micros, unitMicros);
  }

  private int time(ResolvingDecoder input) throws IOException, MalformedPayloadException {
    if (schema.getType() == Schema.Type.INT) {
      return within(input.readInt(), 0, MILLIS_PER_DAY - 1);
    }
    long micros = input.readLong();
    if (micros < 0 || micros >= MICROS_PER_DAY) {
      throw malformed("is %d µs, which is no time of a day".formatted(micros));
    }
    return (int) (micros / MICROS_PER_MILLI);
  }

  private BigDecimal decimal(ResolvingDecoder input) throws IOException, MalformedPayloadException {
    byte[] unscaled;
    if (schema.getType() == Schema.Type.FIXED) {
      unscaled = new byte[schema.getFixedSize()];
      input.readFixed(unscaled);
    } else {
      ByteBuffer read = input.readBytes(bytes);
      bytes = read;
      unscaled = new byte[read.remaining()];
      read.get(unscaled);
    }
    if (unscaled.length == 0) {
      throw malformed("is a decimal without a digit");
    }
    int scale = ((LogicalTypes.Decimal) schema.getLogicalType()).getScale();
    BigDecimal fit = type.fit(new BigDecimal(new BigInteger(unscaled), scale));
    if (fit == null) {
      throw malformed("has more digits than %s".formatted(type));
    }
    return fit;
  }

  private List<@Nullable Object> array(ResolvingDecoder input)
      throws IOException, MalformedPayloadException {
    List<@Nullable Object> elements = new ArrayList<>();
    for (long left = input.readArrayStart(); left != 0; left = input.arrayNext()) {
      budget.spend(left);
      for (long i = 0; i < left; i++) {
        elements.add(children.getFirst().object(input));
      }
    }
    return elements;
  }

  private List<@Nullable Object> row(ResolvingDecoder input)
      throws IOException, MalformedPayloadException {
    @Nullable Object[] values = new Object[children.size()];
    for (Schema.Field field : input.readFieldOrder()) {
      values[field.pos()] = children.get(field.pos()).object(input);
    }
    return Arrays.asList(values);
  }

  private MalformedPayloadException malformed(String what) {
    return new MalformedPayloadException("`%s`: %s".formatted(column, what));
  }
}
