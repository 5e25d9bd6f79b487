package io.sedge.sql.internal.user;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A scalar function: the public methods {@code eval} of an object. A null given for a primitive
 * parameter makes the result null without a call.
 */
public final class UserScalar implements UserFunction {
  private final String name;
  private final List<Signature> signatures;

  UserScalar(String name, Object instance) {
    this.name = name;
    this.signatures =
        UserFunctions.methods(instance.getClass(), "eval").stream()
            .map(method -> Signature.of(name, instance, method, 0))
            .toList();
    if (signatures.stream().anyMatch(signature -> signature.result() == null)) {
      throw new UserFunctionException("function %s: eval returns nothing".formatted(name));
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Type resultType(List<Type> arguments) {
    Signature best = Signature.best(name, signatures, arguments);
    Type result = Objects.requireNonNull(best.result());
    for (int i = 0; i < arguments.size(); i++) {
      if (arguments.get(i).nullable() && !best.parameters().get(i).nullable()) {
        return result.withNullable(true);
      }
    }
    return result;
  }

  /** The function bound to arguments of those types. */
  public ScalarFunction bind(List<Type> arguments, Type result) {
    Signature signature = Signature.best(name, signatures, arguments);
    return (columns, rows) -> apply(signature, columns, rows, result);
  }

  private Column apply(Signature signature, List<Column> columns, int rows, Type result) {
    ColumnBuilder builder = ColumnBuilder.of(result);
    for (int row = 0; row < rows; row++) {
      @Nullable Object[] arguments = new Object[columns.size()];
      boolean nullForPrimitive = false;
      for (int i = 0; i < arguments.length; i++) {
        Type parameter = signature.parameters().get(i);
        arguments[i] = JavaTypes.toJava(columns.get(i).value(row), parameter);
        nullForPrimitive |= arguments[i] == null && !parameter.nullable();
      }
      builder.add(
          nullForPrimitive
              ? null
              : JavaTypes.fromJava(Calls.invoke(name, signature.handle(), arguments), result));
    }
    return builder.build();
  }
}
