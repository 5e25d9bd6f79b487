package io.sedge.sql.internal;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCallBinding;
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
  public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
    Cast.check(binding);
    return true;
  }

  @Override
  public RelDataType inferReturnType(SqlOperatorBinding binding) {
    RelDataType text = Cast.text(binding);
    return binding
        .getTypeFactory()
        .createTypeWithNullability(text == null ? super.inferReturnType(binding) : text, true);
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
