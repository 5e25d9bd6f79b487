package io.sedge.sql.internal.user;

import io.sedge.engine.expression.EvaluationException;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** Calls users' methods; what they throw ends the row. */
final class Calls {
  private Calls() {}

  static @Nullable Object invoke(
      String function, MethodHandle handle, @Nullable Object... arguments) {
    try {
      return handle.invoke(arguments);
    } catch (Error e) {
      throw e;
    } catch (Throwable e) {
      throw new EvaluationException("function %s has failed: %s".formatted(function, e), e);
    }
  }
}
