package io.sedge.connector.sparkplug.internal;

import com.google.protobuf.ByteString;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.eclipse.tahu.protobuf.SparkplugBProto.DataType;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload.Metric;
import org.jspecify.annotations.Nullable;

/**
 * Values of metrics: first as Java has them (Long, BigInteger, Float, Double, Boolean, String,
 * Instant, ByteString, List), then as a column has them, without loss. A STRING holds them all.
 */
final class Values {
  private static final long EXACT_IN_DOUBLE = 1L << 53;
  private static final long EXACT_IN_FLOAT = 1L << 24;
  private static final long LONGEST_MILLIS = Long.MAX_VALUE / 1000;
  private static final int SHOWN = 100;

  private Values() {}

  /** What speaks against a column for values, as the end of a sentence; empty if nothing does. */
  static Optional<String> problem(Type type) {
    return switch (type.kind()) {
      case BOOLEAN,
          TINYINT,
          SMALLINT,
          INT,
          BIGINT,
          FLOAT,
          DOUBLE,
          DECIMAL,
          VARCHAR,
          TIMESTAMP_LTZ ->
          Optional.empty();
      case ARRAY ->
          type.children().getFirst().kind() == Kind.ARRAY
              ? Optional.of("Sparkplug has no arrays of arrays")
              : problem(type.children().getFirst());
      case CHAR -> Optional.of("text needs a STRING");
      case DATE, TIME, TIMESTAMP -> Optional.of("a DateTime needs a TIMESTAMP_LTZ(3)");
      case INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, ROW, NULL ->
          Optional.of("Sparkplug has no such values; a STRING holds whatever a metric has");
    };
  }

  /** The name of a type of Sparkplug (6.4.16). */
  static String name(int datatype) {
    DataType known = DataType.forNumber(datatype);
    return known == null ? "datatype " + Integer.toUnsignedString(datatype) : known.name();
  }

  /**
   * The value of a metric; null if it has none.
   *
   * @param datatype what its birth says, or itself
   * @throws MalformedMetricException if it is not of that type, or of one that cannot be read
   */
  static @Nullable Object of(Metric metric, int datatype) throws MalformedMetricException {
    if (metric.getIsNull() || metric.getValueCase() == Metric.ValueCase.VALUE_NOT_SET) {
      return null;
    }
    DataType type = DataType.forNumber(datatype);
    if (type == null) {
      throw new MalformedMetricException(
          "it is of %s, which Sparkplug B does not have".formatted(name(datatype)));
    }
    return switch (type) {
      case Int8 -> (long) (byte) whole(metric, type);
      case Int16 -> (long) (short) whole(metric, type);
      case Int32 -> (long) (int) whole(metric, type);
      case UInt8 -> whole(metric, type) & 0xFF;
      case UInt16 -> whole(metric, type) & 0xFFFF;
      case UInt32 -> whole(metric, type) & 0xFFFF_FFFFL;
      case Int64 -> whole(metric, type);
      case UInt64 -> unsigned(whole(metric, type));
      case Float -> {
        check(metric.hasFloatValue(), metric, type);
        yield metric.getFloatValue();
      }
      case Double -> {
        check(metric.hasDoubleValue() || metric.hasFloatValue(), metric, type);
        yield metric.hasDoubleValue() ? metric.getDoubleValue() : (double) metric.getFloatValue();
      }
      case Boolean -> {
        check(metric.hasBooleanValue(), metric, type);
        yield metric.getBooleanValue();
      }
      case String, Text, UUID -> {
        check(metric.hasStringValue(), metric, type);
        yield metric.getStringValue();
      }
      case DateTime -> Instant.ofEpochMilli(whole(metric, type));
      case Bytes, File -> {
        check(metric.hasBytesValue(), metric, type);
        yield metric.getBytesValue();
      }
      case Int8Array,
          Int16Array,
          Int32Array,
          Int64Array,
          UInt8Array,
          UInt16Array,
          UInt32Array,
          UInt64Array,
          FloatArray,
          DoubleArray,
          BooleanArray,
          StringArray,
          DateTimeArray -> {
        check(metric.hasBytesValue(), metric, type);
        yield PackedArrays.of(metric.getBytesValue(), type);
      }
      case DataSet, Template, PropertySet, PropertySetList, Unknown ->
          throw new MalformedMetricException(
              "it is a %s, which cannot be read; leave it out by 'metrics'".formatted(type.name()));
    };
  }

  /** Encoders disagree about what is an int and what a long. */
  private static long whole(Metric metric, DataType type) throws MalformedMetricException {
    check(metric.hasIntValue() || metric.hasLongValue(), metric, type);
    return metric.hasLongValue() ? metric.getLongValue() : metric.getIntValue();
  }

  static Object unsigned(long value) {
    return value >= 0 ? (Object) value : new BigInteger(Long.toUnsignedString(value));
  }

  private static void check(boolean fits, Metric metric, DataType type)
      throws MalformedMetricException {
    if (!fits) {
      throw new MalformedMetricException(
          "it is of type %s but has a %s".formatted(type.name(), metric.getValueCase().name()));
    }
  }

  /** A value in the object form of a column; null if the column cannot hold it without loss. */
  static @Nullable Object fit(Object value, Type type) {
    return switch (type.kind()) {
      case BOOLEAN -> value instanceof Boolean ? value : null;
      case TINYINT -> whole(value, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT -> whole(value, Short.MIN_VALUE, Short.MAX_VALUE);
      case INT -> whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case BIGINT -> value instanceof Long ? value : null;
      case FLOAT -> {
        Long number = whole(value, -EXACT_IN_FLOAT, EXACT_IN_FLOAT);
        yield number == null ? (value instanceof Float ? value : null) : number.floatValue();
      }
      case DOUBLE -> real(value);
      case DECIMAL -> decimal(value, type);
      case VARCHAR -> {
        String text = text(value);
        yield text.codePointCount(0, text.length()) > type.precision() ? null : text;
      }
      case TIMESTAMP_LTZ ->
          value instanceof Instant time && Math.abs(time.getEpochSecond()) < LONGEST_MILLIS / 1000
              ? (Object) cut(time.toEpochMilli() * 1000, type)
              : null;
      case ARRAY -> value instanceof List<?> list ? list(list, type.children().getFirst()) : null;
      case CHAR, DATE, TIME, TIMESTAMP, INTERVAL_DAY_TIME, INTERVAL_YEAR_MONTH, ROW, NULL -> null;
    };
  }

  private static @Nullable Long whole(Object value, long least, long most) {
    return value instanceof Long number && number >= least && number <= most ? number : null;
  }

  private static @Nullable Double real(Object value) {
    if (value instanceof Double || value instanceof Float) {
      return ((Number) value).doubleValue();
    }
    Long number = whole(value, -EXACT_IN_DOUBLE, EXACT_IN_DOUBLE);
    return number == null ? null : number.doubleValue();
  }

  private static @Nullable BigDecimal decimal(Object value, Type type) {
    return switch (value) {
      case Long number -> type.fit(BigDecimal.valueOf(number));
      case BigInteger number -> type.fit(new BigDecimal(number));
      case Double number when Double.isFinite(number) -> type.fit(BigDecimal.valueOf(number));
      case Float number when Float.isFinite(number) -> type.fit(new BigDecimal(number.toString()));
      default -> null;
    };
  }

  private static @Nullable List<@Nullable Object> list(List<?> values, Type element) {
    List<@Nullable Object> fitted = new ArrayList<>(values.size());
    for (Object value : values) {
      Object one = fit(value, element);
      if (one == null) {
        return null;
      }
      fitted.add(one);
    }
    return fitted;
  }

  private static String text(Object value) {
    return switch (value) {
      case ByteString bytes -> Base64.getEncoder().encodeToString(bytes.toByteArray());
      case List<?> list -> {
        StringBuilder all = new StringBuilder("[");
        for (Object element : list) {
          all.append(all.length() == 1 ? "" : ", ").append(text(element));
        }
        yield all.append(']').toString();
      }
      default -> value.toString();
    };
  }

  /** A value for people, short. */
  static String shown(Object value) {
    String text = text(value);
    return text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text;
  }

  /** A time cut to what a column holds. */
  static long cut(long micros, Type type) {
    long step = Math.round(Math.pow(10, 6 - type.precision()));
    return micros - Math.floorMod(micros, step);
  }
}
