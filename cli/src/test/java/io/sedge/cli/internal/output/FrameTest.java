package io.sedge.cli.internal.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.sql.RowKeys;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a live table shows, as lines of a screen. */
class FrameTest {
  private final Frame frame = new Frame(new Cells(ZoneOffset.UTC), false);

  private static TableModel sensors(int count) {
    TableModel model = new TableModel(Rows.query(Rows.SENSORS, false));
    for (int i = 0; i < count; i++) {
      model.add(new Rows(Rows.SENSORS).add(0L, "cpu" + i, (long) i, i / 4.0).build());
    }
    return model;
  }

  @Test
  void theLatestRowOfEachNameIsShownInTheOrderOfNames() {
    TableModel model = new TableModel(Rows.query(Rows.SENSORS, false));
    model.add(
        new Rows(Rows.SENSORS)
            .add(0L, "cpu10", 1L, 0.5)
            .add(0L, "cpu2", 2L, 0.25)
            .add(5_000_000L, "cpu10", 3L, 99.5)
            .build());
    assertThat(frame.lines(List.of(model), "status", 80, 24))
        .containsExactly(
            "at                   sensor  n  mean",
            "1970-01-01 00:00:00  cpu2    2  0.25",
            "1970-01-01 00:00:05  cpu10   3  99.5",
            "status");
  }

  /** A formatted time is a string, too, but a new one must not make a new row. */
  @Test
  void stringsThatTheQueryComputesNameNothing() {
    Schema schema =
        Schema.builder()
            .add("n", Type.BIGINT)
            .add("zone", Type.STRING)
            .add("until", Type.STRING)
            .add("machine", Type.STRING)
            .add("mean", Type.DOUBLE)
            .add("verdict", Type.STRING)
            .build();
    List<Expression> expressions = new ArrayList<>();
    for (int i = 0; i < schema.size(); i++) {
      expressions.add(new Expression.Input(i, schema.type(i)));
    }
    expressions.set(2, new Expression.Literal("12:00:05", Type.STRING));
    PlanNode inner = new PlanNode.Project(new PlanNode.Scan("t", schema), expressions, schema);
    expressions.set(2, new Expression.Input(2, Type.STRING));
    PlanNode outer = new PlanNode.Project(inner, expressions, schema);
    assertThat(RowKeys.of(outer, schema)).containsExactly(1, 3);
    assertThat(RowKeys.of(new PlanNode.Limit(outer, 5), schema)).containsExactly(1, 3);
    assertThat(RowKeys.of(new PlanNode.Scan("t", schema), schema)).containsExactly(1, 2, 3);
  }

  @Test
  void anUpdateTakesThePlaceOfWhatItReplaces() {
    Schema schema = Schema.builder().add("zone", Type.STRING).add("n", Type.BIGINT).build();
    TableModel model = new TableModel(Rows.query(schema, true));
    model.add(
        new Rows(schema)
            .add("a", 1L)
            .add("b", 1L)
            .change(ChangeKind.UPDATE_BEFORE, "a", 1L)
            .change(ChangeKind.UPDATE_AFTER, "a", 2L)
            .build());
    assertThat(frame.lines(List.of(model), "", 80, 24))
        .containsExactly("zone  n", "a     2", "b     1", "");
    model.add(new Rows(schema).change(ChangeKind.DELETE, "a", 2L).build());
    assertThat(frame.lines(List.of(model), "", 80, 24)).containsExactly("zone  n", "b     1", "");
  }

  /** Held against a plain list, with rows that are equal and more than there is room for. */
  @Test
  void anUpdatingResultHasTheRowsThatWerePutInAndNotTakenOut() {
    long seed = System.nanoTime();
    System.err.println("seed " + seed);
    Random random = new Random(seed);
    Schema schema = Schema.builder().add("n", Type.BIGINT).build();
    TableModel model = new TableModel(Rows.query(schema, true));
    List<Long> present = new ArrayList<>();
    for (int step = 0; step < 5_000; step++) {
      Rows rows = new Rows(schema);
      if (present.isEmpty() || (present.size() < TableModel.MAX_ROWS && random.nextInt(5) < 3)) {
        long value = random.nextInt(300);
        present.add(value);
        rows.change(ChangeKind.INSERT, value);
      } else {
        rows.change(ChangeKind.DELETE, present.remove(random.nextInt(present.size())));
      }
      model.add(rows.build());
      assertThat(model.size()).isEqualTo(present.size());
    }
    assertThat(model.rows(Integer.MAX_VALUE))
        .extracting(row -> (Long) row.values().getFirst())
        .containsExactlyInAnyOrderElementsOf(present);
    assertThat(model.hidden()).isZero();
    for (long i = present.size(); i < TableModel.MAX_ROWS + 7; i++) {
      model.add(new Rows(schema).add(1_000 + i).build());
    }
    assertThat(model.size()).isEqualTo(TableModel.MAX_ROWS);
    assertThat(model.hidden()).isEqualTo(7);
  }

  @Test
  void rowsWithoutANameScrollBy() {
    Schema schema = Schema.builder().add("n", Type.BIGINT).build();
    TableModel model = new TableModel(Rows.query(schema, false));
    for (long i = 0; i < 10; i++) {
      model.add(new Rows(schema).add(i).build());
    }
    assertThat(frame.lines(List.of(model), "", 80, 7))
        .containsExactly("n", "7", "8", "9", "… 7 more rows", "");
  }

  @Test
  void aScreenIsNeverLongerOrWiderThanTheTerminal() {
    for (int width = 1; width < 60; width++) {
      for (int height = 3; height < 12; height++) {
        List<String> lines =
            frame.lines(List.of(sensors(30), sensors(3)), "the status line", width, height);
        assertThat(lines).hasSizeLessThan(height);
        int limit = Math.max(width, "1970-01-01 00:00:00".length() + 3);
        assertThat(lines).allMatch(line -> line.length() <= limit);
      }
    }
  }

  @Test
  void namesAreCutBeforeColumnsAreLeftOut() {
    TableModel model = new TableModel(Rows.query(Rows.SENSORS, false));
    model.add(new Rows(Rows.SENSORS).add(0L, "bearing-temperature", 1L, 0.5).build());
    assertThat(frame.lines(List.of(model), "", 45, 24).get(1))
        .isEqualTo("1970-01-01 00:00:00  bearing…erature  1   0.5");
    assertThat(frame.lines(List.of(model), "", 33, 24))
        .startsWith("at                   sensor    …", "1970-01-01 00:00:00  bea…ture");
  }

  @Test
  void ofTooManyNamesThoseNotSeenForLongGo() {
    TableModel model = sensors(TableModel.MAX_ROWS + 5);
    assertThat(model.size()).isEqualTo(TableModel.MAX_ROWS);
    assertThat(model.rows(1).getFirst().values().get(1)).isEqualTo("cpu5");
  }

  @Test
  void namesAreOrderedAsPeopleDo() {
    List<String> names = List.of("cpu10", "cpu2", "cpu", "Cpu3", "cpu02x", "a1b20", "a1b3");
    assertThat(names.stream().sorted(NaturalOrder::compare).toList())
        .containsExactly("Cpu3", "a1b3", "a1b20", "cpu", "cpu2", "cpu02x", "cpu10");
  }
}
