package io.sedge.sql.internal;

import io.sedge.engine.type.Type;
import io.sedge.sql.internal.user.UserAggregate;
import io.sedge.sql.internal.user.UserFunction;
import io.sedge.sql.internal.user.UserFunctionException;
import io.sedge.sql.internal.user.UserScalar;
import java.util.List;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlBasicAggFunction;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;

/** Users' functions as Calcite sees them. */
final class UserOperators {
  private UserOperators() {}

  static SqlOperator of(UserFunction function) {
    SqlReturnTypeInference type =
        binding -> {
          List<Type> arguments = binding.collectOperandTypes().stream().map(Types::of).toList();
          try {
            return Types.of(function.resultType(arguments), binding.getTypeFactory());
          } catch (UserFunctionException e) {
            throw new UnsupportedException(String.valueOf(e.getMessage()), null);
          }
        };
    return switch (function) {
      case UserScalar scalar ->
          SqlBasicFunction.create(
                  scalar.name(),
                  type,
                  OperandTypes.VARIADIC,
                  SqlFunctionCategory.USER_DEFINED_FUNCTION)
              .withDeterministic(false);
      case UserAggregate aggregate ->
          SqlBasicAggFunction.create(
                  aggregate.name(), SqlKind.OTHER_FUNCTION, type, OperandTypes.VARIADIC)
              .withFunctionType(SqlFunctionCategory.USER_DEFINED_FUNCTION);
    };
  }
}
