package io.sedge.sql;

import static io.sedge.sql.Run.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.TimeBounds;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a plan needs of its tables' times, and that what it does not need changes no result. */
class TimeBoundsTest {
  private static final String PAST =
      """
      CREATE TABLE past (
        id STRING, n INT, ts TIMESTAMP_LTZ(3), done TIMESTAMP(6), unix BIGINT,
        computed AS TO_TIMESTAMP(CAST(n AS STRING))%s
      ) WITH ('connector' = '%s');
      """;

  private static List<TimeBounds> bounds(String watermark, String query) {
    return Run.compile(PAST.formatted(watermark, "memory") + query).sources().get("past").bounds();
  }

  private static long micros(@Nullable String time, long otherwise) {
    return time == null
        ? otherwise
        : ChronoUnit.MICROS.between(
            Instant.EPOCH, LocalDateTime.parse("2026-11-21T" + time).toInstant(ZoneOffset.UTC));
  }

  /** {@code @} stands for the day. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ts >= TIMESTAMP '@ 08:00:00' AND ts < TIMESTAMP '@ 09:00:00' | ts | 08:00:00 |"
            + " 08:59:59.999999",
        "ts > TIMESTAMP '@ 08:00:00' AND n = 1                      | ts | 08:00:00.000001 |",
        "TIMESTAMP '@ 08:00:00' >= done                             | done | | 08:00:00",
        "ts = '@ 08:00:00.5'                                        | ts | 08:00:00.5 | 08:00:00.5",
        "ts BETWEEN '@ 08:00:00' AND TIMESTAMP '@ 08:00:00' + INTERVAL '1' DAY - INTERVAL '23' HOUR"
            + " | ts | 08:00:00 | 09:00:00",
        "ts IN ('@ 08:00:00', '@ 07:00:00') OR ts = '@ 07:30:00'    | ts | 07:00:00 | 08:00:00",
        "(ts < '@ 08:00:00' AND n = 1) OR ts < '@ 09:00:00'         | ts | | 08:59:59.999999",
        "ts > '@ 08:00:00' AND ts < '@ 07:00:00'           | ts | 08:00:00.000001 |"
            + " 06:59:59.999999",
        "done > '@ 08:00:00.123456' AND UPPER(id) = 'A'             | done | 08:00:00.123457 |",
      })
  void boundsAreWhatFiltersLetPass(
      String condition, String column, @Nullable String from, @Nullable String to) {
    assertThat(bounds("", "SELECT id FROM past WHERE " + condition.replace("@", "2026-11-21")))
        .containsExactly(
            new TimeBounds(column, micros(from, Long.MIN_VALUE), micros(to, Long.MAX_VALUE)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "n > 3 AND id > '2026'",
        "ts > CAST(NULL AS TIMESTAMP_LTZ(3))",
        "ts > '2026-11-21 08:00:00' OR n = 1",
        "ts > '2026-11-21 08:00:00' OR done > '2026-11-21 08:00:00'",
        "NOT (ts > '2026-11-21 08:00:00')",
        "ts <> TIMESTAMP '2026-11-21 08:00:00'",
        "ts < done",
        "done < computed",
        "ts < '2026-11-21 08:00:00' OR ts > '2026-11-21 07:00:00'",
        "TIMESTAMP '2026-11-21 08:00:00' < ts",
        "ts + INTERVAL '1' HOUR > TIMESTAMP '2026-11-21 08:00:00'",
        "computed > TIMESTAMP '2026-11-21 08:00:00'",
        "ts > CURRENT_TIMESTAMP - INTERVAL '1' HOUR",
      })
  void otherConditionsGiveNoBounds(String condition) {
    assertThat(bounds("", "SELECT id FROM past WHERE " + condition)).isEmpty();
  }

  /** A constant is in the zone of the job. */
  @Test
  void localTimesAreThoseOfTheZone() {
    String both =
        "ts >= TIMESTAMP '2026-07-01 08:00:00' AND done >= TIMESTAMP '2026-07-01 08:00:00'";
    String query = "SELECT id FROM past WHERE " + both;
    Job job = Run.compile(PAST.formatted("", "memory") + query, "Europe/Berlin");
    assertThat(job.sources().get("past").bounds())
        .containsExactlyInAnyOrder(
            new TimeBounds(
                "ts",
                ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse("2026-07-01T06:00:00Z")),
                Long.MAX_VALUE),
            new TimeBounds(
                "done",
                ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse("2026-07-01T08:00:00Z")),
                Long.MAX_VALUE));
  }

  @Test
  void boundsOfSeveralUsesAreThoseOfAll() {
    String early =
        "SELECT id FROM past WHERE ts < TIMESTAMP '2026-11-21 08:00:00' AND ts > '2026-11-21"
            + " 07:00:00'";
    String late = "SELECT id FROM past WHERE ts = TIMESTAMP '2026-11-21 09:00:00'";
    assertThat(bounds("", early + ";\n" + late))
        .containsExactly(new TimeBounds("ts", micros("07:00:00.000001", 0), micros("09:00:00", 0)));
    assertThat(bounds("", early + " UNION ALL " + late)).hasSize(1);
    assertThat(bounds("", early + ";\nSELECT id FROM past")).isEmpty();
    assertThat(bounds("", early + ";\n" + late.replace("ts =", "done ="))).isEmpty();
  }

  @Test
  void boundsPassProjectionsAndWindowFunctionsButNothingElse() {
    String view =
        "CREATE VIEW v AS SELECT id AS key, ts AS stamp, n + 1 AS m FROM past WHERE n > 0;\n";
    String condition = "stamp >= TIMESTAMP '2026-11-21 08:00:00'";
    assertThat(bounds("", view + "SELECT key FROM v WHERE " + condition)).hasSize(1);
    assertThat(
            bounds("", "SELECT * FROM (SELECT ts AS stamp FROM past LIMIT 10) WHERE " + condition))
        .isEmpty();
    String windows =
        """
        SELECT COUNT(*) FROM TABLE(TUMBLE(TABLE past, DESCRIPTOR(ts), INTERVAL '1' HOUR))
        WHERE %s >= TIMESTAMP '2026-11-21 08:00:00' GROUP BY window_start, window_end
        """;
    String watermark = ", WATERMARK FOR ts AS ts - INTERVAL '5' SECOND";
    assertThat(bounds(watermark, windows.formatted("ts"))).hasSize(1);
    assertThat(bounds(watermark, windows.formatted("window_start"))).isEmpty();
  }

  /** Rows that are filtered away make watermarks by which others are late. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ts AS ts                              | 1",
        "ts AS ts - INTERVAL '1' MINUTE        | 1",
        "ts AS ts + INTERVAL '1' MINUTE        | 0",
        "ts AS ts - INTERVAL '-1' MINUTE       | 0",
        "ts AS TO_TIMESTAMP_LTZ(unix, 3)        | 0",
        "computed AS computed                  | 0",
      })
  void watermarksThatMayBeAheadLeaveNoBounds(String watermark, int expected) {
    String query = "SELECT id FROM past WHERE ts > TIMESTAMP '2026-11-21 08:00:00'";
    assertThat(bounds(", WATERMARK FOR " + watermark, query)).hasSize(expected);
  }

  @Test
  void whatIsKeptOrHasNoUseForBoundsHasNone() {
    String query = "SELECT id FROM past WHERE ts > TIMESTAMP '2026-11-21 08:00:00'";
    for (String connector : List.of("memory', 'keep' = '1 d", "stream")) {
      Job job = Run.compile(PAST.formatted("", connector) + query);
      assertThat(job.sources().get("past").bounds()).as(connector).isEmpty();
    }
  }

  @Test
  void thePlanSaysTheBounds() {
    String query =
        "SELECT id FROM past WHERE ts >= '2026-11-21 08:00:00' AND ts < '2026-11-21 09:00:00'";
    assertThat(PlanPrinter.print(Run.compile(PAST.formatted("", "memory") + query)))
        .contains(
            "\n    is read where ts >= TIMESTAMP_LTZ '2026-11-21T08:00:00Z'"
                + " and ts <= TIMESTAMP_LTZ '2026-11-21T08:59:59.999999Z'\n");
  }

  private static final String ROWS =
      """
      CREATE TABLE past (id STRING, n INT, ts TIMESTAMP(6), WATERMARK FOR ts AS ts%s)
      WITH ('connector' = 'memory');
      CREATE TABLE late (id STRING, n INT, ts TIMESTAMP(6)) WITH ('connector' = 'memory');
      SET 'sedge.late-table' = 'late';
      CREATE VIEW few AS SELECT * FROM past WHERE %s;
      CREATE VIEW others AS SELECT * FROM past WHERE %s;
      """;

  private static final List<String> DELAYS =
      List.of("", " - INTERVAL '2' SECOND", " - INTERVAL '7' SECOND");

  /** {@code ?} stands for a condition. */
  private static final List<String> QUERIES =
      List.of(
          "SELECT * FROM few",
          "SELECT id, SUM(n) FROM few GROUP BY id",
          "SELECT id FROM few LIMIT 5",
          "SELECT id, COUNT(*), window_end"
              + " FROM TABLE(TUMBLE(TABLE few, DESCRIPTOR(ts), INTERVAL '10' SECOND))"
              + " GROUP BY id, window_start, window_end",
          "SELECT SUM(n), window_end FROM TABLE(HOP(TABLE past, DESCRIPTOR(ts), INTERVAL '3'"
              + " SECOND, INTERVAL '9' SECOND)) WHERE ? GROUP BY window_start, window_end",
          "SELECT COUNT(*), MAX(n), window_end FROM TABLE(CUMULATE(TABLE few, DESCRIPTOR(ts),"
              + " INTERVAL '2' SECOND, INTERVAL '20' SECOND)) GROUP BY window_start, window_end",
          "SELECT id, COUNT(*), window_start FROM TABLE(SESSION("
              + "TABLE few PARTITION BY id, DESCRIPTOR(ts), INTERVAL '2' SECOND))"
              + " GROUP BY id, window_start, window_end",
          "SELECT id, SUM(n) OVER (PARTITION BY id ORDER BY ts"
              + " RANGE BETWEEN INTERVAL '4' SECOND PRECEDING AND CURRENT ROW) FROM few",
          "SELECT id, COUNT(*) OVER (PARTITION BY id ORDER BY ts"
              + " ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) FROM few",
          "SELECT id, SUM(n) OVER (PARTITION BY id ORDER BY ts) FROM few",
          "SELECT id, n FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts) AS r"
              + " FROM few) WHERE r = 1",
          "SELECT id, n FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY id ORDER BY ts DESC) AS r"
              + " FROM few) WHERE r = 1",
          "SELECT a.id, a.n, b.n FROM few a LEFT JOIN others b ON a.id = b.id"
              + " AND a.ts BETWEEN b.ts - INTERVAL '3' SECOND AND b.ts + INTERVAL '1' SECOND",
          "SELECT a.id, a.n, b.n FROM few a FULL JOIN others b ON a.id = b.id"
              + " AND a.ts BETWEEN b.ts - INTERVAL '9' SECOND AND b.ts - INTERVAL '5' SECOND",
          "SELECT id, n FROM few UNION ALL SELECT id, -n FROM others",
          "SELECT id, COUNT(*), window_end FROM TABLE(TUMBLE("
              + "(SELECT * FROM few UNION ALL SELECT * FROM others),"
              + " DESCRIPTOR(ts), INTERVAL '5' SECOND)) GROUP BY id, window_start, window_end",
          "SELECT id FROM few; SELECT n, id FROM others");

  /** Several of the last millisecond of a second, in which windows are over already. */
  private static final List<Integer> FRACTIONS = List.of(0, 250_000, 999_200, 999_500, 999_800);

  private static int fraction(Random random) {
    return FRACTIONS.get(random.nextInt(FRACTIONS.size()));
  }

  private static String condition(Random random) {
    int second = random.nextInt(60);
    String format = "TIMESTAMP '2024-01-01 00:00:%02d.%06d'";
    String first = format.formatted(second, fraction(random));
    String last = format.formatted(Math.min(59, second + random.nextInt(20)), fraction(random));
    return switch (random.nextInt(5)) {
      case 0 -> "ts >= " + first;
      case 1 -> "ts < " + last;
      case 2 -> "ts > %s AND ts <= %s AND n > 1".formatted(first, last);
      case 3 -> "(ts = %s OR ts = %s)".formatted(first, last);
      default -> "ts BETWEEN %s AND %s".formatted(first, last);
    };
  }

  /** With rows that come in any order, so that some are late, or in that of their times. */
  private static List<@Nullable Object[]> rows(Random random, boolean sorted) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int n = 0; n < 120; n++) {
      long time = at("00:00:00") + random.nextInt(60) * 1_000_000L + fraction(random);
      rows.add(new @Nullable Object[] {"s" + random.nextInt(3), n % 10, time});
    }
    if (sorted) {
      rows.sort(Comparator.comparingLong(row -> row[2] instanceof Long time ? time : 0L));
    }
    for (int nulls = random.nextInt(5); nulls > 0; nulls--) {
      rows.get(random.nextInt(rows.size()))[2] = null;
    }
    return rows;
  }

  private static Map<String, List<String>> results(
      Run run, List<@Nullable Object[]> rows, int batch, String script) {
    rows.forEach(row -> run.row("past", row));
    Map<String, List<String>> results = new LinkedHashMap<>(run.batches(batch).of(script));
    results.replaceAll((sink, changes) -> finalRows(changes));
    return results;
  }

  /** What is left of rows that were updated, however often: batches decide about that. */
  private static List<String> finalRows(List<String> changes) {
    List<String> rows = new ArrayList<>();
    for (String change : changes) {
      if (change.startsWith("-U ") || change.startsWith("-D ")) {
        assertThat(rows.remove(change.substring(3))).as(change).isTrue();
      } else {
        rows.add(change.replaceFirst("^\\+[IU] ", ""));
      }
    }
    Collections.sort(rows);
    return rows;
  }

  /** Which rows are late where those of two inputs meet depends on batches: there none is. */
  @Test
  void whatIsLeftOutChangesNoResult() {
    int leftOut = 0;
    for (int seed = 0; seed < 12 * QUERIES.size(); seed++) {
      Random random = new Random(seed);
      String query = QUERIES.get(seed % QUERIES.size()).replace("?", condition(random));
      boolean ofTwo = query.contains("others");
      String delay = DELAYS.get(random.nextInt(ofTwo ? 1 : 0, DELAYS.size()));
      String script = ROWS.formatted(delay, condition(random), condition(random)) + query;
      List<@Nullable Object[]> rows = rows(random, ofTwo || random.nextBoolean());
      int batch = 1 + random.nextInt(50);
      Run whole = new Run();
      Run bounded = new Run().withinBounds();
      assertThat(results(bounded, rows, batch, script))
          .as("seed %d: %s", seed, script)
          .isEqualTo(results(whole, rows, batch, script));
      Job.SourceTable past = Run.compile(script).sources().get("past");
      leftOut += whole.given(past).size() - bounded.given(past).size();
    }
    assertThat(leftOut).isGreaterThan(1_000);
  }

  /** A window ends a millisecond early, so in that what is filtered away makes rows late. */
  @Test
  void aRowThatIsLateByOneOfItsMillisecondStaysLate() {
    String script =
        ROWS.formatted("", "ts > TIMESTAMP '2024-01-01 00:00:09.9995'", "n = 0")
            + """
            SELECT COUNT(*) FROM TABLE(TUMBLE(TABLE few, DESCRIPTOR(ts), INTERVAL '10' SECOND))
            GROUP BY window_start, window_end
            """;
    List<@Nullable Object[]> rows =
        List.of(
            new @Nullable Object[] {"a", 1, at("00:00:09.9992")},
            new @Nullable Object[] {"b", 1, at("00:00:09.9998")});
    Map<String, List<String>> results = results(new Run().withinBounds(), rows, 1, script);
    assertThat(results.get("query-1")).isEmpty();
    assertThat(results.get("late")).hasSize(1);
  }

  /** In a zone whose clock is put forward a window may be over before the instants of its rows. */
  @Test
  void aRowThatIsLateAsTheClockWasPutForwardStaysLate() {
    String zone = "America/St_Johns";
    String script =
        """
        CREATE TABLE past (id STRING, n INT, ts TIMESTAMP_LTZ(6), WATERMARK FOR ts AS ts)
        WITH ('connector' = 'memory');
        SELECT window_start, COUNT(*)
        FROM TABLE(HOP(TABLE past, DESCRIPTOR(ts), INTERVAL '30' MINUTE, INTERVAL '1' HOUR))
        WHERE ts >= TIMESTAMP '2026-03-08 01:40:00'
        GROUP BY window_start, window_end
        """;
    List<@Nullable Object[]> rows =
        List.of(
            new @Nullable Object[] {"a", 1, micros(Instant.parse("2026-03-08T05:05:00Z"))},
            new @Nullable Object[] {"b", 1, micros(Instant.parse("2026-03-08T05:15:00Z"))});
    Map<String, List<String>> whole = results(new Run().in(zone), rows, 1, script);
    assertThat(whole.get("query-1")).isEmpty();
    assertThat(results(new Run().in(zone).withinBounds(), rows, 1, script)).isEqualTo(whole);
  }

  private static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }
}
