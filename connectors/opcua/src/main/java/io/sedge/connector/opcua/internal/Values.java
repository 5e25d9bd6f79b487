package io.sedge.connector.opcua.internal;

import io.sedge.connector.MalformedValueException;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.eclipse.milo.opcua.stack.core.types.builtin.ByteString;
import org.eclipse.milo.opcua.stack.core.types.builtin.DateTime;
import org.eclipse.milo.opcua.stack.core.types.builtin.ExpandedNodeId;
import org.eclipse.milo.opcua.stack.core.types.builtin.ExtensionObject;
import org.eclipse.milo.opcua.stack.core.types.builtin.LocalizedText;
import org.eclipse.milo.opcua.stack.core.types.builtin.Matrix;
import org.eclipse.milo.opcua.stack.core.types.builtin.NodeId;
import org.eclipse.milo.opcua.stack.core.types.builtin.QualifiedName;
import org.eclipse.milo.opcua.stack.core.types.builtin.StatusCode;
import org.eclipse.milo.opcua.stack.core.types.builtin.Variant;
import org.eclipse.milo.opcua.stack.core.types.builtin.XmlElement;
import org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.UByte;
import org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.UInteger;
import org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.ULong;
import org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.UNumber;
import org.eclipse.milo.opcua.stack.core.types.builtin.unsigned.UShort;
import org.jspecify.annotations.Nullable;

/**
 * Makes the values of columns from those of nodes, without loss: what a column cannot hold is
 * refused. A STRING holds everything but structures.
 */
final class Values {
  /** Between 1601 and 1970. */
  private static final long EPOCH_MICROS = 11_644_473_600_000_000L;

  private static final long EXACT_IN_DOUBLE = 1L << 53;
  private static final long EXACT_IN_FLOAT = 1L << 24;

  private Values() {}

  /** What speaks against a column for values, as the end of a sentence; empty if nothing does. */
  static Optional<String> problem(Type type) {
    return switch (type.kind()) {
      case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, DECIMAL, VARCHAR ->
          Optional.empty();
      case TIMESTAMP, TIMESTAMP_LTZ -> Optional.empty();
      case ARRAY -> problem(type.children().getFirst());
      case ROW ->
          Optional.of("structures cannot be read yet; servers have their parts as nodes as a rule");
      case CHAR -> Optional.of("text needs a STRING");
      case DATE, TIME -> Optional.of("times of OPC UA need a TIMESTAMP_LTZ(3)");
      case INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, NULL ->
          Optional.of("OPC UA has no such values; use STRING for what any node has");
    };
  }

  /** A time in microseconds since 1970. */
  static long micros(DateTime time) {
    return Math.floorDiv(time.utcTime(), 10) - EPOCH_MICROS;
  }

  static DateTime time(long micros) {
    return new DateTime((micros + EPOCH_MICROS) * 10);
  }

  /**
   * A value in the object form of a column.
   *
   * @throws MalformedValueException if the column cannot hold it
   */
  static @Nullable Object of(Variant variant, Type type) throws MalformedValueException {
    return of(variant.value(), type);
  }

  private static @Nullable Object of(@Nullable Object value, Type type)
      throws MalformedValueException {
    if (value == null) {
      return null;
    }
    if (value instanceof Variant inner) {
      return of(inner.value(), type);
    }
    if (value instanceof Matrix matrix) {
      return of(matrix.nestedArrayValue(), type);
    }
    if (value instanceof ExtensionObject) {
      throw new MalformedValueException(
          "it is a structure, which cannot be read yet; read the nodes of its parts");
    }
    return switch (type.kind()) {
      case VARCHAR -> text(value, type);
      case ARRAY -> list(value, type.children().getFirst());
      case BOOLEAN -> value instanceof Boolean ? value : unfit(value, type);
      case TIMESTAMP, TIMESTAMP_LTZ ->
          value instanceof DateTime time
              ? (Object) TableShape.cut(micros(time), type)
              : unfit(value, type);
      case TINYINT -> whole(value, type, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT -> whole(value, type, Short.MIN_VALUE, Short.MAX_VALUE);
      case INT -> whole(value, type, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case BIGINT -> whole(value, type, Long.MIN_VALUE, Long.MAX_VALUE);
      case FLOAT ->
          value instanceof Float
              ? value
              : (Object) (float) whole(value, type, -EXACT_IN_FLOAT, EXACT_IN_FLOAT);
      case DOUBLE ->
          value instanceof Double || value instanceof Float
              ? ((Number) value).doubleValue()
              : (Object) (double) whole(value, type, -EXACT_IN_DOUBLE, EXACT_IN_DOUBLE);
      case DECIMAL -> decimal(value, type);
      case CHAR, DATE, TIME, INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, ROW, NULL ->
          unfit(value, type);
    };
  }

  private static Object unfit(Object value, Type type) throws MalformedValueException {
    throw new MalformedValueException(
        "%s is %s, which the column cannot hold, as it is %s"
            .formatted(shown(value), typeName(value), type));
  }

  private static long whole(Object value, Type type, long least, long most)
      throws MalformedValueException {
    long number;
    if (value instanceof ULong unsigned) {
      number = unsigned.longValue();
      if (number < 0) {
        throw new MalformedValueException(
            "%s is too large for %s; use DECIMAL(20, 0)".formatted(value, type));
      }
    } else if (value instanceof Byte
        || value instanceof Short
        || value instanceof Integer
        || value instanceof Long
        || value instanceof UNumber) {
      number = ((Number) value).longValue();
    } else {
      var _ = unfit(value, type);
      return 0;
    }
    if (number < least || number > most) {
      throw new MalformedValueException(
          "%s is not in %d to %d, what %s holds".formatted(value, least, most, type));
    }
    return number;
  }

  private static Object decimal(Object value, Type type) throws MalformedValueException {
    BigDecimal number =
        switch (value) {
          case ULong unsigned -> new BigDecimal(unsigned.toBigInteger());
          case Double d when Double.isFinite(d) -> BigDecimal.valueOf(d);
          case Float f when Float.isFinite(f) -> new BigDecimal(Float.toString(f));
          case Double _, Float _ ->
              throw new MalformedValueException("%s is no DECIMAL".formatted(value));
          default -> BigDecimal.valueOf(whole(value, type, Long.MIN_VALUE, Long.MAX_VALUE));
        };
    BigDecimal fitting = type.fit(number);
    if (fitting == null) {
      throw new MalformedValueException("%s has too many digits for %s".formatted(value, type));
    }
    return fitting;
  }

  private static List<@Nullable Object> list(Object value, Type element)
      throws MalformedValueException {
    if (!value.getClass().isArray()) {
      throw new MalformedValueException(
          "%s is %s and no array".formatted(shown(value), typeName(value)));
    }
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = 0; i < Array.getLength(value); i++) {
      list.add(of(Array.get(value, i), element));
    }
    return list;
  }

  private static String text(Object value, Type type) throws MalformedValueException {
    String text = text(value);
    if (text.codePointCount(0, text.length()) > type.precision()) {
      throw new MalformedValueException(
          "it has %d characters, more than %s".formatted(text.length(), type));
    }
    return text;
  }

  private static String text(Object value) {
    if (value.getClass().isArray()) {
      StringBuilder all = new StringBuilder("[");
      for (int i = 0; i < Array.getLength(value); i++) {
        Object element = Array.get(value, i);
        all.append(i == 0 ? "" : ", ").append(element == null ? "null" : text(element));
      }
      return all.append(']').toString();
    }
    return switch (value) {
      case String text -> text;
      case LocalizedText localized -> String.valueOf(localized.text());
      case QualifiedName name -> name.toParseableString();
      case NodeId node -> node.toParseableString();
      case ExpandedNodeId node -> node.toParseableString();
      case XmlElement xml -> xml.getFragmentOrEmpty();
      case ByteString bytes -> Base64.getEncoder().encodeToString(bytes.bytesOrEmpty());
      case DateTime time -> time.getJavaInstant().toString();
      case StatusCode status -> Failures.name(status);
      default -> value.toString();
    };
  }

  /** A value for people, short. */
  static String shown(@Nullable Object value) {
    String text = value == null ? "null" : text(value);
    return text.length() > 100 ? text.substring(0, 100) + "…" : text;
  }

  private static String typeName(Object value) {
    String name = value.getClass().getComponentType() == null ? "" : "an array of ";
    Class<?> type =
        value.getClass().getComponentType() == null
            ? value.getClass()
            : value.getClass().getComponentType();
    return name + type.getSimpleName();
  }

  /**
   * A value of a column as a node of some type has it.
   *
   * @param value in the object form of the column, not null
   * @param wanted the type of Java that Milo has for the node's type
   * @throws MalformedValueException if the node cannot hold it
   */
  static Object to(Object value, Type type, Class<?> wanted) throws MalformedValueException {
    if (value instanceof List<?> list) {
      Object array = Array.newInstance(wanted, list.size());
      for (int i = 0; i < list.size(); i++) {
        Object element = list.get(i);
        if (element == null) {
          throw new MalformedValueException("an element of the array is NULL");
        }
        if (element instanceof List<?>) {
          throw new MalformedValueException("arrays of arrays cannot be written yet");
        }
        Array.set(array, i, to(element, type.children().getFirst(), wanted));
      }
      return array;
    }
    if (value instanceof Boolean && wanted == Boolean.class) {
      return value;
    }
    if (type.kind().isTimestamp() && wanted == DateTime.class) {
      return time((Long) value);
    }
    if (value instanceof String text) {
      return fromText(text, wanted);
    }
    if (value instanceof Number number && !type.kind().isTimestamp()) {
      return number(number, type, wanted);
    }
    throw unwritable(value, type, wanted);
  }

  private static Object fromText(String text, Class<?> wanted) throws MalformedValueException {
    try {
      if (wanted == String.class) {
        return text;
      }
      if (wanted == LocalizedText.class) {
        return new LocalizedText(text);
      }
      if (wanted == UUID.class) {
        return UUID.fromString(text);
      }
      if (wanted == ByteString.class) {
        return ByteString.of(Base64.getDecoder().decode(text));
      }
      if (wanted == NodeId.class) {
        return NodeId.parse(text);
      }
      if (wanted == Boolean.class && (text.equals("true") || text.equals("false"))) {
        return Boolean.valueOf(text);
      }
      return number(new BigDecimal(text), Type.STRING, wanted);
    } catch (RuntimeException e) {
      throw new MalformedValueException(
          "'%s' is no %s".formatted(shown(text), wanted.getSimpleName()));
    }
  }

  private static Object number(Number number, Type type, Class<?> wanted)
      throws MalformedValueException {
    if (wanted == Double.class || wanted == Float.class) {
      double value = number.doubleValue();
      if (wanted == Double.class) {
        return value;
      }
      if (Double.isFinite(value) && Float.isInfinite((float) value)) {
        throw new MalformedValueException("%s is too large for a Float".formatted(number));
      }
      return (float) value;
    }
    BigDecimal exact =
        number instanceof BigDecimal decimal
            ? decimal
            : number instanceof Double || number instanceof Float
                ? finite(number.doubleValue(), wanted)
                : BigDecimal.valueOf(number.longValue());
    try {
      if (wanted == Byte.class) {
        return exact.byteValueExact();
      }
      if (wanted == Short.class) {
        return exact.shortValueExact();
      }
      if (wanted == Integer.class) {
        return exact.intValueExact();
      }
      if (wanted == Long.class) {
        return exact.longValueExact();
      }
      if (wanted == UByte.class) {
        return UByte.valueOf(exact.shortValueExact());
      }
      if (wanted == UShort.class) {
        return UShort.valueOf(exact.intValueExact());
      }
      if (wanted == UInteger.class) {
        return UInteger.valueOf(exact.longValueExact());
      }
      if (wanted == ULong.class) {
        return ULong.valueOf(exact.toBigIntegerExact());
      }
    } catch (ArithmeticException | NumberFormatException e) {
      throw new MalformedValueException(
          "%s is no %s: it is out of range or has a fraction"
              .formatted(number, wanted.getSimpleName()));
    }
    throw unwritable(number, type, wanted);
  }

  private static BigDecimal finite(double value, Class<?> wanted) throws MalformedValueException {
    if (!Double.isFinite(value)) {
      throw new MalformedValueException("%s is no %s".formatted(value, wanted.getSimpleName()));
    }
    return BigDecimal.valueOf(value);
  }

  private static MalformedValueException unwritable(Object value, Type type, Class<?> wanted) {
    return new MalformedValueException(
        "%s is %s, but the node holds %s"
            .formatted(
                shown(value), type.kind() == Kind.VARCHAR ? "text" : type, wanted.getSimpleName()));
  }
}
