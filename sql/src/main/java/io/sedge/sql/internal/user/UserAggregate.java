package io.sedge.sql.internal.user;

import io.sedge.engine.aggregate.Accumulators;
import io.sedge.engine.type.Type;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * An aggregate function: {@code createAccumulator()}, {@code accumulate(accumulator, …)}, {@code
 * getValue(accumulator)} and {@code merge(accumulator, Iterable)} of an object. The accumulator's
 * public fields are what is kept as state.
 */
public final class UserAggregate implements UserFunction {
  private final String name;
  private final List<Signature> signatures;
  private final Type result;
  private final MethodHandle create;
  private final MethodHandle value;
  private final MethodHandle merge;
  private final AccumulatorFields fields;

  UserAggregate(String name, Object instance) {
    this.name = name;
    Method createMethod = only(instance, "createAccumulator", 0);
    Method valueMethod = only(instance, "getValue", 1);
    Method mergeMethod = only(instance, "merge", 2);
    this.signatures =
        UserFunctions.methods(instance.getClass(), "accumulate").stream()
            .filter(method -> method.getParameterCount() > 0)
            .map(method -> Signature.of(name, instance, method, 1))
            .toList();
    this.result =
        JavaTypes.sqlType(valueMethod.getReturnType())
            .orElseThrow(
                () ->
                    new UserFunctionException(
                        "function %s: %s of getValue has no SQL type; allowed are %s"
                            .formatted(
                                name,
                                valueMethod.getReturnType().getSimpleName(),
                                JavaTypes.supported())))
            .withNullable(true);
    this.create = Signature.handle(name, instance, createMethod);
    this.value = Signature.handle(name, instance, valueMethod);
    this.merge = Signature.handle(name, instance, mergeMethod);
    this.fields = AccumulatorFields.of(name, createMethod.getReturnType());
  }

  private Method only(Object instance, String method, int parameters) {
    return UserFunctions.methods(instance.getClass(), method).stream()
        .filter(candidate -> candidate.getParameterCount() == parameters)
        .findFirst()
        .orElseThrow(
            () ->
                new UserFunctionException(
                    "function %s: class %s has no public method `%s` with %d parameters, which an"
                            .formatted(name, instance.getClass().getName(), method, parameters)
                        + " aggregate needs"));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Type resultType(List<Type> arguments) {
    Signature.best(name, signatures, arguments);
    return result;
  }

  /** A factory of accumulators for arguments of those types. */
  public Supplier<Accumulators> bind(List<Type> arguments) {
    Signature signature = Signature.best(name, signatures, arguments);
    return () -> new UserAccumulators(this, signature);
  }

  Type result() {
    return result;
  }

  AccumulatorFields fields() {
    return fields;
  }

  Object newAccumulator() {
    return Objects.requireNonNull(
        Calls.invoke(name, create), "createAccumulator of %s gives null".formatted(name));
  }

  MethodHandle valueHandle() {
    return value;
  }

  MethodHandle mergeHandle() {
    return merge;
  }
}
