package io.sedge.center.store;

import static io.sedge.center.store.StoreAssertions.refusedWith;
import static io.sedge.center.store.TestRows.WINDOWS;
import static io.sedge.center.store.TestRows.block;
import static io.sedge.center.store.TestRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.center.store.Series.Point;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.uplink.RowBlock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Rows over time: drawn, and deleted when they are old. */
class SeriesAndRetentionTest extends StoreTestBase {
  private static final Instant BEGIN = Instant.parse("2026-03-01T00:00:00Z");

  SeriesAndRetentionTest(TestDatabase database) {
    super(database);
  }

  private static long micros(Instant instant) {
    return TimeUnit.MILLISECONDS.toMicros(instant.toEpochMilli());
  }

  /** Three sensors each minute of twelve hours; the value is the minute. */
  private static RowBlock halfADay() {
    Object[][] rows = new Object[3 * 720][];
    for (int i = 0; i < rows.length; i++) {
      int minute = i / 3;
      rows[i] =
          row(
              micros(BEGIN.plusSeconds(60L * minute)),
              "s" + i % 3,
              i % 3 == 2 ? null : 1.0 * minute);
    }
    return block(WINDOWS, 1, rows);
  }

  private SeriesRequest request(List<String> groups, Map<String, String> filters, int points) {
    return new SeriesRequest(
        "windows",
        "window_end",
        "average",
        groups,
        filters,
        BEGIN,
        BEGIN.plus(Duration.ofHours(12)),
        points);
  }

  @Test
  void valuesAreDownSampledForEachGroup() throws Exception {
    append(stream("windows", WINDOWS), halfADay());
    Series series = store.series(request(List.of("sensor"), Map.of(), 12));
    assertThat(series.bucket()).isEqualTo(Duration.ofHours(1));
    assertThat(series.complete()).isTrue();
    assertThat(series.lines())
        .extracting(Series.Line::group)
        .containsExactly(List.of("s0"), List.of("s1"));
    assertThat(series.lines().getFirst().points())
        .hasSize(12)
        .contains(
            new Point(BEGIN, 0, 59, 29.5, 60),
            new Point(BEGIN.plus(Duration.ofHours(11)), 660, 719, 689.5, 60));
  }

  @Test
  void aFilterLeavesOneLine() throws Exception {
    append(stream("windows", WINDOWS), halfADay());
    Series series = store.series(request(List.of(), Map.of("sensor", "s1", "_site", SITE), 1));
    assertThat(series.lines())
        .containsExactly(new Series.Line(List.of(), List.of(new Point(BEGIN, 0, 719, 359.5, 720))));
    assertThat(store.series(request(List.of(), Map.of("sensor", "' OR ''='"), 1)).lines())
        .isEmpty();
  }

  /** Grouping by the job asks the rows themselves. */
  @Test
  void whatIsKeptOfRowsSaysWhatTheRowsSay() throws Exception {
    long stream = stream("windows", WINDOWS);
    append(stream, halfADay());
    append(stream, halfADay());
    append(stream, block(WINDOWS, 5_000, row(micros(BEGIN), "s0", -7.5), row(null, "s0", 9.0)));
    Series kept = store.series(request(List.of("sensor"), Map.of("_site", SITE), 6));
    Series asked = store.series(request(List.of("sensor", "_job"), Map.of("_site", SITE), 6));
    assertThat(kept.bucket()).isEqualTo(asked.bucket()).isEqualTo(Duration.ofHours(2));
    assertThat(kept.lines())
        .extracting(Series.Line::points)
        .isEqualTo(asked.lines().stream().map(Series.Line::points).toList());
    assertThat(kept.lines().getFirst().points().getFirst().min()).isEqualTo(-7.5);
    assertThat(ask("SELECT count(*) FROM sedge_rollup")).containsExactly(List.of(2 * 72L));
  }

  /** Their total would be no number, and would stop the stream. */
  @Test
  void numbersWithoutBoundStopNoStream() throws Exception {
    long stream = stream("windows", WINDOWS);
    for (int i = 0; i < 3; i++) {
      append(
          stream,
          block(
              WINDOWS,
              1 + 5 * i,
              row(micros(BEGIN), "s0", Double.POSITIVE_INFINITY),
              row(micros(BEGIN), "s0", Double.NEGATIVE_INFINITY),
              row(micros(BEGIN), "s0", Double.NaN),
              row(micros(BEGIN), "s0", Double.MAX_VALUE),
              row(micros(BEGIN), "s0", 1.0)));
    }
    assertThat(store.series(request(List.of(), Map.of(), 6)).lines().getFirst().points())
        .containsExactly(new Point(BEGIN, 1, 1, 1, 3));
  }

  /** A hundred points of ten minutes are drawn at once where more would take seconds. */
  @Test
  void fewerPointsAreDrawnWhereMoreWouldTakeLong() throws Exception {
    append(stream("windows", WINDOWS), halfADay());
    SeriesRequest asked = request(List.of("sensor"), Map.of(), 500);
    assertThat(store.series(asked).bucket()).isEqualTo(Duration.ofHours(12).dividedBy(500));
    Series longer =
        store.series(
            new SeriesRequest(
                asked.table(),
                asked.timeColumn(),
                asked.valueColumn(),
                asked.groupBy(),
                asked.filters(),
                BEGIN.minus(Duration.ofHours(12)),
                asked.to(),
                500));
    assertThat(longer.bucket()).isEqualTo(Duration.ofMinutes(10));
    assertThat(longer.lines().getFirst().points()).hasSize(72);
  }

  @Test
  void aTableThatGetsAnotherColumnOfStringsIsAskedItself() throws Exception {
    long stream = stream("windows", WINDOWS);
    append(stream, halfADay());
    Schema wider = Schema.builder().addAll(WINDOWS).add("line", Type.STRING).build();
    stream("windows", wider);
    append(stream, block(wider, 5_000, row(micros(BEGIN), "s0", -7.5, "a")));
    assertThat(ask("SELECT count(*) FROM sedge_rollup")).containsExactly(List.of(0L));
    Series series = store.series(request(List.of("line"), Map.of("sensor", "s0"), 6));
    assertThat(series.lines()).hasSize(2);
  }

  @Test
  void whatCannotBeDrawnIsSaid() throws Exception {
    stream("windows", WINDOWS);
    record Refusal(String table, String time, String value, String group, String message) {}
    for (Refusal each :
        List.of(
            new Refusal("no", "window_end", "average", "sensor", "the center has no table 'no'"),
            new Refusal(
                "windows",
                "sensor",
                "average",
                "sensor",
                "column sensor of table windows is STRING, not a TIMESTAMP"),
            new Refusal(
                "windows",
                "window_end",
                "sensor",
                "sensor",
                "column sensor of table windows is STRING, not a number"),
            new Refusal(
                "windows",
                "window_end",
                "average",
                "x",
                "table windows has no column 'x': it has window_end, sensor, average"))) {
      refusedWith(
              Reason.UNKNOWN_TABLE,
              () ->
                  store.series(
                      new SeriesRequest(
                          each.table(),
                          each.time(),
                          each.value(),
                          List.of(each.group()),
                          Map.of(),
                          BEGIN,
                          BEGIN.plusSeconds(1),
                          10)))
          .hasMessage(each.message());
    }
  }

  @Test
  void rowsThatAreOlderThanTheirTableKeepsAreDeleted() throws Exception {
    append(stream("windows", WINDOWS), halfADay());
    now = BEGIN.plus(Duration.ofHours(12));
    assertThat(store.expire()).isZero();
    store.retention("windows", Optional.of(Duration.ofHours(1)), "window_end");
    // The youngest row is of 11:59.
    assertThat(store.expire()).isEqualTo(3 * 659);
    assertThat(store.expire()).isZero();
    assertThat(count("windows")).isEqualTo(3 * 61);
    TableInfo table = store.tables().getFirst();
    assertThat(table.rows()).isEqualTo(3 * 61);
    assertThat(table.keep()).contains(Duration.ofHours(1));
    store.retention("windows", Optional.empty(), "");
    now = now.plus(Duration.ofDays(100));
    assertThat(store.expire()).isZero();
  }

  /** A clock that is years ahead must not empty the center. */
  @Test
  void aClockThatRunsAheadDeletesNothingYoung() throws Exception {
    append(stream("windows", WINDOWS), halfADay());
    store.retention("windows", Optional.of(Duration.ofDays(1)), "window_end");
    now = BEGIN.plus(Duration.ofDays(10_000));
    assertThat(store.expire()).isZero();
  }

  @Test
  void rowsWithAKeyAreDeletedToo() throws Exception {
    Schema schema =
        Schema.builder()
            .add("machine", Type.STRING.notNull())
            .add("at", Type.timestampLtz(0))
            .build();
    append(
        stream("machines", schema, 0),
        block(schema, 1, row("old", micros(BEGIN)), row("new", micros(BEGIN.plusSeconds(3_600)))));
    now = BEGIN.plusSeconds(3_600);
    store.retention("machines", Optional.of(Duration.ofMinutes(30)), "at");
    assertThat(store.expire()).isEqualTo(1);
    assertThat(ask("SELECT machine FROM machines")).containsExactly(List.of("new"));
    refusedWith(
        Reason.UNKNOWN_TABLE,
        () -> store.retention("machines", Optional.of(Duration.ofDays(1)), "machine"));
  }
}
