package io.sedge.learning;

import io.sedge.engine.aggregate.Accumulators;
import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import io.sedge.learning.internal.Detector;
import io.sedge.learning.internal.DetectorAccumulators;
import io.sedge.learning.internal.DetectorKind;
import io.sedge.learning.internal.DetectorKinds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Functions that score each reading of a key by those before it: {@code EWMA_SCORE(x) OVER
 * (PARTITION BY k ORDER BY ts)}. As aggregates their accumulators are a task's state, so they are
 * committed, moved and restored like any other; a detector that was restored gives the same bits as
 * one that was not. Their frame is all rows of the key so far, row by row; they are never merged.
 */
public final class Detectors {
  private static final Map<String, DetectorKind> KINDS =
      DetectorKinds.ALL.stream().collect(Collectors.toUnmodifiableMap(DetectorKind::name, k -> k));

  private static final double MICROS_PER_SECOND = 1_000_000;

  private Detectors() {}

  /** The names of the functions. */
  public static List<String> names() {
    return DetectorKinds.ALL.stream().map(DetectorKind::name).toList();
  }

  /** How many arguments of a function are columns; constants follow them. */
  public static int columns(String name) {
    DetectorKind kind = KINDS.get(name);
    if (kind == null) {
      throw new IllegalArgumentException("there is no detector " + name);
    }
    return kind.timed() ? 2 : 1;
  }

  /**
   * The functions, by name. Finding one throws an {@link IllegalArgumentException} whose message
   * says what its arguments may be, if they are others.
   */
  public static AggregateRegistry registry() {
    return call ->
        Optional.ofNullable(KINDS.get(call.function())).map(kind -> accumulators(kind, call));
  }

  private static Supplier<Accumulators> accumulators(DetectorKind kind, AggregateCall call) {
    List<Type> types = call.argumentTypes();
    Type reading = types.isEmpty() ? Type.NULL : types.getFirst();
    boolean vector =
        reading.kind() == Kind.ARRAY && reading.children().getFirst().kind().isNumeric();
    boolean fits =
        (reading.kind().isNumeric() || (vector && kind.vectors()))
            && types.size() == columns(kind.name())
            && (!kind.timed() || types.get(1).kind().isTimestamp());
    if (!fits || call.distinct()) {
      throw new IllegalArgumentException("%s takes %s".formatted(kind.name(), kind.signature()));
    }
    List<Double> given = new ArrayList<>();
    for (Expression.Literal literal : call.parameters()) {
      given.add(number(literal));
    }
    Supplier<Detector> detector = kind.detector(given);
    return () -> new DetectorAccumulators(detector);
  }

  /** A constant; an interval in seconds. */
  private static double number(Expression.Literal literal) {
    double number = literal.value() instanceof Number value ? value.doubleValue() : Double.NaN;
    boolean interval = literal.type().kind() == Kind.INTERVAL_DAY_TIME;
    return interval ? number / MICROS_PER_SECOND : number;
  }
}
