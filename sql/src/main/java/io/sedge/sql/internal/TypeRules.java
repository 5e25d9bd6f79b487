package io.sedge.sql.internal;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which Flink gives types to results: decimals have at most 38 digits and keep at
 * least six after the point where they must be cut (the rules of SQL Server), SUM and AVG of
 * integers stay in the type of their argument.
 */
final class TypeRules extends RelDataTypeSystemImpl {
  static final TypeRules INSTANCE = new TypeRules();

  static final int MAX_DECIMAL_PRECISION = 38;
  private static final int DECIMAL_DEFAULT_PRECISION = 10;
  private static final int BIGINT_DIGITS = 19;
  private static final int DIVISION_MIN_SCALE = 6;
  private static final int TIMESTAMP_DEFAULT_PRECISION = 6;
  private static final int TIMESTAMP_MAX_PRECISION = 9;

  private TypeRules() {}

  @Override
  public int getMaxNumericPrecision() {
    return MAX_DECIMAL_PRECISION;
  }

  @Override
  public int getMaxNumericScale() {
    return MAX_DECIMAL_PRECISION;
  }

  @Override
  public int getDefaultPrecision(SqlTypeName typeName) {
    return switch (typeName) {
      case VARCHAR, VARBINARY -> Integer.MAX_VALUE;
      case TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> TIMESTAMP_DEFAULT_PRECISION;
      case DECIMAL -> DECIMAL_DEFAULT_PRECISION;
      default -> super.getDefaultPrecision(typeName);
    };
  }

  @Override
  public int getMaxPrecision(SqlTypeName typeName) {
    return switch (typeName) {
      case VARCHAR, VARBINARY, CHAR, BINARY -> Integer.MAX_VALUE;
      case TIME, TIMESTAMP, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> TIMESTAMP_MAX_PRECISION;
      default -> super.getMaxPrecision(typeName);
    };
  }

  @Override
  public boolean shouldConvertRaggedUnionTypesToVarying() {
    return true;
  }

  @Override
  public RelDataType deriveSumType(RelDataTypeFactory factory, RelDataType argument) {
    return SqlTypeUtil.isDecimal(argument)
        ? decimal(factory, MAX_DECIMAL_PRECISION, argument.getScale(), argument.isNullable())
        : argument;
  }

  @Override
  public RelDataType deriveAvgAggType(RelDataTypeFactory factory, RelDataType argument) {
    return SqlTypeUtil.isDecimal(argument)
        ? decimal(
            factory,
            MAX_DECIMAL_PRECISION,
            Math.max(DIVISION_MIN_SCALE, argument.getScale()),
            argument.isNullable())
        : argument;
  }

  @Override
  public @Nullable RelDataType deriveDecimalPlusType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    if (!exactWithDecimal(left, right)) {
      return null;
    }
    Digits a = Digits.of(factory, left);
    Digits b = Digits.of(factory, right);
    int scale = Math.max(a.scale, b.scale);
    return cut(factory, Math.max(a.whole(), b.whole()) + scale + 1, scale);
  }

  @Override
  public @Nullable RelDataType deriveDecimalMultiplyType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    if (!exactWithDecimal(left, right)) {
      return null;
    }
    Digits a = Digits.of(factory, left);
    Digits b = Digits.of(factory, right);
    return cut(factory, a.precision + b.precision + 1, a.scale + b.scale);
  }

  @Override
  public @Nullable RelDataType deriveDecimalDivideType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    if (!exactWithDecimal(left, right)) {
      return null;
    }
    Digits a = Digits.of(factory, left);
    Digits b = Digits.of(factory, right);
    int scale = Math.max(DIVISION_MIN_SCALE, a.scale + b.precision + 1);
    return cut(factory, a.whole() + b.scale + scale, scale);
  }

  @Override
  public @Nullable RelDataType deriveDecimalModType(
      RelDataTypeFactory factory, RelDataType left, RelDataType right) {
    if (!exactWithDecimal(left, right)) {
      return null;
    }
    Digits a = Digits.of(factory, left);
    Digits b = Digits.of(factory, right);
    if (a.scale == 0 && b.scale == 0) {
      return right;
    }
    int scale = Math.max(a.scale, b.scale);
    return cut(factory, Math.min(a.whole(), b.whole()) + scale, scale);
  }

  /** Cuts digits after the point, but not below six, where the whole has more than 38. */
  private static RelDataType cut(RelDataTypeFactory factory, int precision, int scale) {
    if (precision <= MAX_DECIMAL_PRECISION) {
      return decimal(factory, precision, scale, false);
    }
    int whole = precision - scale;
    int kept = Math.max(MAX_DECIMAL_PRECISION - whole, Math.min(scale, DIVISION_MIN_SCALE));
    return decimal(factory, MAX_DECIMAL_PRECISION, kept, false);
  }

  private static RelDataType decimal(
      RelDataTypeFactory factory, int precision, int scale, boolean nullable) {
    return factory.createTypeWithNullability(
        factory.createSqlType(SqlTypeName.DECIMAL, precision, scale), nullable);
  }

  private static boolean exactWithDecimal(RelDataType left, RelDataType right) {
    return SqlTypeUtil.isExactNumeric(left)
        && SqlTypeUtil.isExactNumeric(right)
        && (SqlTypeUtil.isDecimal(left) || SqlTypeUtil.isDecimal(right));
  }

  /** The digits of a decimal, or of an integer seen as one. */
  private record Digits(int precision, int scale) {
    static Digits of(RelDataTypeFactory factory, RelDataType type) {
      if (type.getSqlTypeName() == SqlTypeName.BIGINT) {
        return new Digits(BIGINT_DIGITS, 0);
      }
      RelDataType decimal = SqlTypeUtil.isDecimal(type) ? type : factory.decimalOf(type);
      return new Digits(decimal.getPrecision(), decimal.getScale());
    }

    int whole() {
      return precision - scale;
    }
  }
}
