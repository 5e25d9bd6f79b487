package io.sedge.tensor.resolver;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Environment variables. */
@FunctionalInterface
public interface Environment {
  /** The value of a variable; null if it is not set. */
  @Nullable String get(String name);

  /** The variables of this process. They do not change while it runs. */
  static Environment ofProcess() {
    return System::getenv;
  }

  /** The variables of a map, which is looked at anew each time. */
  static Environment of(Map<String, String> variables) {
    return variables::get;
  }
}
