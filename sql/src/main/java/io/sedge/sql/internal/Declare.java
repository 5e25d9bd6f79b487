package io.sedge.sql.internal;

import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlBasicAggFunction;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlSingleOperandTypeChecker;
import org.apache.calcite.sql.type.SqlTypeFamily;

/** How functions are declared: name, type of the result, what arguments are taken. */
final class Declare {
  private Declare() {}

  static SqlOperandCountRange atLeast(int count) {
    return SqlOperandCountRanges.from(count);
  }

  static SqlSingleOperandTypeChecker families(SqlTypeFamily... families) {
    return OperandTypes.family(families);
  }

  static SqlFunction function(
      String name, SqlReturnTypeInference type, SqlOperandTypeChecker operands) {
    return function(name, type, operands, true);
  }

  static SqlFunction function(
      String name,
      SqlReturnTypeInference type,
      SqlOperandTypeChecker operands,
      boolean deterministic) {
    return SqlBasicFunction.create(name, type, operands, SqlFunctionCategory.SYSTEM)
        .withDeterministic(deterministic);
  }

  /** A function that is called without parentheses, and changes with time. */
  static SqlFunction constant(String name, SqlReturnTypeInference type) {
    return SqlBasicFunction.create(name, type, OperandTypes.NILADIC, SqlFunctionCategory.TIMEDATE)
        .withSyntax(SqlSyntax.FUNCTION_ID)
        .withDeterministic(false);
  }

  static SqlAggFunction aggregate(
      String name, SqlKind kind, SqlReturnTypeInference type, SqlOperandTypeChecker operands) {
    return SqlBasicAggFunction.create(name, kind, type, operands)
        .withFunctionType(SqlFunctionCategory.SYSTEM);
  }
}
