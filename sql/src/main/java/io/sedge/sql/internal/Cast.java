package io.sedge.sql.internal;

import io.sedge.engine.expression.BuiltinFunctions;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.type.Type;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.fun.SqlCastFunction;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/** CAST(x AS type). Flink casts between more types than Calcite; the engine says which. */
final class Cast extends SqlCastFunction {
  private static final FunctionRegistry ENGINE =
      BuiltinFunctions.registry(ZoneOffset.UTC, InstantSource.system());

  @Override
  public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
    check(binding);
    return true;
  }

  /** Calcite expects that an array becomes an array, and a row a row. */
  @Override
  public RelDataType inferReturnType(SqlOperatorBinding binding) {
    RelDataType text = text(binding);
    return text == null ? super.inferReturnType(binding) : text;
  }

  /** The type of an array or a row that is cast to a string; null for other casts. */
  static @Nullable RelDataType text(SqlOperatorBinding binding) {
    RelDataType from = binding.getOperandType(0);
    boolean nested = from.isStruct() || from.getComponentType() != null;
    return nested && SqlTypeUtil.isCharacter(binding.getOperandType(1))
        ? binding
            .getTypeFactory()
            .createTypeWithNullability(binding.getOperandType(1), from.isNullable())
        : null;
  }

  /** Refuses a CAST or TRY_CAST that the engine does not have. */
  static void check(SqlCallBinding binding) {
    RelDataType from = binding.getOperandType(0);
    RelDataType to = binding.getOperandType(1);
    Type source = Types.of(from);
    Type target = Types.of(to);
    boolean known =
        Types.sameIgnoringNulls(source, target)
            || (!SqlTypeUtil.isInterval(to)
                && ENGINE
                    .find("CAST", List.of(new Expression.Input(0, source)), target)
                    .isPresent());
    if (!known) {
      throw new UnsupportedException(
          "%s has no cast from %s to %s"
              .formatted(
                  binding.getOperator().getName(),
                  source.withNullable(true),
                  target.withNullable(true)),
          remedy(source, target),
          binding.getCall().getParserPosition());
    }
  }

  private static @Nullable String remedy(Type from, Type to) {
    if (from.kind().isNumeric() && to.kind().isTimestamp()) {
      return "TO_TIMESTAMP_LTZ(seconds, 0) or TO_TIMESTAMP_LTZ(milliseconds, 3)";
    }
    if (from.kind().isTimestamp() && to.kind().isNumeric()) {
      return "UNIX_TIMESTAMP(CAST(… AS STRING))";
    }
    return "a CAST to STRING first";
  }
}
