package io.sedge.format.protobuf.internal;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.MalformedRowException;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A column, or a field of a ROW within one, and the field of a message that it is. Immutable.
 *
 * <p>Types are Flink's: INT for all integers of 32 bits and BIGINT for those of 64, STRING or an
 * integer for an enum, ARRAY for what is repeated, ROW for a message. Beyond Flink a BIGINT takes
 * an unsigned integer of 32 bits as it is, a STRING takes bytes in Base64, a timestamp {@code
 * google.protobuf.Timestamp}, and ARRAY&lt;ROW&lt;key, value&gt;&gt; a map.
 */
final class FieldMapping {
  private static final String TIMESTAMP = "google.protobuf.Timestamp";
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final int NANOS_PER_MICRO = 1_000;

  private final String path;

  /** Of a value; of an element where the field is repeated. */
  private final Type type;

  private final FieldDescriptor field;

  /** Of a message's fields, in the order of the ROW. */
  private final List<FieldMapping> children;

  /** Of a timestamp's last digit. */
  private final long unitMicros;

  private FieldMapping(String path, Type type, FieldDescriptor field, List<FieldMapping> children) {
    this.path = path;
    this.type = type;
    this.field = field;
    this.children = children;
    this.unitMicros =
        type.kind().isTimestamp()
            ? (long) Math.pow(10, Type.MAX_TIMESTAMP_PRECISION - type.precision())
            : 1;
  }

  /**
   * The mappings of columns by name.
   *
   * @param parent what stands before their names in messages
   * @throws ConnectorException of kind USER if a name or a type does not fit
   */
  static List<FieldMapping> of(
      Descriptor message, String parent, List<String> names, List<Type> types) {
    List<FieldMapping> mappings = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String path = parent + names.get(i);
      FieldDescriptor field = message.findFieldByName(names.get(i));
      if (field == null) {
        throw user(
            "column `%s` is no field of the message %s, which has %s"
                .formatted(
                    path,
                    message.getFullName(),
                    message.getFields().stream()
                        .map(FieldDescriptor::getName)
                        .collect(Collectors.joining(", "))));
      }
      mappings.add(of(path, types.get(i), field));
    }
    return mappings;
  }

  private static FieldMapping of(String path, Type whole, FieldDescriptor field) {
    if (field.isRepeated() != (whole.kind() == Kind.ARRAY)) {
      throw unfit(path, whole, field);
    }
    Type type = field.isRepeated() ? whole.children().getFirst() : whole;
    if (!fits(type.kind(), field)) {
      throw unfit(path, whole, field);
    }
    List<FieldMapping> children =
        type.kind() == Kind.ROW
            ? of(field.getMessageType(), path + ".", type.names(), type.children())
            : List.of();
    return new FieldMapping(path, type, field, children);
  }

  private static boolean fits(Kind kind, FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case BOOLEAN -> kind == Kind.BOOLEAN;
      case INT -> kind == Kind.INT || (kind == Kind.BIGINT && isUnsigned(field));
      case LONG -> kind == Kind.BIGINT;
      case FLOAT -> kind == Kind.FLOAT;
      case DOUBLE -> kind == Kind.DOUBLE;
      case STRING, BYTE_STRING -> kind.isString();
      case ENUM -> kind.isString() || kind.isInteger();
      case MESSAGE -> kind == Kind.ROW || (kind.isTimestamp() && isTimestamp(field));
    };
  }

  private static boolean isUnsigned(FieldDescriptor field) {
    return field.getType() == FieldDescriptor.Type.UINT32
        || field.getType() == FieldDescriptor.Type.FIXED32;
  }

  private static boolean isTimestamp(FieldDescriptor field) {
    return field.getMessageType().getFullName().equals(TIMESTAMP);
  }

  private static ConnectorException unfit(String path, Type type, FieldDescriptor field) {
    return user(
        "column `%s` is %s, but the field is %s; declare it as %s"
            .formatted(path, type, written(field), fitting(field)));
  }

  private static String written(FieldDescriptor field) {
    String one =
        switch (field.getJavaType()) {
          case MESSAGE -> field.getMessageType().getFullName();
          case ENUM -> "the enum " + field.getEnumType().getFullName();
          default -> field.toProto().getType().name().substring("TYPE_".length());
        };
    return field.isRepeated() ? "repeated " + one : one;
  }

  private static String fitting(FieldDescriptor field) {
    String one =
        switch (field.getJavaType()) {
          case INT -> isUnsigned(field) ? "BIGINT" : "INT";
          case LONG -> "BIGINT";
          case BOOLEAN, FLOAT, DOUBLE -> field.getJavaType().name();
          case STRING, BYTE_STRING, ENUM -> "STRING";
          case MESSAGE -> isTimestamp(field) ? "TIMESTAMP_LTZ(6)" : "ROW<…>";
        };
    return field.isRepeated() ? "ARRAY<%s>".formatted(one) : one;
  }

  FieldDescriptor field() {
    return field;
  }

  /**
   * The value of the field in a message.
   *
   * @param defaults whether a field that is not there has its default instead of null
   */
  @Nullable Object read(Message message, boolean defaults) throws MalformedPayloadException {
    if (field.isRepeated()) {
      List<?> elements = (List<?>) message.getField(field);
      if (elements.isEmpty() && !defaults) {
        return null; // As in Flink: nothing tells an empty one.
      }
      List<Object> values = new ArrayList<>(elements.size());
      for (Object element : elements) {
        values.add(value(element, defaults));
      }
      return values;
    }
    if (field.hasPresence() && !message.hasField(field) && !defaults) {
      return null;
    }
    return value(message.getField(field), defaults);
  }

  private Object value(Object read, boolean defaults) throws MalformedPayloadException {
    return switch (field.getJavaType()) {
      case BOOLEAN, LONG, FLOAT, DOUBLE, STRING -> read;
      case INT ->
          type.kind() == Kind.BIGINT ? (Object) Integer.toUnsignedLong((Integer) read) : read;
      case BYTE_STRING -> Base64.getEncoder().encodeToString(((ByteString) read).toByteArray());
      case ENUM -> symbol((EnumValueDescriptor) read);
      case MESSAGE ->
          type.kind() == Kind.ROW ? row((Message) read, defaults) : (Object) micros((Message) read);
    };
  }

  private Object symbol(EnumValueDescriptor symbol) throws MalformedPayloadException {
    int number = symbol.getNumber();
    if (type.kind().isString()) {
      return symbol.getIndex() < 0 ? String.valueOf(number) : symbol.getName();
    }
    boolean held =
        switch (type.kind()) {
          case TINYINT -> number == (byte) number;
          case SMALLINT -> number == (short) number;
          default -> true;
        };
    if (!held) {
      throw new MalformedPayloadException(
          "`%s`: %d is more than %s holds".formatted(path, number, type));
    }
    return type.kind() == Kind.BIGINT ? (Object) (long) number : number;
  }

  private List<@Nullable Object> row(Message message, boolean defaults)
      throws MalformedPayloadException {
    @Nullable Object[] values = new Object[children.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = children.get(i).read(message, defaults);
    }
    return Arrays.asList(values);
  }

  /** In the precision of the column. */
  private long micros(Message timestamp) throws MalformedPayloadException {
    long seconds = (Long) timestamp.getField(timestampField("seconds"));
    int nanos = (Integer) timestamp.getField(timestampField("nanos"));
    try {
      long micros =
          Math.addExact(Math.multiplyExact(seconds, MICROS_PER_SECOND), nanos / NANOS_PER_MICRO);
      return Math.subtractExact(micros, Math.floorMod(micros, unitMicros));
    } catch (ArithmeticException e) {
      throw new MalformedPayloadException("`%s`: a time too far from 1970".formatted(path));
    }
  }

  private FieldDescriptor timestampField(String name) {
    FieldDescriptor found = field.getMessageType().findFieldByName(name);
    if (found == null) {
      throw new IllegalStateException("%s has no %s".formatted(TIMESTAMP, name));
    }
    return found;
  }

  /**
   * Sets the field of a message; null leaves it out.
   *
   * @param nullText what stands for null where an array of texts has it
   * @throws MalformedRowException if the field cannot hold it, or another field of its oneof is set
   *     already
   */
  void write(DynamicMessage.Builder message, @Nullable Object value, String nullText)
      throws MalformedRowException {
    if (value == null) {
      return;
    }
    if (!field.isRepeated()) {
      checkAlone(message);
      message.setField(field, written(value, nullText));
      return;
    }
    for (Object element : (List<?>) value) {
      message.addRepeatedField(
          field, element == null ? nothing(nullText) : written(element, nullText));
    }
  }

  /** A message holds one field of a oneof: the last one set would clear the others. */
  private void checkAlone(Message.Builder message) throws MalformedRowException {
    OneofDescriptor oneof = field.getContainingOneof();
    FieldDescriptor other = oneof == null ? null : message.getOneofFieldDescriptor(oneof);
    if (oneof != null && other != null) {
      String parent = path.substring(0, path.length() - field.getName().length());
      throw malformed(
          "columns `%s%s` and `%s` are both set, but the oneof %s holds one of them: all but one must be NULL in a row"
              .formatted(parent, other.getName(), path, oneof.getName()));
    }
  }

  /** What stands for a null in an array, which Protobuf has not. */
  private Object nothing(String nullText) {
    return switch (field.getJavaType()) {
      case STRING -> nullText;
      case MESSAGE -> DynamicMessage.getDefaultInstance(field.getMessageType());
      case BOOLEAN -> false;
      case INT -> 0;
      case LONG -> 0L;
      case FLOAT -> 0f;
      case DOUBLE -> 0d;
      case BYTE_STRING -> ByteString.EMPTY;
      case ENUM -> field.getEnumType().getValues().getFirst();
    };
  }

  private Object written(Object value, String nullText) throws MalformedRowException {
    return switch (field.getJavaType()) {
      case BOOLEAN, LONG, FLOAT, DOUBLE, STRING -> value;
      case INT -> type.kind() == Kind.BIGINT ? (Object) unsigned((Long) value) : value;
      case BYTE_STRING -> bytes((String) value);
      case ENUM -> symbol(value);
      case MESSAGE -> type.kind() == Kind.ROW ? row(value, nullText) : timestamp((Long) value);
    };
  }

  private static MalformedRowException malformed(String what) {
    return new MalformedRowException(what);
  }

  private int unsigned(long value) throws MalformedRowException {
    if (value != (value & 0xffff_ffffL)) {
      throw malformed(
          "column `%s` is %d, which %s does not hold".formatted(path, value, written(field)));
    }
    return (int) value;
  }

  private ByteString bytes(String value) throws MalformedRowException {
    try {
      return ByteString.copyFrom(Base64.getDecoder().decode(value));
    } catch (IllegalArgumentException e) {
      throw malformed("column `%s` is '%s', which is no Base64".formatted(path, value));
    }
  }

  private EnumValueDescriptor symbol(Object value) throws MalformedRowException {
    EnumValueDescriptor found =
        value instanceof String name ? field.getEnumType().findValueByName(name) : null;
    if (found == null) {
      found = numbered(value.toString());
    }
    if (found == null) {
      throw malformed(
          "column `%s` is '%s', which is not in %s".formatted(path, value, written(field)));
    }
    return found;
  }

  /** The symbol of a number; only an open enum has one for each, as {@link #read} gives them. */
  private @Nullable EnumValueDescriptor numbered(String text) {
    int number;
    try {
      number = Integer.parseInt(text);
    } catch (NumberFormatException _) {
      return null;
    }
    return field.legacyEnumFieldTreatedAsClosed()
        ? field.getEnumType().findValueByNumber(number)
        : field.getEnumType().findValueByNumberCreatingIfUnknown(number);
  }

  private DynamicMessage row(Object value, String nullText) throws MalformedRowException {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(field.getMessageType());
    List<?> values = (List<?>) value;
    for (int i = 0; i < children.size(); i++) {
      children.get(i).write(message, values.get(i), nullText);
    }
    return message.buildPartial(); // Whether all is there is seen of the whole message.
  }

  private DynamicMessage timestamp(long micros) {
    return DynamicMessage.newBuilder(field.getMessageType())
        .setField(timestampField("seconds"), Math.floorDiv(micros, MICROS_PER_SECOND))
        .setField(
            timestampField("nanos"),
            (int) Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO)
        .build();
  }

  /**
   * Returns if all that a message must have is there.
   *
   * @throws ConnectorException of kind USER if it may be absent
   */
  static void checkRequired(
      Descriptor message, List<FieldMapping> mappings, List<Type> types, String parent) {
    for (FieldDescriptor field : message.getFields()) {
      int index = mappings.stream().map(FieldMapping::field).toList().indexOf(field);
      if (field.isRequired() && (index < 0 || types.get(index).nullable())) {
        throw user(
            "the field %s%s is required in %s: it needs a column that is NOT NULL"
                .formatted(parent, field.getName(), message.getFullName()));
      }
      if (index >= 0 && !mappings.get(index).children.isEmpty()) {
        FieldMapping its = mappings.get(index);
        checkRequired(field.getMessageType(), its.children, its.type.children(), its.path + ".");
      }
    }
  }

  private static ConnectorException user(String message) {
    return new ConnectorException(ConnectorException.Kind.USER, message);
  }
}
