package io.sedge.center.store.internal;

import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The type that holds the values of two types exactly, where one stands in the table already.
 *
 * <pre>
 *   TINYINT, SMALLINT, INT, BIGINT     the longer
 *   FLOAT, DOUBLE                      DOUBLE
 *   DECIMAL, DECIMAL                   as many digits before and after the point as either, up to 38
 *   CHAR, VARCHAR                      the longer; VARCHAR if they differ
 *   TIME, TIMESTAMP, TIMESTAMP_LTZ     the same with the finer fraction
 *   ARRAY, ROW of the same names       element by element, field by field
 *   anything else                      none, unless they are the same
 * </pre>
 *
 * It is nullable if either is.
 */
final class Widening {
  private static final int MAX_DIGITS = 38;

  private Widening() {}

  static Optional<Type> common(Type one, Type other) {
    boolean nullable = one.nullable() || other.nullable();
    return notNull(one.notNull(), other.notNull()).map(type -> type.withNullable(nullable));
  }

  private static Optional<Type> notNull(Type one, Type other) {
    if (one.equals(other)) {
      return Optional.of(one);
    }
    if (one.kind().isInteger() && other.kind().isInteger()) {
      return Optional.of(one.kind().compareTo(other.kind()) > 0 ? one : other);
    }
    if (isFloating(one) && isFloating(other)) {
      return Optional.of(Type.DOUBLE.notNull());
    }
    if (one.kind().isString() && other.kind().isString()) {
      int length = Math.max(one.precision(), other.precision());
      return Optional.of(
          (one.kind() == other.kind() && one.kind() == Kind.CHAR
                  ? Type.character(length)
                  : Type.varchar(length))
              .notNull());
    }
    if (one.kind() != other.kind()) {
      return Optional.empty();
    }
    return switch (one.kind()) {
      case DECIMAL -> decimal(one, other);
      case TIME, TIMESTAMP, TIMESTAMP_LTZ ->
          Optional.of(one.precision() > other.precision() ? one : other);
      case ARRAY, ROW -> nested(one, other);
      case BOOLEAN,
          TINYINT,
          SMALLINT,
          INT,
          BIGINT,
          FLOAT,
          DOUBLE,
          CHAR,
          VARCHAR,
          DATE,
          INTERVAL_DAY_TIME,
          INTERVAL_YEAR_MONTH,
          NULL ->
          Optional.empty();
    };
  }

  private static boolean isFloating(Type type) {
    return type.kind() == Kind.FLOAT || type.kind() == Kind.DOUBLE;
  }

  private static Optional<Type> decimal(Type one, Type other) {
    int scale = Math.max(one.scale(), other.scale());
    int whole = Math.max(one.precision() - one.scale(), other.precision() - other.scale());
    return whole + scale > MAX_DIGITS
        ? Optional.empty()
        : Optional.of(Type.decimal(whole + scale, scale).notNull());
  }

  private static Optional<Type> nested(Type one, Type other) {
    if (!one.names().equals(other.names()) || one.children().size() != other.children().size()) {
      return Optional.empty();
    }
    List<Type> children = new ArrayList<>();
    for (int i = 0; i < one.children().size(); i++) {
      Optional<Type> child = common(one.children().get(i), other.children().get(i));
      if (child.isEmpty()) {
        return Optional.empty();
      }
      children.add(child.get());
    }
    return Optional.of(new Type(one.kind(), 0, 0, false, children, one.names()));
  }
}
