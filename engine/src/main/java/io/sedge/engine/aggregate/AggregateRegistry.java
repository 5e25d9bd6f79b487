package io.sedge.engine.aggregate;

import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds aggregate functions by name. The built-in ones come from {@code BuiltinAggregates}; a job
 * adds sketches and the user's own.
 */
@FunctionalInterface
public interface AggregateRegistry {
  /**
   * @return a factory of empty accumulators for the call (its {@code distinct} and {@code filter}
   *     are handled by the operator), or empty if there is no such function for its types
   */
  Optional<Supplier<Accumulators>> find(AggregateCall call);

  /** Looks here first, then in {@code other}. */
  default AggregateRegistry or(AggregateRegistry other) {
    return call -> find(call).or(() -> other.find(call));
  }
}
