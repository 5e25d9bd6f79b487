package io.sedge.engine.expression.internal;

import io.sedge.engine.column.StringColumn;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Values in their object form. */
final class Values {
  private Values() {}

  /** A number in the class and scale of a numeric type; other values as they are. */
  static Object normalised(Object value, Type type) {
    if (!(value instanceof Number number)) {
      return value;
    }
    return switch (type.storage()) {
      case INT -> number.intValue();
      case LONG -> number.longValue();
      case FLOAT -> number.floatValue();
      case DOUBLE -> number.doubleValue();
      case DECIMAL -> scaled(number, type);
      case BOOLEAN, STRING, ARRAY, ROW -> value;
    };
  }

  private static Object scaled(Number number, Type type) {
    BigDecimal decimal = number instanceof BigDecimal big ? big : new BigDecimal(number.toString());
    BigDecimal fitted = type.fit(decimal);
    if (fitted == null) {
      throw new IllegalArgumentException("the literal %s is not a %s".formatted(number, type));
    }
    return fitted;
  }

  /** The order of two values of one class, strings by their UTF-8 bytes. */
  static int compare(Object left, Object right) {
    return switch (left) {
      case String string -> StringColumn.compare(string, (String) right);
      case Boolean bool -> bool.compareTo((Boolean) right);
      case Integer number -> number.compareTo((Integer) right);
      case Long number -> number.compareTo((Long) right);
      case Float number -> number.compareTo((Float) right);
      case Double number -> number.compareTo((Double) right);
      case BigDecimal number -> number.compareTo((BigDecimal) right);
      default -> throw new IllegalArgumentException(left.getClass() + " has no order");
    };
  }

  /** Whether two values are the same, numbers of one class by value. */
  static boolean same(@Nullable Object left, @Nullable Object right) {
    if (left instanceof BigDecimal first && right instanceof BigDecimal second) {
      return first.compareTo(second) == 0;
    }
    return Objects.equals(left, right);
  }
}
