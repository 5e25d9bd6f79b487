package io.sedge.division;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.sedge.connector.Connectors;
import io.sedge.connector.Division;
import io.sedge.connector.format.Formats;
import io.sedge.division.CenterMerge.Span;
import io.sedge.division.SimulatedTask.Channel;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.Pipeline;
import io.sedge.engine.type.Schema;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A job over several sites gives the rows of one machine that has all their readings, whatever the
 * shards of the sites are, and whenever tasks die.
 */
class AcrossSitesTest {
  private static final long START_MICROS = 1_704_067_200_000_000L;
  private static final String TUMBLE =
      "TUMBLE(TABLE readings, DESCRIPTOR(%s), INTERVAL '4' SECOND)";
  private static final String HOP =
      "HOP(TABLE readings, DESCRIPTOR(%s), INTERVAL '2' SECOND, INTERVAL '6' SECOND)";
  private static final String CUMULATE =
      "CUMULATE(TABLE readings, DESCRIPTOR(%s), INTERVAL '2' SECOND, INTERVAL '6' SECOND)";

  private static final String TABLES =
      """
      SET 'sedge.merge' = 'center';
      CREATE TABLE readings (
        zone STRING, machine STRING, n BIGINT, x DOUBLE, ts TIMESTAMP(3),
        lts AS CAST(ts AS TIMESTAMP_LTZ(3)), WATERMARK FOR %s AS %s - INTERVAL '2' SECOND
      ) WITH ('connector' = 'rows');
      """;

  private static final String WINDOWS =
      """
      CREATE VIEW of_windows AS SELECT zone, window_time AS t, COUNT(*) AS c
        FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '4' SECOND))
        GROUP BY zone, window_start, window_end, window_time;
      """;

  private static String windows(String time, String key, String window) {
    return TABLES.formatted(time, time)
        + """
        CREATE TABLE fleet (
          k STRING, ws TIMESTAMP(3), we TIMESTAMP(3), c BIGINT, s DOUBLE, m DOUBLE, d BIGINT,
          p DOUBLE, v DOUBLE, PRIMARY KEY (k, ws, we) NOT ENFORCED
        ) WITH ('connector' = 'center', 'table-name' = 'all_sites');
        INSERT INTO fleet
        SELECT %s, window_start, window_end, COUNT(*), SUM(x), AVG(x), COUNT(DISTINCT x),
          PERCENTILE(x, 0.5), ROUND(STDDEV_POP(x), 6)
        FROM TABLE(%s) GROUP BY %s, window_start, window_end;
        """
            .formatted(key, window.formatted(time), key);
  }

  @ParameterizedTest
  @CsvSource({
    "machine, ts, UTC",
    "zone, ts, UTC",
    "machine, lts, Europe/Berlin",
    "zone, lts, Asia/Kolkata"
  })
  void windowsAreThoseOfOneMachine(String key, String time, String timeZone) {
    for (String window : List.of(TUMBLE, HOP, CUMULATE)) {
      for (int i = 0; i < 8; i++) {
        new Trial(System.nanoTime(), timeZone).compare(windows(time, key, window));
      }
    }
  }

  @Test
  void theFirstOfEachWindowAreThoseOfOneMachine() {
    String script =
        TABLES.formatted("ts", "ts")
            + """
            CREATE TABLE fleet (we TIMESTAMP(3), place BIGINT, machine STRING, total DOUBLE,
              PRIMARY KEY (we, place) NOT ENFORCED) WITH ('connector' = 'center');
            INSERT INTO fleet SELECT window_end, place, machine, total FROM (
              SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end
                ORDER BY total DESC, machine) AS place
              FROM (SELECT machine, window_start, window_end, SUM(x) AS total
                FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '4' SECOND))
                GROUP BY machine, window_start, window_end)
              WHERE total > 20)
            WHERE place <= 2;
            """;
    for (int i = 0; i < 10; i++) {
      new Trial(System.nanoTime(), "UTC").compare(script);
    }
  }

  /** A minute's windows of 26 sensors that speak ten times a second, at each of twenty sites. */
  @Test
  void twentySitesGiveTheRowsOfOneMachineAndSendAHundredthOfTheReadings() {
    String script =
        TABLES.formatted("ts", "ts")
            + """
            CREATE TABLE fleet (zone STRING, machine STRING, we TIMESTAMP(3), c BIGINT, s DOUBLE,
              a DOUBLE, lo DOUBLE, hi DOUBLE, PRIMARY KEY (zone, machine, we) NOT ENFORCED)
              WITH ('connector' = 'center');
            INSERT INTO fleet SELECT zone, machine, window_end, COUNT(*), SUM(x), AVG(x), MIN(x),
              MAX(x) FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '1' MINUTE))
              GROUP BY zone, machine, window_start, window_end;
            """;
    Job job = compile(script, "UTC");
    AcrossSites cut = cut(job);
    Schema read = job.sources().get("readings").table().schema();
    Random random = new Random(20);
    List<Batch> readings = new ArrayList<>();
    List<Batch> parts = new ArrayList<>();
    for (int site = 0; site < 20; site++) {
      List<Batch> ofSite = new ArrayList<>();
      for (int second = 0; second < 125; second++) {
        BatchBuilder builder = new BatchBuilder(read);
        for (int i = 0; i < 260; i++) {
          long micros = START_MICROS + second * 1_000_000L + i / 26 * 100_000L;
          builder.addRow("z" + site % 3, "m" + i % 26, (long) i, random.nextDouble(), micros);
        }
        ofSite.add(builder.build());
      }
      readings.addAll(ofSite);
      parts.addAll(run(cut.ofSite(), ofSite));
    }
    CenterMerge merge = cut.merges().getFirst();
    Map<String, List<Object>> expected = rows(byTime(job, readings));
    Map<String, List<Object>> merged = new TreeMap<>();
    for (int minute = 0; minute < 2; minute++) {
      long start = START_MICROS + minute * 60_000_000L;
      merged.putAll(rows(merge.merge(new Span(start, start + 60_000_000L), parts)));
    }
    assertThat(merged).hasSameSizeAs(expected).hasSize(2 * 3 * 26);
    merged.forEach(
        (key, row) -> {
          List<Object> of = expected.get(key);
          assertThat(row.get(3)).isEqualTo(of.get(3));
          for (int column = 4; column < 8; column++) {
            double sum = (double) of.get(column);
            assertThat((double) row.get(column)).isCloseTo(sum, within(1e-12 * Math.abs(sum)));
          }
        });
    long sent = new RowsCodec(merge.partsSchema()).encode(parts).length;
    long raw = 0;
    for (Batch batch : readings) {
      raw += new RowsCodec(read).encode(List.of(batch)).length;
    }
    assertThat(raw).isGreaterThan(100 * sent);
  }

  /** The rows of a job that runs whole, in one thread. */
  private static List<Batch> run(Job job, List<Batch> readings) {
    List<Batch> rows = new ArrayList<>();
    Output gathering =
        new Output() {
          @Override
          public boolean offer(Batch batch) {
            return rows.add(batch);
          }

          @Override
          public boolean advance(long watermark) {
            return true;
          }
        };
    String sink = job.sinks().keySet().iterator().next();
    Pipeline pipeline =
        Pipeline.compile(job.plan(), job.functions(), job.aggregates(), Map.of(sink, gathering));
    assertThat(pipeline.start()).isTrue();
    for (Batch batch : readings) {
      assertThat(pipeline.source("readings").offer(batch)).isTrue();
    }
    return rows;
  }

  /** The same over readings of all sites, second by second. */
  private static List<Batch> byTime(Job job, List<Batch> readings) {
    List<Batch> sorted = new ArrayList<>();
    for (int second = 0; second < 125; second++) {
      for (int site = 0; site < 20; site++) {
        sorted.add(readings.get(site * 125 + second));
      }
    }
    return run(job, sorted);
  }

  private static Map<String, List<Object>> rows(List<Batch> batches) {
    Map<String, List<Object>> rows = new TreeMap<>();
    for (Batch batch : batches) {
      for (int row = 0; row < batch.rows(); row++) {
        rows.put(batch.row(row).subList(0, 3).toString(), new ArrayList<>(batch.row(row)));
      }
    }
    return rows;
  }

  @Test
  void partsOfOtherAggregatesGoToAnotherTable() {
    String script = windows("ts", "zone", TUMBLE);
    String table = partsTable(cut(script));
    assertThat(table).matches("parts_test_[0-9a-f]{8}");
    assertThat(partsTable(cut(script))).isEqualTo(table);
    assertThat(partsTable(cut(script.replace("AVG(x)", "MAX(x)")))).isNotEqualTo(table);
    assertThat(partsTable(cut(script.replace("INTERVAL '4'", "INTERVAL '5'")))).isNotEqualTo(table);
  }

  /** The only one. */
  private static String partsTable(AcrossSites cut) {
    assertThat(cut.merges()).hasSize(1);
    return cut.merges().getFirst().partsTable();
  }

  @Test
  void theSitesGivePartsAndNoReadings() {
    Job ofSite = cut(windows("ts", "zone", TUMBLE)).ofSite();
    assertThat(ofSite.sinks()).hasSize(1);
    Job.SinkTable sink = ofSite.sinks().values().iterator().next();
    assertThat(sink.connector()).isEqualTo("center");
    assertThat(sink.table().options().get("table-name")).startsWith("parts_test_");
    assertThat(sink.table().schema().names()).containsExactly("zone", "$partial", "$time");
  }

  @Test
  void explainSaysWhatLeavesASiteAndWhatTheCenterMakesOfIt() throws SqlException {
    Job job = compile(windows("ts", "zone", HOP), "UTC");
    assertThat(
            DivisionPrinter.print(
                job,
                new Connectors(RowsConnector.all().values(), new Formats(List.of())),
                Path.of("."),
                InstantSource.fixed(Instant.EPOCH)))
        .startsWith(
            "across sites\n  each site gives the center, in %s, for each zone, slice of 2s one row with the accumulators of COUNT(*)"
                .formatted(partsTable(cut(job))))
        .contains("the center merges these to the rows of fleet", "it waits 1m", "on a site\n")
        .doesNotContain("PARTIAL");
  }

  @Test
  void aJobThatIsNotMergedInTheCenterIsWholeOnASite() throws SqlException {
    Job job =
        compile(windows("ts", "zone", TUMBLE).replace("SET 'sedge.merge' = 'center';", ""), "UTC");
    assertThat(AcrossSites.ofSite(job)).isSameAs(job);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "INSERT INTO fleet SELECT zone, ts, n FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY zone"
            + " ORDER BY ts) AS r FROM readings) WHERE r = 1 -> Write: GROUP BY window_start",
        "INSERT INTO fleet SELECT zone, window_end, COUNT(*) FROM TABLE(SESSION(TABLE readings"
            + " PARTITION BY zone, DESCRIPTOR(ts), INTERVAL '4' SECOND)) GROUP BY zone,"
            + " window_start, window_end -> Write: GROUP BY window_start",
        "INSERT INTO fleet SELECT z, ts, c FROM (VALUES ('a', TIMESTAMP '2024-01-01 00:00:00', 1))"
            + " AS t (z, ts, c) -> Write: one windowed aggregation",
        "INSERT INTO other SELECT zone, window_end, COUNT(*) FROM TABLE(TUMBLE(TABLE readings,"
            + " DESCRIPTOR(ts), INTERVAL '4' SECOND)) GROUP BY zone, window_start, window_end"
            + " -> whose connector is 'rows'. Write: 'connector' = 'center'",
        "INSERT INTO keyless SELECT zone, window_end, COUNT(*) FROM TABLE(TUMBLE(TABLE readings,"
            + " DESCRIPTOR(ts), INTERVAL '4' SECOND)) GROUP BY zone, window_start, window_end"
            + " -> Write: PRIMARY KEY",
        "INSERT INTO fleet SELECT zone, window_end, SUM(c) FROM TABLE(TUMBLE(TABLE of_windows,"
            + " DESCRIPTOR(t), INTERVAL '8' SECOND)) GROUP BY zone, window_start, window_end"
            + " -> Write: one windowed aggregation",
        "INSERT INTO fleet SELECT zone, TIMESTAMP '2024-01-01 00:00:00', COUNT(*) FROM"
            + " TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '4' SECOND)) GROUP BY zone,"
            + " window_start, window_end -> Write: window_end among the columns",
        "INSERT INTO fleet SELECT zone, window_end, COUNT(*) FROM TABLE(TUMBLE(TABLE readings,"
            + " DESCRIPTOR(lts), INTERVAL '4' SECOND)) GROUP BY zone, window_start, window_end"
            + " -> SET 'table.local-time-zone'",
      })
  void whatCannotBeMergedIsRefused(String example) {
    String query = example.substring(0, example.indexOf(" -> "));
    String time = query.contains("DESCRIPTOR(lts)") ? "lts" : "ts";
    String script =
        TABLES.formatted(time, time)
            + """
            CREATE TABLE fleet (k STRING, t TIMESTAMP(3), n BIGINT,
              PRIMARY KEY (k, t) NOT ENFORCED) WITH ('connector' = 'center');
            CREATE TABLE keyless (k STRING, t TIMESTAMP(3), n BIGINT)
              WITH ('connector' = 'center');
            CREATE TABLE other (k STRING, t TIMESTAMP(3), n BIGINT) WITH ('connector' = 'rows');
            """
            + (query.contains("of_windows") ? WINDOWS : "")
            + query
            + ";";
    Job job = compile(script, null);
    assertThatExceptionOfType(SqlException.class)
        .isThrownBy(() -> AcrossSites.of(job))
        .satisfies(e -> assertThat(e.problems().getFirst().line()).isBetween(6, 12))
        .withMessageContaining(example.substring(example.indexOf(" -> ") + 4));
  }

  private static AcrossSites cut(String script) {
    return cut(compile(script, "UTC"));
  }

  private static AcrossSites cut(Job job) {
    try {
      return AcrossSites.of(job);
    } catch (SqlException e) {
      throw new AssertionError(e.getMessage(), e);
    }
  }

  private static Job compile(String script, @Nullable String timeZone) {
    try {
      return new SqlCompiler(RowsConnector.all(), Map.of(), InstantSource.fixed(Instant.EPOCH))
          .compile(
              "test.sql",
              script,
              Path.of("."),
              timeZone == null ? Map.of() : Map.of("table.local-time-zone", timeZone));
    } catch (SqlException e) {
      throw new AssertionError(e.getMessage(), e);
    }
  }

  /** What a site has sent: its batches, as well as what they come to. */
  private static final class Parts extends Results {
    private final List<Batch> batches = new ArrayList<>();

    @Override
    void add(Batch batch) {
      super.add(batch);
      batches.add(batch);
    }
  }

  /** Some sites, their readings and their shards. */
  private static final class Trial {
    private static final int MAX_TURNS = 2_000_000;
    private static final int MACHINES = 4;

    private final long seed;
    private final String timeZone;
    private final Random random;
    private final List<List<@Nullable Object[]>> sites = new ArrayList<>();

    Trial(long seed, String timeZone) {
      this.seed = seed;
      this.timeZone = timeZone;
      this.random = new Random(seed);
      int count = 1 + random.nextInt(4);
      for (int i = 0; i < count; i++) {
        sites.add(readings(20 + random.nextInt(120)));
      }
    }

    /** Out of order by less than the watermark allows. */
    private List<@Nullable Object[]> readings(int count) {
      List<@Nullable Object[]> rows = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        long millis = i * 200L + random.nextInt(9) * 200L;
        rows.add(
            new @Nullable Object[] {
              "z" + random.nextInt(2),
              "m" + random.nextInt(MACHINES),
              (long) i,
              random.nextInt(5) == 0 ? null : (double) random.nextInt(100),
              START_MICROS + millis * 1000
            });
      }
      return rows;
    }

    void compare(String script) {
      Job job = compile(script, timeZone);
      Map<String, Results> whole = new TreeMap<>(Map.of("fleet", new Results()));
      List<@Nullable Object[]> all = new ArrayList<>(sites.stream().flatMap(List::stream).toList());
      all.sort((one, other) -> Long.compare((long) time(one), (long) time(other)));
      finish(
          List.of(
              new SimulatedTask(
                  Fragment.whole("all", job), random, Map.of("readings", all), Map.of(), whole)));
      AcrossSites cut = cut(job);
      Map<String, Results> parts = new HashMap<>();
      cut.ofSite().sinks().keySet().forEach(table -> parts.put(table, new Parts()));
      sites.forEach(readings -> runSite(cut.ofSite(), readings, parts));
      Results merged = new Results();
      for (CenterMerge merge : cut.merges()) {
        merge(merge, parts, merged);
      }
      assertThat(merged.rows())
          .as("seed %d of%n%s", seed, script)
          .isEqualTo(whole.get("fleet").rows());
      assertThat(merged.added()).isGreaterThan(1);
    }

    private static Object time(@Nullable Object[] row) {
      Object time = row[4];
      if (time == null) {
        throw new AssertionError("every reading has a time");
      }
      return time;
    }

    /** As a device of the center does: window by window, in any order. */
    private void merge(CenterMerge merge, Map<String, Results> parts, Results merged) {
      List<Batch> given = new ArrayList<>(((Parts) parts.values().iterator().next()).batches);
      Collections.shuffle(given, random);
      Set<Span> spans = new HashSet<>();
      for (Batch batch : given) {
        LongColumn times = (LongColumn) batch.column(merge.timeColumn());
        IntStream.range(0, batch.rows())
            .forEach(row -> spans.addAll(merge.windowsOf(times.values()[row])));
      }
      assertThat(given.getFirst().width()).isEqualTo(merge.partsSchema().size());
      spans.forEach(span -> merge.merge(span, given).forEach(merged::add));
    }

    private void runSite(
        Job ofSite, List<@Nullable Object[]> readings, Map<String, Results> parts) {
      Division division =
          switch (random.nextInt(3)) {
            case 0 -> Division.WHOLE;
            case 1 -> Division.BY_DEVICE;
            default ->
                new Division.ByKey(1, IntStream.range(0, MACHINES).mapToObj(i -> "m" + i).toList());
          };
      List<Fragment> fragments =
          Fragments.of(
              ofSite, Map.of("readings", division), Map.of("a", Map.of(), "b", Map.of()), Map.of());
      Map<String, Channel> channels = new TreeMap<>();
      for (Fragment fragment : fragments) {
        fragment
            .job()
            .sinks()
            .forEach(
                (name, sink) -> {
                  if (sink.connector().equals(Fragments.EXCHANGE)) {
                    channels
                        .computeIfAbsent(name, _ -> new Channel(sink.table().schema()))
                        .addProducer(fragment.name());
                  }
                });
      }
      List<SimulatedTask> tasks = new ArrayList<>();
      for (Fragment fragment : fragments) {
        List<@Nullable Object[]> read =
            fragment.shard().map(shard -> shard(readings, division, shard)).orElse(readings);
        tasks.add(new SimulatedTask(fragment, random, Map.of("readings", read), channels, parts));
      }
      finish(tasks);
    }

    private static List<@Nullable Object[]> shard(
        List<@Nullable Object[]> rows, Division division, String shard) {
      return division instanceof Division.ByKey(int column, List<String> _)
          ? rows.stream().filter(row -> shard.equals(row[column])).toList()
          : IntStream.range(0, rows.size())
              .filter(i -> (i % 2 == 0) == shard.equals("a"))
              .mapToObj(rows::get)
              .toList();
    }

    private void finish(List<SimulatedTask> tasks) {
      for (int turn = 0; !tasks.stream().allMatch(SimulatedTask::isDone); turn++) {
        assertThat(turn).as("seed %d: turns", seed).isLessThan(MAX_TURNS);
        tasks.get(random.nextInt(tasks.size())).step();
      }
    }
  }
}
