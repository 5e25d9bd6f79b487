package io.sedge.engine.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BuiltinAggregatesTest {
  private static final Type DECIMAL = Type.decimal(10, 2);

  private static AggregateCall call(
      String function, Type argument, Type type, Object... parameters) {
    return new AggregateCall(
        function,
        List.of(0),
        List.of(argument),
        Arrays.stream(parameters).map(p -> new Expression.Literal(p, Type.DOUBLE)).toList(),
        -1,
        false,
        type,
        function);
  }

  private static AggregateCall distinct(AggregateCall call) {
    return new AggregateCall(
        call.function(),
        call.arguments(),
        call.argumentTypes(),
        call.parameters(),
        call.filter(),
        true,
        call.type(),
        call.name());
  }

  private static Batch batch(Type type, List<? extends @Nullable Object> values) {
    BatchBuilder builder = new BatchBuilder(new Schema(List.of(new Schema.Field("x", type))));
    values.forEach(builder::addRow);
    return builder.build();
  }

  private static GroupAccumulators create(AggregateCall call) {
    return GroupAccumulators.factory(List.of(call), BuiltinAggregates.registry()).create();
  }

  private static void add(GroupAccumulators accumulators, int slot, Batch batch) {
    int[] rows = new int[batch.rows()];
    Arrays.setAll(rows, i -> i);
    int[] slots = new int[batch.rows()];
    Arrays.fill(slots, slot);
    accumulators.ensureSlots(slot + 1);
    accumulators.add(rows, slots, rows.length, batch);
  }

  private static @Nullable Object result(
      GroupAccumulators accumulators, int slot, AggregateCall call) {
    ColumnBuilder builder = ColumnBuilder.of(call.type());
    accumulators.results(slot, slot + 1, 0, builder);
    return builder.build().value(0);
  }

  private static List<@Nullable Object> values(@Nullable Object... values) {
    return Arrays.asList(values);
  }

  private static BigDecimal decimal(String text) {
    return new BigDecimal(text);
  }

  static Stream<Arguments> cases() {
    Type list = Type.array(Type.DOUBLE);
    return Stream.of(
        arguments(call("COUNT", Type.STRING, Type.BIGINT), values("a", null, "b"), 2L),
        arguments(call("COUNT", Type.DOUBLE, Type.BIGINT), values(), 0L),
        arguments(call("SUM", Type.INT, Type.INT), values(Integer.MAX_VALUE, 1), Integer.MIN_VALUE),
        arguments(call("SUM", Type.TINYINT, Type.TINYINT), values(100, 100), -56),
        arguments(call("SUM", Type.SMALLINT, Type.SMALLINT), values(32767, 2), -32767),
        arguments(
            call("SUM", Type.BIGINT, Type.BIGINT),
            values(Long.MAX_VALUE, 2L, null),
            -Long.MAX_VALUE),
        arguments(call("SUM", Type.FLOAT, Type.FLOAT), values(16777216f, 1f, 1f), 16777216f),
        arguments(call("SUM", Type.DOUBLE, Type.DOUBLE), values(0.1, 0.2, 0.3), 0.1 + 0.2 + 0.3),
        arguments(
            call("SUM", DECIMAL, Type.decimal(38, 2)),
            values(decimal("0.10"), decimal("0.25")),
            decimal("0.35")),
        arguments(call("SUM", Type.DOUBLE, Type.DOUBLE), values(null, null), null),
        arguments(call("$SUM0", Type.INT, Type.INT), values(), 0),
        arguments(call("SUM0", DECIMAL, Type.decimal(38, 2)), values(), decimal("0.00")),
        arguments(call("AVG", Type.INT, Type.INT), values(-1, -2), -1),
        arguments(
            call("AVG", Type.INT, Type.INT),
            values(Integer.MAX_VALUE, Integer.MAX_VALUE),
            Integer.MAX_VALUE),
        arguments(call("AVG", Type.BIGINT, Type.BIGINT), values(1L, 2L, null), 1L),
        arguments(
            call("AVG", Type.FLOAT, Type.FLOAT),
            values(16777216f, 1f, 1f),
            (float) (16777218.0 / 3)),
        arguments(call("AVG", Type.DOUBLE, Type.DOUBLE), values(1.0, 2.0), 1.5),
        arguments(
            call("AVG", DECIMAL, Type.decimal(38, 6)),
            values(decimal("1.00"), decimal("0.00"), decimal("1.00")),
            decimal("0.666667")),
        arguments(call("MIN", Type.DOUBLE, Type.DOUBLE), values(2.0, -1.0, null), -1.0),
        arguments(call("MAX", Type.DATE, Type.DATE), values(3, 5, 4), 5),
        arguments(call("MIN", Type.timestamp(3), Type.timestamp(3)), values(9L, -9L), -9L),
        arguments(
            call("MAX", Type.STRING, Type.STRING),
            values("\uFFFD", "\uD83D\uDE00", "a"),
            "\uD83D\uDE00"),
        arguments(call("MIN", Type.STRING, Type.STRING), values("ab", "a", null), "a"),
        arguments(call("MAX", Type.BOOLEAN, Type.BOOLEAN), values(false, true), true),
        arguments(
            call("MAX", DECIMAL, DECIMAL),
            values(decimal("1.10"), decimal("1.09")),
            decimal("1.10")),
        arguments(call("VAR_POP", Type.DOUBLE, Type.DOUBLE), values(1.0, 2.0, 3.0, 4.0), 1.25),
        arguments(call("VAR_SAMP", Type.DOUBLE, Type.DOUBLE), values(1.0, 3.0), 2.0),
        arguments(call("VARIANCE", Type.DOUBLE, Type.DOUBLE), values(1.0), null),
        arguments(call("STDDEV_POP", Type.DOUBLE, Type.DOUBLE), values(1.0, 3.0), 1.0),
        arguments(
            call("STDDEV", DECIMAL, Type.decimal(38, 6)),
            values(decimal("1.00"), decimal("3.00")),
            decimal("1.414214")),
        arguments(call("STDDEV_POP", Type.INT, Type.INT), values(1, 4), 1),
        arguments(call("FIRST_VALUE", Type.STRING, Type.STRING), values(null, "x", "y"), "x"),
        arguments(call("LAST_VALUE", Type.BIGINT, Type.BIGINT), values(1L, 7L, null), 7L),
        arguments(call("LISTAGG", Type.STRING, Type.STRING), values("a", null, "b"), "a,b"),
        arguments(call("LISTAGG", Type.STRING, Type.STRING, " | "), values("a", "b"), "a | b"),
        arguments(call("SINGLE_VALUE", Type.INT, Type.INT), values((Object) null), null),
        arguments(call("PERCENTILE", Type.INT, Type.DOUBLE, 0.5), values(10, 40, 20, 30), 25.0),
        arguments(
            call("PERCENTILE", Type.INT, list, List.of(0.0, 1.0)), values(3, 1), List.of(1.0, 3.0)),
        arguments(
            distinct(call("COUNT", Type.STRING, Type.BIGINT)), values("a", "b", "a", null), 2L),
        arguments(distinct(call("SUM", Type.INT, Type.INT)), values(5, 5, 6), 11),
        arguments(distinct(call("AVG", Type.DOUBLE, Type.DOUBLE)), values(1.0, 3.0, 3.0), 2.0));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void anAggregateGivesWhatFlinkGives(
      AggregateCall call, List<@Nullable Object> values, @Nullable Object expected) {
    GroupAccumulators accumulators = create(call);
    accumulators.ensureSlots(8);
    add(accumulators, 7, batch(call.argumentTypes().getFirst(), values));
    assertThat(result(accumulators, 7, call)).isEqualTo(expected);
  }

  /** What the site does with what shards have computed apart. */
  @ParameterizedTest
  @MethodSource("cases")
  void partsWrittenReadAndMergedGiveTheSame(
      AggregateCall call, List<@Nullable Object> values, @Nullable Object expected)
      throws IOException {
    for (int cut = 0; cut <= values.size(); cut++) {
      GroupAccumulators parts = create(call);
      parts.ensureSlots(3);
      Type type = call.argumentTypes().getFirst();
      add(parts, 1, batch(type, values.subList(0, cut)));
      add(parts, 2, batch(type, values.subList(cut, values.size())));
      GroupAccumulators read = create(call);
      read.ensureSlots(2);
      read.read(0, written(parts, 1));
      read.read(1, written(parts, 2));
      read.merge(0, read, 1);
      Object merged = result(read, 0, call);
      if (expected instanceof Double number) { // the order of a sum shows in its last bit
        assertThat((Double) merged).isCloseTo(number, Offset.offset(1e-12));
      } else if (!(expected instanceof Float)) {
        assertThat(merged).as("cut at %d", cut).isEqualTo(expected);
      }
      read.clear(0);
      assertThat(result(read, 0, call)).isEqualTo(result(empty(call), 0, call));
    }
  }

  private static GroupAccumulators empty(AggregateCall call) {
    GroupAccumulators accumulators = create(call);
    accumulators.ensureSlots(1);
    return accumulators;
  }

  private static DataInputStream written(GroupAccumulators accumulators, int slot)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    accumulators.write(slot, new DataOutputStream(bytes));
    return new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
  }

  @Test
  void moreThanOneRowForASingleValueIsAnError() {
    AggregateCall call = call("SINGLE_VALUE", Type.INT, Type.INT);
    assertThatThrownBy(() -> add(create(call), 0, batch(Type.INT, values(1, 2))))
        .isInstanceOf(EvaluationException.class)
        .hasMessageContaining("1, then 2");
  }

  @Test
  void anUnknownFunctionIsNamedWithItsTypesAndColumn() {
    assertThatThrownBy(() -> create(call("MEDIAN", Type.INT, Type.INT)))
        .hasMessage("there is no aggregate function MEDIAN for the types [INT] (column `MEDIAN`)");
    assertThatThrownBy(() -> create(call("PERCENTILE", Type.INT, Type.DOUBLE, 1.5)))
        .hasMessageContaining("between 0 and 1");
  }

  @Test
  void aFilterSelectsTheRowsOfOneCallAndCallsOverOneArgumentShare() {
    Schema schema = Schema.builder().add("x", Type.DOUBLE).add("ok", Type.BOOLEAN).build();
    Batch batch =
        new BatchBuilder(schema)
            .addRow(1.0, true)
            .addRow(2.0, false)
            .addRow(4.0, null)
            .addRow(null, true)
            .build();
    List<AggregateCall> calls =
        List.of(
            filtered("COUNT", Type.BIGINT, -1),
            filtered("SUM", Type.DOUBLE, 1),
            filtered("MAX", Type.DOUBLE, -1),
            filtered("COUNT", Type.BIGINT, 1));
    GroupAccumulators accumulators =
        GroupAccumulators.factory(calls, BuiltinAggregates.registry()).create();
    add(accumulators, 0, batch);
    assertThat(
            List.of(
                result(accumulators, 0, calls, 0),
                result(accumulators, 0, calls, 1),
                result(accumulators, 0, calls, 2),
                result(accumulators, 0, calls, 3)))
        .containsExactly(3L, 1.0, 4.0, 1L);
  }

  private static AggregateCall filtered(String function, Type type, int filter) {
    return new AggregateCall(
        function, List.of(0), List.of(Type.DOUBLE), List.of(), filter, false, type, function);
  }

  private static Object result(
      GroupAccumulators accumulators, int slot, List<AggregateCall> calls, int call) {
    ColumnBuilder builder = ColumnBuilder.of(calls.get(call).type());
    accumulators.results(slot, slot + 1, call, builder);
    Object value = builder.build().value(0);
    assertThat(value).isNotNull();
    return value == null ? "" : value;
  }

  /** Data for which the textbook formula has no digit right; also after an outlier came first. */
  @Test
  void variancesOfBadlyConditionedDataAreRightToNineDigits() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    AggregateCall call = call("VAR_POP", Type.DOUBLE, Type.DOUBLE);
    for (double base : new double[] {0, 1e9, -1e12}) {
      for (int parts : new int[] {1, 2, 7, 50}) {
        double[] numbers = random.doubles(5000).map(x -> base + x).toArray();
        if (parts == 7) {
          numbers[0] = 0;
        }
        GroupAccumulators accumulators = create(call);
        accumulators.ensureSlots(parts);
        addInPieces(accumulators, numbers, parts, random);
        for (int part = 1; part < parts; part++) {
          accumulators.merge(0, accumulators, part);
        }
        double expected = variance(numbers);
        assertThat((Double) result(accumulators, 0, call))
            .as("base %s, %d parts, seed %d", base, parts, seed)
            .isCloseTo(expected, Offset.offset(expected * 1e-9));
      }
    }
  }

  private static void addInPieces(
      GroupAccumulators accumulators, double[] numbers, int parts, Random random) {
    int from = 0;
    while (from < numbers.length) {
      int to = Math.min(numbers.length, from + 1 + random.nextInt(600));
      Batch batch = batch(Type.DOUBLE, Arrays.stream(numbers, from, to).boxed().toList());
      int[] rows = new int[batch.rows()];
      Arrays.setAll(rows, i -> i);
      int[] slots = new int[batch.rows()];
      boolean one = random.nextBoolean();
      int some = random.nextInt(parts);
      Arrays.setAll(slots, i -> one ? some : i % parts);
      accumulators.add(rows, slots, rows.length, batch);
      from = to;
    }
  }

  private static double variance(double[] numbers) {
    BigDecimal count = BigDecimal.valueOf(numbers.length);
    BigDecimal sum = BigDecimal.ZERO;
    BigDecimal squares = BigDecimal.ZERO;
    for (double number : numbers) {
      BigDecimal exact = new BigDecimal(number);
      sum = sum.add(exact);
      squares = squares.add(exact.multiply(exact));
    }
    BigDecimal spread = squares.multiply(count).subtract(sum.multiply(sum));
    return spread.divide(count.multiply(count), MathContext.DECIMAL128).doubleValue();
  }

  /** Batches may be cut anywhere: sums and spreads must not depend on it, not even in a bit. */
  @Test
  void resultsDoNotDependOnHowRowsAreCutIntoBatches() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (String function : List.of("SUM", "AVG", "VAR_POP", "STDDEV_SAMP")) {
      AggregateCall call = call(function, Type.DOUBLE, Type.DOUBLE);
      List<Double> numbers = random.doubles(3000).map(x -> 100 + x).boxed().toList();
      GroupAccumulators whole = create(call);
      add(whole, 0, batch(Type.DOUBLE, numbers));
      GroupAccumulators cut = create(call);
      int from = 0;
      while (from < numbers.size()) {
        int to = Math.min(numbers.size(), from + 1 + random.nextInt(50));
        add(cut, 0, batch(Type.DOUBLE, numbers.subList(from, to)));
        from = to;
      }
      assertThat(result(cut, 0, call))
          .as("%s, seed %d", function, seed)
          .isEqualTo(result(whole, 0, call));
    }
  }
}
