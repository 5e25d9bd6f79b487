package io.sedge.engine.expression.internal;

import io.sedge.engine.column.Column;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.expression.ScalarFunction;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** RAND, RAND_INTEGER and UUID. A seed gives the sequence of {@link Random}, as in Flink. */
public final class RandomFunctions {
  private static final long VERSION_MASK = 0xffff_ffff_ffff_0fffL;
  private static final long VERSION_4 = 0x4000L;
  private static final long VARIANT_MASK = 0x3fff_ffff_ffff_ffffL;
  private static final long VARIANT_2 = 0x8000_0000_0000_0000L;

  /** The next value; the arguments are those of the row. */
  @FunctionalInterface
  private interface Next {
    Object of(List<Column> arguments, int row);
  }

  /** A function that gives another value for every row. */
  private record Drawn(Next next, Type type) implements ScalarFunction {
    @Override
    public Column apply(List<Column> arguments, int rows) {
      @Nullable Object[] values = new Object[rows];
      for (int i = 0; i < rows; i++) {
        boolean anyNull = false;
        for (Column argument : arguments) {
          anyNull |= argument.isNull(i);
        }
        values[i] = anyNull ? null : next.of(arguments, i);
      }
      return Columns.of(values, type, rows);
    }

    @Override
    public boolean isDeterministic() {
      return false;
    }
  }

  private RandomFunctions() {}

  public static void register(FunctionTable table, RandomGenerator random) {
    table.add(
        "RAND",
        0,
        1,
        (arguments, result) -> {
          RandomGenerator source = seeded(arguments, arguments.size() == 1, random);
          return source == null ? null : new Drawn((columns, row) -> source.nextDouble(), result);
        });
    table.add(
        "RAND_INTEGER",
        1,
        2,
        (arguments, result) -> {
          RandomGenerator source = seeded(arguments, arguments.size() == 2, random);
          return source == null
              ? null
              : new Drawn((columns, row) -> bounded(source, columns.getLast(), row), result);
        });
    table.add("UUID", 0, (arguments, result) -> new Drawn((columns, row) -> uuid(random), result));
  }

  /** A source with the seed that comes first; null if that is not a constant integer. */
  private static @Nullable RandomGenerator seeded(
      List<Expression> arguments, boolean hasSeed, RandomGenerator random) {
    if (!hasSeed) {
      return random;
    }
    return arguments.getFirst() instanceof Expression.Literal literal
            && literal.value() instanceof Number seed
        ? new Random(seed.intValue())
        : null;
  }

  private static Object bounded(RandomGenerator source, Column bound, int row) {
    int limit = Numbers.ints(bound)[row];
    if (limit <= 0) {
      throw new EvaluationException("RAND_INTEGER(%d): the bound is above 0".formatted(limit));
    }
    return source.nextInt(limit);
  }

  private static String uuid(RandomGenerator random) {
    long high = (random.nextLong() & VERSION_MASK) | VERSION_4;
    long low = (random.nextLong() & VARIANT_MASK) | VARIANT_2;
    return new UUID(high, low).toString();
  }
}
