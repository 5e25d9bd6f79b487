package io.sedge.engine.type;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A SQL type as Flink defines it.
 *
 * @param kind what it is
 * @param precision digits of DECIMAL (1 to 38), fractional digits of TIMESTAMP (0 to 6) and TIME,
 *     length of CHAR and VARCHAR ({@link #MAX_LENGTH} for STRING); else 0
 * @param scale digits after the point of DECIMAL; else 0
 * @param nullable whether a value may be NULL
 * @param children the element type of ARRAY, the field types of ROW; else empty
 * @param names the field names of ROW; else empty
 */
public record Type(
    Kind kind,
    int precision,
    int scale,
    boolean nullable,
    List<Type> children,
    List<String> names) {

  /** The length of a VARCHAR without a bound, which SQL calls STRING. */
  public static final int MAX_LENGTH = Integer.MAX_VALUE;

  /** The finest precision a timestamp may have: microseconds. */
  public static final int MAX_TIMESTAMP_PRECISION = 6;

  public static final Type BOOLEAN = of(Kind.BOOLEAN);
  public static final Type TINYINT = of(Kind.TINYINT);
  public static final Type SMALLINT = of(Kind.SMALLINT);
  public static final Type INT = of(Kind.INT);
  public static final Type BIGINT = of(Kind.BIGINT);
  public static final Type FLOAT = of(Kind.FLOAT);
  public static final Type DOUBLE = of(Kind.DOUBLE);
  public static final Type STRING = varchar(MAX_LENGTH);
  public static final Type DATE = of(Kind.DATE);
  public static final Type TIME = of(Kind.TIME);
  public static final Type NULL = of(Kind.NULL);

  public Type {
    children = List.copyOf(children);
    names = List.copyOf(names);
    if (kind == Kind.ROW && children.size() != names.size()) {
      throw new IllegalArgumentException(
          "a ROW has %d types but %d names".formatted(children.size(), names.size()));
    }
    if (kind == Kind.ARRAY && children.size() != 1) {
      throw new IllegalArgumentException("an ARRAY has one element type, not " + children.size());
    }
  }

  private static Type of(Kind kind) {
    return new Type(kind, 0, 0, true, List.of(), List.of());
  }

  private static Type of(Kind kind, int precision, int scale) {
    return new Type(kind, precision, scale, true, List.of(), List.of());
  }

  public static Type character(int length) {
    return of(Kind.CHAR, length, 0);
  }

  public static Type varchar(int length) {
    return of(Kind.VARCHAR, length, 0);
  }

  public static Type decimal(int precision, int scale) {
    return of(Kind.DECIMAL, precision, scale);
  }

  /**
   * A time of day, which is kept in milliseconds.
   *
   * @param precision fractional digits
   */
  public static Type time(int precision) {
    return of(Kind.TIME, precision, 0);
  }

  public static Type timestamp(int precision) {
    return of(Kind.TIMESTAMP, precision, 0);
  }

  public static Type timestampLtz(int precision) {
    return of(Kind.TIMESTAMP_LTZ, precision, 0);
  }

  public static Type intervalDayTime() {
    return of(Kind.INTERVAL_DAY_TIME);
  }

  public static Type intervalYearMonth() {
    return of(Kind.INTERVAL_YEAR_MONTH);
  }

  public static Type array(Type element) {
    return new Type(Kind.ARRAY, 0, 0, true, List.of(element), List.of());
  }

  public static Type row(List<String> names, List<Type> types) {
    return new Type(Kind.ROW, 0, 0, true, types, names);
  }

  public Type withNullable(boolean newNullable) {
    return newNullable == nullable
        ? this
        : new Type(kind, precision, scale, newNullable, children, names);
  }

  public Type notNull() {
    return withNullable(false);
  }

  /**
   * A number in the scale of this DECIMAL type, rounded half up; null if it has more digits than
   * the type. Takes no longer for {@code 1e-999999999} than for 1: what is far too large or too
   * small is not written out.
   */
  public @Nullable BigDecimal fit(BigDecimal value) {
    if (value.scale() == scale) {
      return value.precision() > precision ? null : value;
    }
    long wholeDigits = (long) value.precision() - value.scale();
    if (value.signum() == 0 || wholeDigits < -scale) {
      return BigDecimal.valueOf(0, scale);
    }
    if (wholeDigits > precision - scale) {
      return null;
    }
    BigDecimal scaled = value.setScale(scale, RoundingMode.HALF_UP);
    return scaled.precision() > precision ? null : scaled;
  }

  public Kind.Storage storage() {
    return kind.storage();
  }

  /** The type as one writes it in DDL, such as {@code DECIMAL(10, 2) NOT NULL}. */
  @Override
  public String toString() {
    String text =
        switch (kind) {
          case DECIMAL -> "DECIMAL(%d, %d)".formatted(precision, scale);
          case CHAR -> "CHAR(%d)".formatted(precision);
          case VARCHAR -> precision == MAX_LENGTH ? "STRING" : "VARCHAR(%d)".formatted(precision);
          case TIME, TIMESTAMP, TIMESTAMP_LTZ -> "%s(%d)".formatted(kind, precision);
          case ARRAY -> "ARRAY<%s>".formatted(children.getFirst());
          case ROW ->
              IntStream.range(0, names.size())
                  .mapToObj(i -> "`%s` %s".formatted(names.get(i), children.get(i)))
                  .collect(Collectors.joining(", ", "ROW<", ">"));
          case INTERVAL_DAY_TIME -> "INTERVAL DAY TO SECOND";
          case INTERVAL_YEAR_MONTH -> "INTERVAL YEAR TO MONTH";
          case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, DATE, NULL -> kind.name();
        };
    return nullable ? text : text + " NOT NULL";
  }
}
