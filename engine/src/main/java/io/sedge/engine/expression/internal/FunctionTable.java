package io.sedge.engine.expression.internal;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Functions by name, each with the number of arguments that it takes. A name may have several rows;
 * the first one that accepts the arguments is taken. Filled by the families, then only read.
 */
public final class FunctionTable implements FunctionRegistry {
  /** For functions without an upper bound of arguments. */
  static final int ANY = Integer.MAX_VALUE;

  private record Entry(int fewest, int most, Binder binder) {}

  private final Map<String, List<Entry>> entries = new TreeMap<>();

  void add(String name, int fewest, int most, Binder binder) {
    entries.computeIfAbsent(name, key -> new ArrayList<>()).add(new Entry(fewest, most, binder));
  }

  void add(String name, int arguments, Binder binder) {
    add(name, arguments, arguments, binder);
  }

  /** The names in alphabetical order. */
  public List<String> names() {
    return List.copyOf(entries.keySet());
  }

  @Override
  public Optional<ScalarFunction> find(String name, List<Expression> arguments, Type result) {
    for (Entry entry : entries.getOrDefault(name, List.of())) {
      if (arguments.size() >= entry.fewest && arguments.size() <= entry.most) {
        ScalarFunction function = entry.binder.bind(arguments, result);
        if (function != null) {
          return Optional.of(function);
        }
      }
    }
    return Optional.empty();
  }
}
