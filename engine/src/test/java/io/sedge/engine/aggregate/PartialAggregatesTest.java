package io.sedge.engine.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.expression.Evaluator;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What several places aggregate apart is, merged, what one place would have given. */
class PartialAggregatesTest {
  private static final Schema SCHEMA =
      Schema.builder()
          .add("group", Type.BIGINT)
          .add("n", Type.BIGINT)
          .add("x", Type.DOUBLE)
          .add("s", Type.STRING)
          .add("ok", Type.BOOLEAN)
          .add("d", Type.decimal(10, 2))
          .build();

  private static final AggregateRegistry REGISTRY = BuiltinAggregates.registry();

  private static final List<AggregateCall> CALLS =
      List.of(
          call("COUNT", -1, -1, false, Type.BIGINT.notNull()),
          call("COUNT", 2, -1, false, Type.BIGINT.notNull()),
          call("SUM", 1, 4, false, Type.BIGINT),
          call("AVG", 1, -1, false, Type.BIGINT),
          call("MIN", 2, -1, false, Type.DOUBLE),
          call("MAX", 3, -1, false, Type.STRING),
          call("SUM", 2, -1, false, Type.DOUBLE),
          call("SUM", 5, -1, false, Type.decimal(38, 2)),
          call("COUNT", 3, -1, true, Type.BIGINT.notNull()),
          call("COUNT", 1, 4, true, Type.BIGINT.notNull()),
          new AggregateCall(
              "PERCENTILE",
              List.of(2),
              List.of(Type.DOUBLE),
              List.of(new Expression.Literal(0.9, Type.DOUBLE)),
              -1,
              false,
              Type.DOUBLE,
              "p"),
          call("STDDEV_POP", 2, -1, false, Type.DOUBLE));

  private static AggregateCall call(
      String function, int column, int filter, boolean distinct, Type type) {
    return new AggregateCall(
        function,
        column < 0 ? List.of() : List.of(column),
        column < 0 ? List.of() : List.of(SCHEMA.type(column)),
        List.of(),
        filter,
        distinct,
        type,
        function + column);
  }

  private static Batch rows(Random random, int count) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (int i = 0; i < count; i++) {
      builder.addRow(
          (long) random.nextInt(5),
          random.nextInt(4) == 0 ? null : random.nextLong(1000) - 500,
          random.nextInt(4) == 0 ? null : (double) random.nextInt(1 << 20),
          random.nextInt(4) == 0 ? null : "s" + random.nextInt(20),
          random.nextInt(4) == 0 ? null : random.nextBoolean(),
          random.nextInt(4) == 0 ? null : BigDecimal.valueOf(random.nextInt(10_000), 2));
    }
    return builder.build();
  }

  /** Adds rows to the slots of their groups. */
  private static void add(GroupAccumulators accumulators, Batch batch) {
    int[] rows = new int[batch.rows()];
    int[] slots = new int[batch.rows()];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = row;
      slots[row] = (int) (long) (Long) batch.column(0).value(row);
    }
    accumulators.ensureSlots(5);
    accumulators.add(rows, slots, rows.length, batch);
  }

  private static List<@Nullable Object> results(
      GroupAccumulators accumulators, List<AggregateCall> calls, int slot) {
    List<@Nullable Object> results = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      ColumnBuilder builder = ColumnBuilder.of(calls.get(i).type());
      accumulators.results(slot, slot + 1, i, builder);
      results.add(builder.build().value(0));
    }
    return results;
  }

  private static GroupAccumulators accumulators(AggregateCall call, PartialAggregates steps) {
    return GroupAccumulators.factory(List.of(call), steps.aggregates()).create();
  }

  private static PartialAggregates steps(List<AggregateCall> calls) {
    return new PartialAggregates("test", calls, SCHEMA, REGISTRY);
  }

  @Test
  void whatPlacesAggregateApartMergesToTheResultOfOne() {
    long seed = System.nanoTime();
    for (int run = 0; run < 50; run++) {
      Random random = new Random(seed + run);
      GroupAccumulators whole = GroupAccumulators.factory(CALLS, REGISTRY).create();
      PartialAggregates steps = steps(CALLS);
      List<@Nullable Object[]> partials = new ArrayList<>();
      int places = 1 + random.nextInt(6);
      for (int place = 0; place < places; place++) {
        Batch batch = rows(random, random.nextInt(60));
        add(whole, batch);
        partials.addAll(
            place == 0 ? oneByOne(batch, steps) : aggregated(batch, steps.partial("p"), steps));
      }
      Collections.shuffle(partials, random);
      GroupAccumulators merged = accumulators(steps.merged(1, "m"), steps);
      add(merged, batch(partials));
      for (int slot = 0; slot < 5; slot++) {
        List<@Nullable Object> expected = new ArrayList<>(results(whole, CALLS, slot));
        List<@Nullable Object> actual =
            new ArrayList<>(results(merged, List.of(steps.merged(1, "m")), slot));
        @SuppressWarnings("unchecked")
        List<@Nullable Object> fields = new ArrayList<>((List<@Nullable Object>) actual.getFirst());
        Object deviation = expected.removeLast();
        Object mergedDeviation = fields.removeLast();
        assertThat(fields).as("seed %d", seed + run).isEqualTo(expected);
        assertThat(mergedDeviation == null).isEqualTo(deviation == null);
        if (deviation instanceof Double exact) {
          assertThat((Double) mergedDeviation).isCloseTo(exact, within(exact * 1e-9 + 1e-9));
        }
      }
    }
  }

  /** The partial results of a place, by group. */
  private static List<@Nullable Object[]> aggregated(
      Batch batch, AggregateCall call, PartialAggregates steps) {
    GroupAccumulators accumulators = accumulators(call, steps);
    add(accumulators, batch);
    List<@Nullable Object[]> partials = new ArrayList<>();
    for (long group = 0; group < 5; group++) {
      partials.add(
          new Object[] {group, results(accumulators, List.of(call), (int) group).getFirst()});
    }
    return partials;
  }

  private static List<@Nullable Object[]> oneByOne(Batch batch, PartialAggregates steps) {
    List<@Nullable Object[]> partials = new ArrayList<>();
    Column texts = Evaluator.compile(steps.partialOfRow(), steps.functions()).evaluate(batch);
    for (int row = 0; row < batch.rows(); row++) {
      partials.add(new Object[] {batch.column(0).value(row), texts.value(row)});
    }
    return partials;
  }

  private static Batch batch(List<@Nullable Object[]> partials) {
    BatchBuilder builder =
        new BatchBuilder(
            Schema.builder()
                .add("group", Type.BIGINT)
                .add("partial", PartialAggregates.partialType())
                .build());
    partials.forEach(builder::addRow);
    return builder.build();
  }

  @Test
  void eachResultIsAColumnOfItsOwn() {
    List<AggregateCall> calls = CALLS.subList(0, 3);
    PartialAggregates steps = steps(calls);
    BatchBuilder builder =
        new BatchBuilder(Schema.builder().add("merged", steps.merged(0, "m").type()).build());
    builder.addRow(Arrays.asList(7L, 5L, null));
    builder.addRow(Arrays.asList(8L, 6L, 4L));
    Batch batch = builder.build();
    List<@Nullable Object> second = new ArrayList<>();
    for (int call = 0; call < calls.size(); call++) {
      Column column = Evaluator.compile(steps.result(0, call), steps.functions()).evaluate(batch);
      second.add(column.value(1));
    }
    assertThat(second).containsExactly(8L, 6L, 4L);
  }

  @Test
  void otherAggregatesAreNotItsBusiness() {
    PartialAggregates steps = steps(CALLS);
    PartialAggregates others = new PartialAggregates("others", CALLS, SCHEMA, REGISTRY);
    assertThat(steps.aggregates().find(CALLS.getFirst())).isEmpty();
    assertThat(steps.aggregates().find(others.partial("p"))).isEmpty();
    assertThat(steps.functions().find("UPPER", List.of(), Type.STRING)).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PartialAggregates("none", List.of(), SCHEMA, REGISTRY));
  }
}
