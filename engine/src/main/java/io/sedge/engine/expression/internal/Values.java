package io.sedge.engine.expression.internal;

import io.sedge.engine.type.Type;
import java.math.BigDecimal;

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
    BigDecimal fitted = Numbers.fit(decimal, type);
    if (fitted == null) {
      throw new IllegalArgumentException("the literal %s is not a %s".formatted(number, type));
    }
    return fitted;
  }
}
