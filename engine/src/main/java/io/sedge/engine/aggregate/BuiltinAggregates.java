package io.sedge.engine.aggregate;

import io.sedge.engine.expression.Expression;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Kind.Storage;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The aggregate functions that SQL has of itself, with Flink's meaning: integers sum in their own
 * type and wrap around, AVG of integers cuts off, nothing but COUNT and SUM0 gives a value where no
 * row counted. STDDEV and VARIANCE stand for the functions over samples.
 */
public final class BuiltinAggregates {
  private BuiltinAggregates() {}

  /** COUNT, SUM, SUM0, AVG, MIN, MAX, VAR_, STDDEV_, FIRST_VALUE, LAST_VALUE, LISTAGG and so on. */
  public static AggregateRegistry registry() {
    return BuiltinAggregates::find;
  }

  private static Optional<Supplier<Accumulators>> find(AggregateCall call) {
    return Optional.ofNullable(
        switch (call.function()) {
          case "COUNT" -> count(call);
          case "SUM" -> numeric(call, Outcome.Function.SUM);
          case "SUM0", "$SUM0" -> numeric(call, Outcome.Function.SUM0);
          case "AVG" -> numeric(call, Outcome.Function.AVG);
          case "MIN" -> extreme(call, Outcome.Function.MIN);
          case "MAX" -> extreme(call, Outcome.Function.MAX);
          case "VAR_POP" -> spread(call, Outcome.Function.VAR_POP);
          case "VAR_SAMP", "VARIANCE" -> spread(call, Outcome.Function.VAR_SAMP);
          case "STDDEV_POP" -> spread(call, Outcome.Function.STDDEV_POP);
          case "STDDEV_SAMP", "STDDEV" -> spread(call, Outcome.Function.STDDEV_SAMP);
          case "FIRST_VALUE" -> kept(call, KeptValue.Choice.FIRST);
          case "LAST_VALUE" -> kept(call, KeptValue.Choice.LAST);
          case "SINGLE_VALUE" -> kept(call, KeptValue.Choice.ONLY);
          case "LISTAGG" -> joined(call);
          case "PERCENTILE" -> percentile(call);
          default -> null;
        });
  }

  private static @Nullable Supplier<Accumulators> count(AggregateCall call) {
    return call.arguments().size() > 1 && !call.distinct()
        ? CountsOfAll::new
        : new SharedFactory(
            SharedFactory.Family.COUNT, 0, new Outcome(Outcome.Function.COUNT, call.type()));
  }

  private static @Nullable Type argument(AggregateCall call) {
    return call.argumentTypes().size() == 1 ? call.argumentTypes().getFirst() : null;
  }

  private static @Nullable Supplier<Accumulators> numeric(
      AggregateCall call, Outcome.Function function) {
    Type argument = argument(call);
    return argument != null && argument.kind().isNumeric() ? statistics(call, function) : null;
  }

  private static @Nullable Supplier<Accumulators> extreme(
      AggregateCall call, Outcome.Function function) {
    Type argument = argument(call);
    if (argument == null) {
      return null;
    }
    return switch (argument.storage()) {
      case INT, LONG, FLOAT, DOUBLE, DECIMAL -> statistics(call, function);
      case BOOLEAN, STRING ->
          kept(
              call,
              function == Outcome.Function.MIN
                  ? KeptValue.Choice.LEAST
                  : KeptValue.Choice.GREATEST);
      case ARRAY, ROW -> null;
    };
  }

  private static Supplier<Accumulators> statistics(AggregateCall call, Outcome.Function function) {
    Storage storage = call.argumentTypes().getFirst().storage();
    SharedFactory.Family family =
        switch (storage) {
          case DECIMAL -> SharedFactory.Family.DECIMAL;
          case FLOAT, DOUBLE -> SharedFactory.Family.DOUBLE;
          default -> SharedFactory.Family.LONG;
        };
    boolean floatSum =
        storage == Storage.FLOAT
            && (function == Outcome.Function.SUM || function == Outcome.Function.SUM0);
    int needs = floatSum ? Shared.FLOAT_SUM : function.needs();
    return new SharedFactory(family, needs, new Outcome(function, call.type()));
  }

  /** Variances are computed in DOUBLE whatever the argument's type. */
  private static @Nullable Supplier<Accumulators> spread(
      AggregateCall call, Outcome.Function function) {
    Type argument = argument(call);
    if (argument == null || !argument.kind().isNumeric()) {
      return null;
    }
    return new SharedFactory(
        SharedFactory.Family.DOUBLE, function.needs(), new Outcome(function, call.type()));
  }

  private static @Nullable Supplier<Accumulators> kept(
      AggregateCall call, KeptValue.Choice choice) {
    Type argument = argument(call);
    return argument == null ? null : () -> new KeptValue(choice, argument);
  }

  private static @Nullable Supplier<Accumulators> joined(AggregateCall call) {
    Type argument = argument(call);
    if (argument == null || !argument.kind().isString()) {
      return null;
    }
    List<Expression.Literal> parameters = call.parameters();
    String separator = parameters.isEmpty() ? "," : String.valueOf(parameters.getFirst().value());
    return () -> new Joined(separator);
  }

  private static @Nullable Supplier<Accumulators> percentile(AggregateCall call) {
    Type argument = argument(call);
    if (argument == null || !argument.kind().isNumeric() || call.parameters().isEmpty()) {
      return null;
    }
    Object value = call.parameters().getFirst().value();
    boolean array = call.type().kind() == Kind.ARRAY;
    double[] fractions =
        value instanceof List<?> list
            ? list.stream().mapToDouble(BuiltinAggregates::fraction).toArray()
            : new double[] {fraction(value)};
    return () -> new Percentile(fractions, array);
  }

  private static double fraction(@Nullable Object value) {
    if (value instanceof Number number && number.doubleValue() >= 0 && number.doubleValue() <= 1) {
      return number.doubleValue();
    }
    throw new IllegalArgumentException(
        "PERCENTILE takes a fraction between 0 and 1, such as 0.95, not " + value);
  }
}
