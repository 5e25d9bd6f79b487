package io.sedge.engine.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.CapacityException;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.PlanNode.JoinKind;
import io.sedge.engine.testkit.Rows;
import io.sedge.engine.testkit.StateImage;
import io.sedge.engine.testkit.TestFunctions;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A table that rows are looked up in, and that is read anew while they come. */
class LookupReloadTest {
  private static final Schema STREAM = Rows.schema("machine", Type.STRING);
  private static final Schema TABLE =
      Rows.schema("machine", Type.STRING, "most", Type.DOUBLE, "unit", Type.STRING);
  private static final Schema JOINED =
      Rows.schema(
          "machine",
          Type.STRING,
          "machine2",
          Type.STRING,
          "most",
          Type.DOUBLE,
          "unit",
          Type.STRING);

  private static final Expression ZERO = new Expression.Literal(0.0, Type.DOUBLE);

  private final Map<List<@Nullable Object>, Integer> found = new HashMap<>();
  private boolean full;
  private Pipeline pipeline = compile(table());

  private static PlanNode table() {
    return new PlanNode.Scan("table", TABLE);
  }

  private static PlanNode join(PlanNode table) {
    return new PlanNode.LookupJoin(
        new PlanNode.Scan("stream", STREAM),
        table,
        JoinKind.LEFT,
        List.of(0),
        List.of(0),
        Optional.empty(),
        JOINED);
  }

  private Pipeline compile(PlanNode table) {
    return Plans.compile(join(table), Map.of("out", new Collected()));
  }

  private final class Collected implements Output {
    @Override
    public boolean offer(Batch batch) {
      for (int row = 0; row < batch.rows() && !full; row++) {
        found.merge(batch.row(row), 1, Integer::sum);
      }
      return !full;
    }

    @Override
    public boolean advance(long watermark) {
      return true;
    }
  }

  private static Batch batch(List<List<@Nullable Object>> rows) {
    Rows batch = Rows.of(TABLE);
    rows.forEach(row -> batch.add(row.toArray()));
    return batch.build();
  }

  private void give(List<List<@Nullable Object>> rows) {
    for (int from = 0; from < rows.size(); from += 7) {
      Batch batch = batch(rows.subList(from, Math.min(rows.size(), from + 7)));
      assertThat(pipeline.source("table").offer(batch)).isTrue();
    }
  }

  private void load(List<List<@Nullable Object>> rows) {
    give(rows);
    assertThat(pipeline.source("table").advance(Long.MAX_VALUE)).isTrue();
  }

  private void reload(List<List<@Nullable Object>> rows) {
    pipeline.beginReload("table", Long.MAX_VALUE);
    give(rows);
    assertThat(pipeline.endReload("table")).isTrue();
    pipeline.checkInvariants();
  }

  private Map<List<@Nullable Object>, Integer> lookUp(String... machines) {
    found.clear();
    Rows rows = Rows.of(STREAM);
    for (String machine : machines) {
      rows.add(machine);
    }
    assertThat(pipeline.source("stream").offer(rows.build())).isTrue();
    return found;
  }

  private static List<@Nullable Object> row(
      @Nullable String machine, @Nullable Double most, @Nullable String unit) {
    List<@Nullable Object> row = new ArrayList<>();
    Collections.addAll(row, machine, most, unit);
    return row;
  }

  private static List<@Nullable Object> joined(String machine, List<@Nullable Object> row) {
    List<@Nullable Object> joined = new ArrayList<>(List.of(machine));
    joined.addAll(row);
    return joined;
  }

  @Test
  void rowsFindWhatTheLastCompleteReadingHad() {
    load(List.of(row("a", 1.0, "bar"), row("b", 2.0, null)));
    reload(List.of(row("c", 3.0, "bar"), row("b", 5.0, null)));
    assertThat(lookUp("a", "b", "c"))
        .containsOnlyKeys(
            joined("a", row(null, null, null)),
            joined("b", row("b", 5.0, null)),
            joined("c", row("c", 3.0, "bar")));
  }

  @Test
  void aReadingThatIsNotCompleteChangesNothing() {
    load(List.of(row("a", 1.0, "bar")));
    pipeline.beginReload("table", Long.MAX_VALUE);
    give(List.of(row("a", 2.0, "bar"), row("b", 2.0, "bar")));
    assertThat(lookUp("a", "b"))
        .containsOnlyKeys(joined("a", row("a", 1.0, "bar")), joined("b", row(null, null, null)));
    assertThat(pipeline.flushed()).isTrue();
    StateImage kept = StateImage.snapshotOf(pipeline);
    reload(List.of(row("a", 1.0, "bar")));
    assertThat(StateImage.snapshotOf(pipeline)).as("nothing is left of it").isEqualTo(kept);
  }

  @Test
  void onlyWhatHasChangedIsAChangeOfState() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rows.add(row("m" + i, (double) i, i % 3 == 0 ? null : "bar"));
    }
    rows.add(row(null, 7.0, "no key"));
    load(rows);
    pipeline.writeChanges(new StateImage());
    Collections.shuffle(rows, new Random(1));
    reload(rows);
    assertThat(pipeline.changedEntries()).as("the same in another order").isZero();
    rows.removeIf(row -> "m50".equals(row.getFirst()));
    rows.add(row("m50", -1.0, null));
    reload(rows);
    assertThat(pipeline.changedEntries()).as("one out, one in").isEqualTo(2);
  }

  @Test
  void aTableIsWhatItsLastReadingWasThroughRestarts() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<List<@Nullable Object>> rows = random(random);
    StateImage store = new StateImage();
    load(rows);
    for (int round = 0; round < 60; round++) {
      if (random.nextInt(4) == 0) {
        pipeline.beginReload("table", Long.MAX_VALUE);
        give(random(random));
      } else {
        rows = random(random);
        reload(rows);
      }
      if (random.nextBoolean()) {
        pipeline.writeChanges(store);
        assertThat(store).as("seed %d", seed).isEqualTo(StateImage.snapshotOf(pipeline));
      }
      if (random.nextInt(5) == 0) {
        pipeline.writeChanges(store);
        pipeline = compile(table());
        pipeline.restore(store.entries());
      }
      assertThat(lookUp("m0", "m1", "m2", "m3", "m4"))
          .as("seed %d, round %d", seed, round)
          .isEqualTo(expected(rows, "m0", "m1", "m2", "m3", "m4"));
      pipeline.checkInvariants();
    }
  }

  private static List<List<@Nullable Object>> random(Random random) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    int count = random.nextInt(40);
    for (int i = 0; i < count; i++) {
      rows.add(
          row(
              random.nextInt(9) == 0 ? null : "m" + random.nextInt(5),
              (double) random.nextInt(3),
              random.nextBoolean() ? null : "bar"));
    }
    return rows;
  }

  private static Map<List<@Nullable Object>, Integer> expected(
      List<List<@Nullable Object>> rows, String... machines) {
    Map<List<@Nullable Object>, Integer> expected = new HashMap<>();
    for (String machine : machines) {
      List<List<@Nullable Object>> its =
          rows.stream().filter(row -> machine.equals(row.getFirst())).toList();
      its.forEach(row -> expected.merge(joined(machine, row), 1, Integer::sum));
      if (its.isEmpty()) {
        expected.put(joined(machine, row(null, null, null)), 1);
      }
    }
    return expected;
  }

  @Test
  void aReadingWaitsUntilTheRowThatIsAtAJoinIsThrough() {
    load(List.of(row("a", 1.0, "bar")));
    pipeline.beginReload("table", Long.MAX_VALUE);
    give(List.of(row("a", 2.0, "bar")));
    Batch waiting = Rows.of(STREAM).add("a").build();
    full = true;
    assertThat(pipeline.source("stream").offer(waiting)).isFalse();
    assertThat(pipeline.endReload("table")).isFalse();
    full = false;
    assertThat(pipeline.source("stream").offer(waiting)).isTrue();
    assertThat(pipeline.endReload("table")).isTrue();
    assertThat(found).containsOnlyKeys(joined("a", row("a", 1.0, "bar")));
    assertThat(lookUp("a")).containsOnlyKeys(joined("a", row("a", 2.0, "bar")));
  }

  @Test
  void aTableThatHasGrownTooLargeStaysWhatItWas() {
    load(List.of(row("a", 1.0, "bar")));
    pipeline.beginReload("table", Long.MAX_VALUE);
    Rows rows = Rows.of(TABLE);
    for (int i = 0; i < 1 << 14; i++) {
      rows.add("b", 1.0, "bar");
    }
    Batch batch = rows.build();
    for (int i = 0; i < 65; i++) {
      assertThat(pipeline.source("table").offer(batch)).isTrue();
    }
    assertThatThrownBy(() -> pipeline.endReload("table"))
        .isInstanceOf(CapacityException.class)
        .hasMessageContaining("more than 1048576 rows");
    assertThat(lookUp("a")).containsOnlyKeys(joined("a", row("a", 1.0, "bar")));
  }

  @Test
  void moreThanMayChangeAtOnceChangesNothing() {
    load(List.of(row("a", 1.0, "bar"), row("b", 1.0, "bar")));
    pipeline.beginReload("table", 30);
    give(List.of(row("a", 2.0, "bar"), row("b", 1.0, "bar")));
    assertThatThrownBy(() -> pipeline.endReload("table"))
        .isInstanceOf(CapacityException.class)
        .hasMessage("more than 30 bytes of it have changed at once");
    pipeline.dropReload("table");
    assertThat(lookUp("a", "b"))
        .containsOnlyKeys(joined("a", row("a", 1.0, "bar")), joined("b", row("b", 1.0, "bar")));
    reload(List.of(row("a", 2.0, "bar")));
    assertThat(lookUp("a", "b"))
        .containsOnlyKeys(joined("a", row("a", 2.0, "bar")), joined("b", row(null, null, null)));
  }

  @Test
  void whatIsMadeOfATableMayBeLookedUpIfEachRowIsOfOneOfIts() {
    Expression isPositive = TestFunctions.greaterThan(TestFunctions.input(1, Type.DOUBLE), ZERO);
    pipeline = compile(new PlanNode.Filter(table(), isPositive));
    load(List.of(row("a", 1.0, "bar"), row("b", -1.0, "bar")));
    reload(List.of(row("a", -1.0, "bar"), row("b", 1.0, "bar")));
    assertThat(lookUp("a", "b"))
        .containsOnlyKeys(joined("a", row(null, null, null)), joined("b", row("b", 1.0, "bar")));
  }

  @Test
  void aTableOfWhichMoreIsMadeIsNotReadAnew() {
    pipeline = compile(new PlanNode.Limit(table(), 3));
    load(List.of(row("a", 1.0, "bar")));
    assertThatThrownBy(() -> pipeline.beginReload("table", Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Scan(table) is not only looked up: it goes into Limit");
  }
}
