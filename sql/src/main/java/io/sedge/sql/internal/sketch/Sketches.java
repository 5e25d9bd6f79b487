package io.sedge.sql.internal.sketch;

import io.sedge.engine.aggregate.Accumulators;
import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.aggregate.AggregateRegistry;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The approximate aggregates: {@code APPROX_COUNT_DISTINCT(x)} on a HyperLogLog sketch and {@code
 * APPROX_QUANTILE(x, fraction)} on a t-digest. Both are mergeable and give the same result for the
 * same rows in the same order: neither draws random numbers, so that a replica that applies the
 * same changes has the same state.
 */
public final class Sketches {
  private Sketches() {}

  /** They, by name. */
  public static AggregateRegistry registry() {
    return call ->
        switch (call.function()) {
          case "APPROX_COUNT_DISTINCT" -> Optional.<Supplier<Accumulators>>of(DistinctCounts::new);
          case "APPROX_QUANTILE" -> quantiles(call);
          default -> Optional.empty();
        };
  }

  private static Optional<Supplier<Accumulators>> quantiles(AggregateCall call) {
    boolean fits =
        call.argumentTypes().size() == 1
            && call.argumentTypes().getFirst().kind().isNumeric()
            && call.parameters().size() == 1
            && call.parameters().getFirst().value() instanceof Number;
    if (!fits) {
      return Optional.empty();
    }
    Object parameter = call.parameters().getFirst().value();
    double fraction = parameter instanceof Number number ? number.doubleValue() : Double.NaN;
    if (!(fraction >= 0 && fraction <= 1)) {
      throw new IllegalArgumentException(
          "APPROX_QUANTILE: the fraction %s is not between 0 and 1".formatted(parameter));
    }
    return Optional.of(() -> new Quantiles(fraction));
  }
}
