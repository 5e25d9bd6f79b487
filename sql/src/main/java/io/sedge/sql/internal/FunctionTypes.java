package io.sedge.sql.internal;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandTypeInference;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** How Flink derives the type of a function's result where Calcite has no rule for it. */
final class FunctionTypes {
  private static final int MILLIS = 3;
  private static final int MOST_DIGITS = 9;

  private FunctionTypes() {}

  /** STRING, nullable if an argument is. */
  static final SqlReturnTypeInference STRING =
      ReturnTypes.explicit(SqlTypeName.VARCHAR).andThen(SqlTypeTransforms.TO_NULLABLE);

  /** STRING that may always be NULL. */
  static final SqlReturnTypeInference STRING_OR_NULL =
      ReturnTypes.explicit(SqlTypeName.VARCHAR).andThen(SqlTypeTransforms.FORCE_NULLABLE);

  static final SqlReturnTypeInference DATE_OR_NULL =
      ReturnTypes.explicit(SqlTypeName.DATE).andThen(SqlTypeTransforms.FORCE_NULLABLE);

  static final SqlReturnTypeInference INT_OR_NULL =
      ReturnTypes.explicit(SqlTypeName.INTEGER).andThen(SqlTypeTransforms.FORCE_NULLABLE);

  static final SqlReturnTypeInference STRINGS_OR_NULL =
      binding ->
          binding
              .getTypeFactory()
              .createTypeWithNullability(
                  binding
                      .getTypeFactory()
                      .createArrayType(
                          nullable(
                              binding, binding.getTypeFactory().createSqlType(SqlTypeName.VARCHAR)),
                          -1),
                  true);

  /** The type of an array's elements. */
  static final SqlReturnTypeInference ELEMENT_OR_NULL =
      binding ->
          nullable(
              binding,
              Objects.requireNonNull(binding.getOperandType(0).getComponentType(), "an array"));

  /** What has no type of its own, NULL, is of the type of the first argument's elements. */
  static final SqlOperandTypeInference ELEMENT =
      (binding, type, operands) -> {
        RelDataType array = binding.getOperandType(0);
        operands[0] = array;
        operands[1] =
            nullable(binding, Objects.requireNonNull(array.getComponentType(), "an array"));
      };

  /** The least type that takes all arguments, nullable if all are. */
  static final SqlReturnTypeInference COALESCE =
      binding -> {
        RelDataType common = common(binding, 0);
        boolean allNullable =
            binding.collectOperandTypes().stream().allMatch(RelDataType::isNullable);
        return binding.getTypeFactory().createTypeWithNullability(common, allNullable);
      };

  /** The least type that takes all arguments from the second on. */
  static final SqlReturnTypeInference IF = binding -> nullable(binding, common(binding, 1));

  /** The least type that takes all arguments from the second on, or STRING. */
  static final SqlReturnTypeInference ELT =
      binding -> {
        RelDataType common =
            binding
                .getTypeFactory()
                .leastRestrictive(
                    binding.collectOperandTypes().subList(1, binding.getOperandCount()));
        return nullable(
            binding,
            common == null ? binding.getTypeFactory().createSqlType(SqlTypeName.VARCHAR) : common);
      };

  /** What the longest hash takes. */
  static final SqlReturnTypeInference HASH =
      ReturnTypes.explicit(SqlTypeName.VARCHAR, 128).andThen(SqlTypeTransforms.TO_NULLABLE);

  /** The least type that takes all arguments, nullable if one is. */
  static final SqlReturnTypeInference LEAST_RESTRICTIVE =
      ((SqlReturnTypeInference) binding -> common(binding, 0))
          .andThen(SqlTypeTransforms.TO_NULLABLE);

  /** VARCHAR as long as the first argument, that may always be NULL. */
  static final SqlReturnTypeInference ARGUMENT_VARCHAR =
      binding -> {
        RelDataType argument = binding.getOperandType(0);
        RelDataType type =
            argument.getSqlTypeName() == SqlTypeName.NULL
                ? binding.getTypeFactory().createSqlType(SqlTypeName.VARCHAR)
                : binding
                    .getTypeFactory()
                    .createSqlType(SqlTypeName.VARCHAR, argument.getPrecision());
        return nullable(binding, type);
      };

  /** What ROUND and TRUNCATE make of a decimal; other numbers keep their type. */
  static final SqlReturnTypeInference ROUND =
      binding -> {
        RelDataType argument = binding.getOperandType(0);
        if (!SqlTypeUtil.isDecimal(argument)) {
          return argument;
        }
        int digits = 0;
        if (binding.getOperandCount() > 1) {
          if (!binding.isOperandLiteral(1, true)) {
            return argument;
          }
          digits = binding.getOperandLiteralValue(1, BigDecimal.class).intValue();
        }
        return rounded(binding, argument, digits);
      };

  private static RelDataType rounded(SqlOperatorBinding binding, RelDataType argument, int digits) {
    int precision = argument.getPrecision();
    int scale = argument.getScale();
    RelDataType type;
    if (digits >= scale) {
      type = argument;
    } else if (digits < 0) {
      type =
          binding
              .getTypeFactory()
              .createSqlType(
                  SqlTypeName.DECIMAL,
                  Math.min(TypeRules.MAX_DECIMAL_PRECISION, 1 + precision - scale),
                  0);
    } else {
      type =
          binding
              .getTypeFactory()
              .createSqlType(SqlTypeName.DECIMAL, 1 + precision - scale + digits, digits);
    }
    return binding.getTypeFactory().createTypeWithNullability(type, argument.isNullable());
  }

  /** A timestamp type of the first argument's kind. */
  static SqlReturnTypeInference timestamp(SqlTypeName name, int precision) {
    return binding -> binding.getTypeFactory().createSqlType(name, precision);
  }

  /** A timestamp that may always be NULL. */
  static SqlReturnTypeInference timestampOrNull(SqlTypeName name, int precision) {
    return timestamp(name, precision).andThen(SqlTypeTransforms.FORCE_NULLABLE);
  }

  /** An instant with the precision that the second argument says, three digits at least. */
  static final SqlReturnTypeInference INSTANT_OF_NUMBER =
      binding -> {
        boolean precise =
            binding.getOperandCount() > 1
                && SqlTypeUtil.isIntType(binding.getOperandType(1))
                && binding.isOperandLiteral(1, true);
        int said =
            precise ? binding.getOperandLiteralValue(1, BigDecimal.class).intValue() : MILLIS;
        // The function itself refuses another one.
        int digits = said >= 0 && said <= MOST_DIGITS ? said : MILLIS;
        return nullable(
            binding,
            binding
                .getTypeFactory()
                .createSqlType(
                    SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, Math.max(MILLIS, digits)));
      };

  /** CHAR of a fixed length, nullable if an argument is. */
  static SqlReturnTypeInference character(int length) {
    return ReturnTypes.explicit(SqlTypeName.CHAR, length).andThen(SqlTypeTransforms.TO_NULLABLE);
  }

  private static RelDataType common(SqlOperatorBinding binding, int from) {
    List<RelDataType> types = new ArrayList<>();
    for (int i = from; i < binding.getOperandCount(); i++) {
      types.add(binding.getOperandType(i));
    }
    RelDataType common = binding.getTypeFactory().leastRestrictive(types);
    if (common == null) {
      throw new UnsupportedException(
          "the arguments of %s have no type in common: %s"
              .formatted(
                  binding.getOperator().getName(),
                  types.stream()
                      .map(type -> Types.of(type).withNullable(true).toString())
                      .collect(Collectors.joining(", "))),
          "a CAST that gives them one type",
          binding instanceof SqlCallBinding call ? call.getCall().getParserPosition() : null);
    }
    return common;
  }

  private static RelDataType nullable(SqlOperatorBinding binding, RelDataType type) {
    return binding.getTypeFactory().createTypeWithNullability(type, true);
  }
}
