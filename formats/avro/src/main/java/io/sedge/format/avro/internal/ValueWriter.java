package io.sedge.format.avro.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.format.MalformedRowException;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;
import org.apache.avro.util.Utf8;
import org.jspecify.annotations.Nullable;

/** Writes the values of a column, or those within a value, as a schema has them. One thread. */
final class ValueWriter {
  private static final long MICROS_PER_MILLI = 1_000;

  private final String column;
  private final Type type;
  private final Schema schema;

  /** The branch of a union that is null, or -1, and the one that is not. */
  private final int nullBranch;

  private final int valueBranch;
  private final boolean isUnion;
  private final List<ValueWriter> children = new ArrayList<>();

  /**
   * @param column for messages
   * @throws ConnectorException of kind USER if the type does not fit the schema
   */
  ValueWriter(String column, Type type, Schema given) {
    this.column = column;
    this.type = type;
    this.isUnion = given.getType() == Schema.Type.UNION;
    List<Schema> branches = isUnion ? given.getTypes() : List.of(given);
    List<Schema.Type> types = branches.stream().map(Schema::getType).toList();
    this.nullBranch = types.indexOf(Schema.Type.NULL);
    List<Schema> others =
        branches.stream().filter(branch -> branch.getType() != Schema.Type.NULL).toList();
    if (others.size() != 1 || !fits(type, others.getFirst())) {
      throw unfit("is %s, but the schema has %s".formatted(type, given));
    }
    this.schema = others.getFirst();
    this.valueBranch = branches.indexOf(schema);
    if (type.nullable() && nullBranch < 0) {
      throw unfit("may be NULL, but not in the schema: declare it NOT NULL, or the field a union");
    }
    addChildren();
  }

  private void addChildren() {
    if (schema.getType() == Schema.Type.ARRAY) {
      children.add(new ValueWriter(column, type.children().getFirst(), schema.getElementType()));
    } else if (schema.getType() == Schema.Type.RECORD) {
      for (Schema.Field field : schema.getFields()) {
        int index = type.names().indexOf(field.name());
        if (index < 0) {
          throw unfit("has no field `%s`, which the schema has".formatted(field.name()));
        }
        children.add(
            new ValueWriter(
                column + "." + field.name(), type.children().get(index), field.schema()));
      }
      if (children.size() < type.names().size()) {
        throw unfit("is %s, which has fields that the schema has not".formatted(type));
      }
    }
  }

  private static boolean fits(Type type, Schema schema) {
    Schema.Type its = schema.getType();
    return switch (type.kind()) {
      case BOOLEAN -> its == Schema.Type.BOOLEAN;
      case TINYINT, SMALLINT, INT -> its == Schema.Type.INT || its == Schema.Type.LONG;
      case BIGINT -> its == Schema.Type.LONG;
      case FLOAT -> its == Schema.Type.FLOAT || its == Schema.Type.DOUBLE;
      case DOUBLE -> its == Schema.Type.DOUBLE;
      case CHAR, VARCHAR -> its == Schema.Type.STRING || its == Schema.Type.ENUM;
      case DATE -> its == Schema.Type.INT;
      case TIME ->
          schema.getLogicalType() instanceof LogicalTypes.TimeMillis
              || schema.getLogicalType() instanceof LogicalTypes.TimeMicros;
      case TIMESTAMP, TIMESTAMP_LTZ -> TimeUnits.isTimestamp(schema);
      case DECIMAL ->
          schema.getLogicalType() instanceof LogicalTypes.Decimal decimal
              && decimal.getScale() >= type.scale()
              && decimal.getPrecision() - decimal.getScale() >= type.precision() - type.scale();
      case ARRAY -> its == Schema.Type.ARRAY;
      case ROW -> its == Schema.Type.RECORD;
      case INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, NULL -> false;
    };
  }

  /**
   * Writes a value.
   *
   * @throws MalformedRowException if the schema cannot hold it
   */
  void write(@Nullable Object value, Encoder output) throws IOException, MalformedRowException {
    if (value == null) {
      if (nullBranch < 0) {
        throw malformed("is NULL, but not in the schema");
      }
      if (isUnion) {
        output.writeIndex(nullBranch);
      }
      output.writeNull();
      return;
    }
    if (isUnion) {
      output.writeIndex(valueBranch);
    }
    switch (schema.getType()) {
      case BOOLEAN -> output.writeBoolean((Boolean) value);
      case INT -> output.writeInt((Integer) value);
      case LONG -> output.writeLong(wide(((Number) value).longValue()));
      case FLOAT -> output.writeFloat((Float) value);
      case DOUBLE -> output.writeDouble(((Number) value).doubleValue());
      case STRING -> output.writeString(new Utf8((String) value));
      case ENUM -> output.writeEnum(symbol((String) value));
      case BYTES -> output.writeBytes(ByteBuffer.wrap(unscaled((BigDecimal) value)));
      case FIXED -> output.writeFixed(widened(unscaled((BigDecimal) value)));
      case ARRAY -> array((List<?>) value, output);
      case RECORD -> row((List<?>) value, output);
      case MAP, UNION, NULL -> throw new IllegalStateException("no column fits " + schema);
    }
  }

  /** What a long of the schema is made of a column's number. */
  private long wide(long value) throws MalformedRowException {
    return switch (type.kind()) {
      case TIMESTAMP, TIMESTAMP_LTZ -> {
        try {
          yield TimeUnits.ofMicros(schema, value);
        } catch (ArithmeticException e) {
          throw malformed("has a time that nanoseconds do not hold");
        }
      }
      case TIME -> value * MICROS_PER_MILLI;
      default -> value;
    };
  }

  private int symbol(String value) throws MalformedRowException {
    if (!schema.hasEnumSymbol(value)) {
      throw malformed("is '%s', which is not one of %s".formatted(value, schema.getEnumSymbols()));
    }
    return schema.getEnumOrdinal(value);
  }

  private byte[] unscaled(BigDecimal value) {
    int scale = ((LogicalTypes.Decimal) schema.getLogicalType()).getScale();
    return value.setScale(scale).unscaledValue().toByteArray();
  }

  private byte[] widened(byte[] bytes) {
    byte[] wide = new byte[schema.getFixedSize()];
    Arrays.fill(wide, 0, wide.length - bytes.length, bytes[0] < 0 ? (byte) -1 : 0);
    System.arraycopy(bytes, 0, wide, wide.length - bytes.length, bytes.length);
    return wide;
  }

  private void array(List<?> elements, Encoder output) throws IOException, MalformedRowException {
    output.writeArrayStart();
    output.setItemCount(elements.size());
    for (Object element : elements) {
      output.startItem();
      children.getFirst().write(element, output);
    }
    output.writeArrayEnd();
  }

  private void row(List<?> values, Encoder output) throws IOException, MalformedRowException {
    for (Schema.Field field : schema.getFields()) {
      Object value = values.get(type.names().indexOf(field.name()));
      children.get(field.pos()).write(value, output);
    }
  }

  private MalformedRowException malformed(String what) {
    return new MalformedRowException("column `%s` %s".formatted(column, what));
  }

  private ConnectorException unfit(String what) {
    return SchemaMapping.user("column `%s` %s".formatted(column, what));
  }
}
