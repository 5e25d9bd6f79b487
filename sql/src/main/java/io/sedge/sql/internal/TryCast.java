package io.sedge.sql.internal;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlCastFunction;
import org.apache.calcite.sql.validate.SqlMonotonicity;

/** TRY_CAST(x AS type): like CAST, but NULL where that fails. */
final class TryCast extends SqlCastFunction {
  TryCast() {
    super("TRY_CAST", SqlKind.SAFE_CAST);
  }

  @Override
  public RelDataType inferReturnType(SqlOperatorBinding binding) {
    return binding.getTypeFactory().createTypeWithNullability(super.inferReturnType(binding), true);
  }

  @Override
  public SqlMonotonicity getMonotonicity(SqlOperatorBinding call) {
    return SqlMonotonicity.NOT_MONOTONIC;
  }

  /** The parser makes a function call of it, so it is found among those. */
  @Override
  public SqlSyntax getSyntax() {
    return SqlSyntax.FUNCTION;
  }
}
