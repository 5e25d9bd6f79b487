package io.sedge.sql.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/** Calcite's constants as the engine's. */
final class Literals {
  private static final long MICROS_PER_MILLI = 1_000;

  private Literals() {}

  static Expression.Literal of(RexLiteral literal) {
    if (literal.getTypeName() == SqlTypeName.SYMBOL) {
      return symbol(literal);
    }
    Type type = Types.of(literal.getType());
    return new Expression.Literal(literal.isNull() ? null : value(literal, type), type);
  }

  static Expression.Literal string(String value) {
    return new Expression.Literal(value, Type.character(Math.max(1, value.length())).notNull());
  }

  /** A word of the syntax, such as the unit of EXTRACT, is given on as a string. */
  private static Expression.Literal symbol(RexLiteral literal) {
    return string(Objects.requireNonNull(literal.getValueAs(Enum.class)).name());
  }

  private static Object value(RexLiteral literal, Type type) {
    return switch (type.kind()) {
      case BOOLEAN -> Objects.requireNonNull(literal.getValueAs(Boolean.class));
      case TINYINT, SMALLINT, INT -> number(literal).intValueExact();
      case BIGINT -> number(literal).longValueExact();
      case FLOAT -> number(literal).floatValue();
      case DOUBLE -> number(literal).doubleValue();
      case DECIMAL -> number(literal).setScale(type.scale(), RoundingMode.HALF_UP);
      case CHAR, VARCHAR -> Objects.requireNonNull(literal.getValueAs(String.class));
      case DATE, TIME -> Objects.requireNonNull(literal.getValueAs(Integer.class));
      case TIMESTAMP -> micros(Objects.requireNonNull(literal.getValueAs(TimestampString.class)));
      case INTERVAL_DAY_TIME -> number(literal).longValueExact() * MICROS_PER_MILLI;
      case INTERVAL_YEAR_MONTH -> number(literal).intValueExact();
      case TIMESTAMP_LTZ, ARRAY, ROW, NULL ->
          throw new UnsupportedException(
              "a constant of type %s is not supported".formatted(type),
              "CAST of a constant TIMESTAMP");
    };
  }

  private static BigDecimal number(RexLiteral literal) {
    return Objects.requireNonNull(literal.getValueAs(BigDecimal.class));
  }

  private static long micros(TimestampString timestamp) {
    LocalDateTime time = LocalDateTime.parse(timestamp.toString().replace(' ', 'T'));
    return ChronoUnit.MICROS.between(LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), time);
  }

  /** The value of a constant, or null if the expression is none. */
  static @Nullable Object constant(Expression expression) {
    return expression instanceof Expression.Literal literal ? literal.value() : null;
  }
}
