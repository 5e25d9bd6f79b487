package io.sedge.sql.internal.user;

import io.sedge.engine.type.Type;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A public method as SQL sees it.
 *
 * @param parameters the types it takes
 * @param result the type it gives; null for {@code void}
 * @param handle takes all arguments in an array of objects
 */
record Signature(List<Type> parameters, @Nullable Type result, MethodHandle handle) {
  Signature {
    parameters = List.copyOf(parameters);
  }

  /**
   * That of a method.
   *
   * @param skipped so many leading parameters are not SQL's
   * @throws UserFunctionException if a type has no SQL type
   */
  static Signature of(String function, Object instance, Method method, int skipped) {
    List<Type> parameters = new ArrayList<>();
    Class<?>[] javaTypes = method.getParameterTypes();
    for (int i = skipped; i < javaTypes.length; i++) {
      parameters.add(sqlType(function, method, javaTypes[i]));
    }
    Type result =
        method.getReturnType() == void.class
            ? null
            : sqlType(function, method, method.getReturnType());
    return new Signature(parameters, result, handle(function, instance, method));
  }

  /** A handle that takes all arguments of a method in one array. */
  static MethodHandle handle(String function, Object instance, Method method) {
    try {
      MethodHandle handle = MethodHandles.publicLookup().unreflect(method).bindTo(instance);
      int count = method.getParameterCount();
      return handle
          .asType(handle.type().generic().changeReturnType(Object.class))
          .asSpreader(Object[].class, count);
    } catch (IllegalAccessException e) {
      throw new UserFunctionException(
          "function %s: method %s cannot be called from outside; is its class public?"
              .formatted(function, method.getName()));
    }
  }

  private static Type sqlType(String function, Method method, Class<?> javaType) {
    return JavaTypes.sqlType(javaType)
        .orElseThrow(
            () ->
                new UserFunctionException(
                    "function %s: %s of method %s has no SQL type; allowed are %s"
                        .formatted(
                            function,
                            javaType.getSimpleName(),
                            method.getName(),
                            JavaTypes.supported())));
  }

  boolean accepts(List<Type> arguments) {
    if (arguments.size() != parameters.size()) {
      return false;
    }
    for (int i = 0; i < arguments.size(); i++) {
      if (!JavaTypes.accepts(parameters.get(i), arguments.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** How many arguments have to be cast. */
  int casts(List<Type> arguments) {
    int casts = 0;
    for (int i = 0; i < arguments.size(); i++) {
      casts += arguments.get(i).kind() == parameters.get(i).kind() ? 0 : 1;
    }
    return casts;
  }

  /** The best of those that take the arguments. */
  static Signature best(String function, List<Signature> signatures, List<Type> arguments) {
    Signature best = null;
    for (Signature signature : signatures) {
      if (signature.accepts(arguments)
          && (best == null || signature.casts(arguments) < best.casts(arguments))) {
        best = signature;
      }
    }
    if (best == null) {
      throw new UserFunctionException(
          "function %s does not take (%s); it takes %s"
              .formatted(
                  function,
                  inWords(arguments),
                  signatures.stream()
                      .map(signature -> "(" + inWords(signature.parameters) + ")")
                      .collect(Collectors.joining(" or "))));
    }
    return best;
  }

  private static String inWords(List<Type> types) {
    return types.stream()
        .map(type -> type.withNullable(true).toString())
        .collect(Collectors.joining(", "));
  }
}
