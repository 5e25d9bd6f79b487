package io.sedge.center.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.center.internal.merge.Merger;
import io.sedge.center.store.Merges.MergedJob;
import io.sedge.division.AcrossSites;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.operator.Output;
import io.sedge.engine.operator.Pipeline;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import io.sedge.uplink.RowBlock;
import io.sedge.uplink.StreamOpening;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the center makes of the parts of windows that sites give, on each database. */
class MergerTest extends StoreTestBase {
  private static final String SCRIPT =
      """
      SET 'sedge.merge' = 'center';
      SET 'sedge.merge.wait' = '30 s';
      CREATE TABLE readings (
        machine STRING, line INT, rate DECIMAL(8, 2), good BOOLEAN, x DOUBLE, ts TIMESTAMP(3),
        dt AS CAST(ts AS DATE), WATERMARK FOR ts AS ts
      ) WITH ('connector' = 'plant');
      CREATE TABLE fleet (
        machine STRING, line INT, rate DECIMAL(8, 2), good BOOLEAN, dt DATE,
        we TIMESTAMP(3), n BIGINT, total DOUBLE, middle DOUBLE, kinds BIGINT,
        PRIMARY KEY (machine, line, rate, good, dt, we) NOT ENFORCED
      ) WITH ('connector' = 'center', 'table-name' = 'all_machines');
      INSERT INTO fleet
      SELECT machine, line, rate, good, dt, window_end, COUNT(*), SUM(x), AVG(x),
        COUNT(DISTINCT x)
      FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND))
      GROUP BY machine, line, rate, good, dt, window_start, window_end;
      CREATE TABLE busiest (
        we TIMESTAMP(3), place BIGINT, machine STRING, n BIGINT,
        PRIMARY KEY (we, place) NOT ENFORCED
      ) WITH ('connector' = 'center');
      INSERT INTO busiest
      SELECT window_end, place, machine, n FROM (
        SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end
          ORDER BY n DESC, machine) AS place
        FROM (SELECT machine, window_start, window_end, COUNT(*) AS n
          FROM TABLE(HOP(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND,
            INTERVAL '20' SECOND))
          GROUP BY machine, window_start, window_end)
        WHERE n > 3)
      WHERE place <= 2;
      """;

  private static final long START = Instant.parse("2026-03-01T12:00:00Z").getEpochSecond();
  private static final String FLEET =
      "SELECT machine, line, rate, good, dt, we, n, total, middle, kinds FROM all_machines";

  private final Map<String, Long> sequences = new HashMap<>();
  private final Map<String, Pipeline> sites = new HashMap<>();
  private final Random random = new Random(7);
  private Merger merger;
  private String script = SCRIPT;

  MergerTest(TestDatabase database) {
    super(database);
  }

  @BeforeEach
  void begin() throws Exception {
    store.sites().enrol("south", "ledger-south", "key-south");
    store.merges().put(new MergedJob("fleet", SCRIPT));
    merger = merger();
  }

  private Merger merger() {
    return new Merger(
        store, (job, script) -> AcrossSites.of(compile(job, script)), clock, said::add);
  }

  private static Job compile(String name, String script) throws SqlException {
    return new SqlCompiler(TestTables.all(), Map.of(), InstantSource.fixed(Instant.EPOCH))
        .compile(name, script, Path.of("."));
  }

  /** Readings in a span of seconds after the start, out of the order of machines. */
  private List<Object[]> readings(int from, int to) {
    List<Object[]> rows = new ArrayList<>();
    for (int i = from * 10; i < to * 10; i++) {
      rows.add(
          new Object[] {
            "m" + random.nextInt(4),
            random.nextInt(2),
            new java.math.BigDecimal(random.nextInt(3) + ".25"),
            random.nextBoolean(),
            random.nextInt(5) == 0 ? null : (double) random.nextInt(50),
            (START * 1_000 + i * 100L) * 1_000
          });
    }
    return rows;
  }

  private static Batch batch(Job job, List<Object[]> rows) {
    BatchBuilder builder = new BatchBuilder(job.sources().get("readings").table().schema());
    rows.forEach(builder::addRow);
    return builder.build();
  }

  /** A site reads rows and sends the parts that are whole. */
  private void read(String site, List<Object[]> rows) throws Exception {
    Job ofSite = AcrossSites.of(compile("fleet", script)).ofSite();
    Map<String, List<Batch>> parts = new HashMap<>();
    Pipeline pipeline = sites.computeIfAbsent(site, _ -> pipeline(ofSite, parts));
    offered(pipeline, batch(ofSite, rows));
    for (Map.Entry<String, List<Batch>> part : given.get(pipeline).entrySet()) {
      for (Batch batch : part.getValue()) {
        send(site, ofSite.sinks().get(part.getKey()), batch);
      }
      part.getValue().clear();
    }
  }

  private final Map<Pipeline, Map<String, List<Batch>>> given = new HashMap<>();

  private Pipeline pipeline(Job job, Map<String, List<Batch>> rows) {
    Map<String, Output> outputs = new HashMap<>();
    job.sinks()
        .keySet()
        .forEach(
            sink -> {
              List<Batch> batches = rows.computeIfAbsent(sink, _ -> new ArrayList<>());
              outputs.put(
                  sink,
                  new Output() {
                    @Override
                    public boolean offer(Batch batch) {
                      return batches.add(batch);
                    }

                    @Override
                    public boolean advance(long watermark) {
                      return true;
                    }
                  });
            });
    Pipeline pipeline = Pipeline.compile(job.plan(), job.functions(), job.aggregates(), outputs);
    assertThat(pipeline.start()).isTrue();
    given.put(pipeline, rows);
    return pipeline;
  }

  private static void offered(Pipeline pipeline, Batch batch) {
    assertThat(pipeline.source("readings").offer(batch)).isTrue();
  }

  private void send(String site, Job.SinkTable sink, Batch batch) throws Exception {
    long stream =
        store
            .openStream(
                site,
                new StreamOpening(
                    "fleet",
                    "delivery",
                    sink.table().name(),
                    sink.table().options().get("table-name"),
                    sink.table().schema(),
                    List.of()))
            .id();
    long first = sequences.merge(site + sink.table().name(), (long) batch.rows(), Long::sum);
    byte[] bytes = new RowsCodec(sink.table().schema()).encode(List.of(batch));
    append(site, stream, new RowBlock(first - batch.rows() + 1, batch.rows(), bytes));
  }

  /** Time goes on, and what is due is given. */
  private void pass(int seconds) throws Exception {
    while (merger.pass()) {
      // There are parts that have not been looked at.
    }
    now = now.plusSeconds(seconds);
    while (merger.pass()) {
      // Windows are given a hundred at a time.
    }
    assertThat(said).allMatch(message -> message.contains(" now has the columns "));
  }

  /** What one machine would have of the readings, as the database says it. */
  private List<List<Object>> expected(String sink, List<Object[]> rows) throws Exception {
    rows.sort(Comparator.comparingLong(row -> (long) row[5]));
    Job whole = compile("fleet", script.replace("SET 'sedge.merge' = 'center';", ""));
    Map<String, List<Batch>> results = new HashMap<>();
    offered(pipeline(whole, results), batch(whole, rows));
    Job.SinkTable table = whole.sinks().get(sink);
    String name = "expected_" + sink + sequences.merge("expected", 1L, Long::sum);
    long stream =
        store
            .openStream(
                SITE,
                new StreamOpening(
                    name, "task", sink, name, table.table().schema(), table.table().primaryKey()))
            .id();
    long sequence = 1;
    for (Batch batch : results.get(sink)) {
      byte[] bytes = new RowsCodec(table.table().schema()).encode(List.of(batch));
      append(stream, new RowBlock(sequence, batch.rows(), bytes));
      sequence += batch.rows();
    }
    return sorted(
        ask((sink.equals("fleet") ? FLEET : BUSIEST).replaceAll("FROM \\w+", "FROM " + name)));
  }

  private static final String BUSIEST = "SELECT we, place, machine, n FROM busiest";

  private static List<List<Object>> sorted(List<List<Object>> rows) {
    rows.sort(Comparator.comparing(Object::toString));
    return rows;
  }

  private static List<Object[]> all(List<Object[]> one, List<Object[]> other) {
    List<Object[]> all = new ArrayList<>(one);
    all.addAll(other);
    return all;
  }

  @Test
  void theRowsAreThoseOfOneMachineThatHadAllReadings() throws Exception {
    List<Object[]> north = readings(0, 65);
    List<Object[]> south = readings(0, 65);
    read("north", north);
    read("south", south);
    pass(2);
    assertThat(sorted(ask(FLEET))).isEqualTo(expected("fleet", all(north, south))).isNotEmpty();
    assertThat(sorted(ask(BUSIEST))).isEqualTo(expected("busiest", all(north, south))).isNotEmpty();
    assertThat(ask("SELECT DISTINCT _site FROM all_machines")).containsExactly(List.of("*"));
    assertThat(store.sites().list()).extracting(Site::name).containsExactly("north", "south");
  }

  @Test
  void aSiteThatIsSilentHoldsAWindowBackForAsLongAsTheJobSays() throws Exception {
    List<Object[]> north = readings(0, 30);
    List<Object[]> south = readings(0, 30);
    read("north", north);
    read("south", south);
    pass(2);
    List<List<Object>> before = sorted(ask(FLEET));
    List<Object[]> later = readings(30, 50);
    read("north", later);
    pass(20);
    assertThat(sorted(ask(FLEET))).isEqualTo(before);
    pass(11);
    assertThat(ask(FLEET).size()).isGreaterThan(before.size());
    assertThat(sorted(ask(FLEET)))
        .as("the last window that south has given ends after 20 s")
        .isEqualTo(expected("fleet", all(all(north, south.subList(0, 200)), later)));
  }

  @Test
  void aPartThatIsLateCorrectsItsRowsAndNoOthers() throws Exception {
    List<Object[]> north = readings(0, 50);
    read("north", north);
    pass(2);
    List<Object[]> south = readings(0, 50);
    long rows = sequenceOfCenter();
    read("south", south);
    pass(2);
    assertThat(sorted(ask(FLEET))).isEqualTo(expected("fleet", all(north, south)));
    assertThat(sorted(ask(BUSIEST))).isEqualTo(expected("busiest", all(north, south)));
    long corrected = sequenceOfCenter();
    assertThat(corrected).isGreaterThan(rows);
    pass(60);
    assertThat(sequenceOfCenter()).isEqualTo(corrected);
  }

  private long sequenceOfCenter() throws Exception {
    return (Long) ask("SELECT max(_seq) FROM all_machines").getFirst().getFirst();
  }

  @Test
  void aCenterThatIsKilledGivesEachRowOnce() throws Exception {
    List<Object[]> north = readings(0, 40);
    List<Object[]> south = readings(0, 40);
    read("north", north);
    pass(2);
    reopen();
    merger = merger();
    read("south", south.subList(0, 200));
    merger.pass();
    reopen();
    merger = merger();
    read("south", south.subList(200, south.size()));
    pass(2);
    assertThat(sorted(ask(FLEET))).isEqualTo(expected("fleet", all(north, south)));
  }

  @Test
  void aSiteThatIsShutOutHoldsNothingBackAndItsPartsCount() throws Exception {
    List<Object[]> north = readings(0, 30);
    List<Object[]> south = readings(0, 15);
    read("north", north);
    read("south", south);
    store.sites().revoke("south");
    pass(2);
    assertThat(sorted(ask(FLEET)))
        .isEqualTo(expected("fleet", all(north, new ArrayList<>(south.subList(0, 100)))));
  }

  @Test
  void aJobThatIsNoLongerMergedKeepsItsRows() throws Exception {
    List<Object[]> north = readings(0, 30);
    read("north", north);
    pass(2);
    long rows = count("all_machines");
    store.merges().remove("fleet");
    read("north", readings(30, 60));
    pass(40);
    assertThat(count("all_machines")).isEqualTo(rows);
    assertThat(store.merges().jobs()).isEmpty();
  }

  @Test
  void partsThatCannotBeReadCostTheOtherSitesNothing() throws Exception {
    List<Object[]> north = readings(0, 30);
    List<Object[]> south = readings(0, 30);
    read("north", north);
    read("south", south);
    execute(
        ("UPDATE %s SET \"$partial\" = 'AAAA' WHERE \"$time\" < '2026-03-01 12:00:10' AND"
                + " \"_site\" = 'north'")
            .formatted(partsTable()));
    while (merger.pass()) {
      // There are parts that have not been looked at.
    }
    now = now.plusSeconds(2);
    while (merger.pass()) {
      // Windows are given a hundred at a time.
    }
    assertThat(said).hasSize(1);
    assertThat(said.getFirst())
        .startsWith(
            "job fleet, table fleet: the window until 2026-03-01T12:00:10 has no parts of site"
                + " north: they cannot be read");
    assertThat(sorted(ask(FLEET)))
        .isEqualTo(expected("fleet", all(new ArrayList<>(north.subList(100, 300)), south)));
  }

  /** That of the table that has rows of each machine and line. */
  private String partsTable() throws SqlException {
    return AcrossSites.of(compile("fleet", script)).merges().stream()
        .filter(merge -> merge.table().name().equals("fleet"))
        .findFirst()
        .orElseThrow()
        .partsTable();
  }

  @Test
  void aPartThatComesAWeekLateIsSaidAndChangesNothing() throws Exception {
    read("north", readings(0, 30));
    pass(2);
    now = now.plusSeconds(700_000);
    read("north", readings(700_000, 700_030));
    pass(2);
    long given = sequenceOfCenter();
    read("south", readings(0, 30));
    while (merger.pass()) {
      // There are parts that have not been looked at.
    }
    assertThat(said).isNotEmpty();
    assertThat(said.getFirst()).contains("came more than 6 days late");
    now = now.plusSeconds(60);
    merger.pass();
    assertThat(sequenceOfCenter()).isEqualTo(given);
  }

  @Test
  void aClockThatIsYearsAheadAtOneSiteCostsTheOthersNothing() throws Exception {
    List<Object[]> north = readings(0, 30);
    read("north", north);
    read("south", readings(4_000_000, 4_000_030));
    while (merger.pass()) {
      // There are parts that have not been looked at.
    }
    assertThat(said).isNotEmpty();
    assertThat(said.getFirst()).contains("are more than 1 day ahead of the center's clock");
    said.clear();
    pass(31);
    assertThat(sorted(ask(FLEET))).isEqualTo(expected("fleet", north));
  }

  @Test
  void aWindowThatNobodyHasComeToTheEndOfIsNotGiven() throws Exception {
    List<Object[]> north = readings(0, 31);
    read("north", north);
    pass(2);
    pass(120);
    pass(2);
    assertThat(sorted(ask(BUSIEST))).isEqualTo(expected("busiest", north)).isNotEmpty();
  }

  @Test
  void aSiteThatWasPutBackAndSendsAgainCountsOnce() throws Exception {
    List<Object[]> north = readings(0, 50);
    List<Object[]> again = new ArrayList<>(north);
    read("north", north);
    pass(2);
    store.sites().acceptRestored("north");
    sequences.clear();
    sites.clear();
    read("north", again);
    pass(2);
    assertThat(sorted(ask(FLEET))).isEqualTo(expected("fleet", north));
    assertThat(sorted(ask(BUSIEST))).isEqualTo(expected("busiest", north));
  }

  @Test
  void whatIsGivenStaysWhenTheScriptIsReplaced() throws Exception {
    List<Object[]> north = readings(0, 30);
    read("north", north);
    pass(2);
    List<List<Object>> before = sorted(ask(FLEET));
    script =
        SCRIPT
            .replace("SUM(x)", "MAX(x)")
            .replace("n BIGINT, total", "n BIGINT, more INT, total")
            .replace("COUNT(*), MAX(x)", "COUNT(*), 1, MAX(x)");
    store.merges().put(new MergedJob("fleet", script));
    sites.clear();
    read("north", readings(15, 45));
    pass(2);
    assertThat(sorted(ask(FLEET + " WHERE we < '2026-03-01 12:00:21'"))).isEqualTo(before);
    assertThat(ask("SELECT DISTINCT more FROM all_machines WHERE we > '2026-03-01 12:00:21'"))
        .containsExactly(List.of(1L));
  }

  @Test
  void aRowThatWasStoredBeforeTheCenterDiedGoesIfItShouldNotBeThere() throws Exception {
    script =
        SCRIPT.replace(
            "GROUP BY machine, line, rate, good, dt, window_start, window_end;",
            "GROUP BY machine, line, rate, good, dt, window_start, window_end HAVING COUNT(*) <"
                + " 4;");
    store.merges().put(new MergedJob("fleet", script));
    List<Object[]> north = readings(0, 30);
    read("north", north);
    pass(2);
    // As if it had been killed after its rows were stored and before it knew.
    execute("UPDATE sedge_merge_window SET given = 0, open = 1");
    reopen();
    merger = merger();
    List<Object[]> south = readings(0, 30);
    read("south", south);
    pass(2);
    assertThat(sorted(ask(FLEET))).isEqualTo(expected("fleet", all(north, south))).isNotEmpty();
  }

  @ParameterizedTest
  @CsvSource({"Europe/Berlin", "America/New_York"})
  void windowsOfLocalTimeAreThoseOfOneMachine(String zone) throws Exception {
    script =
        SCRIPT
            .replace(
                "SET 'sedge.merge' =",
                "SET 'table.local-time-zone' = '" + zone + "';\nSET 'sedge.merge' =")
            .replace(
                "ts TIMESTAMP(3),", "shown TIMESTAMP(3), ts AS CAST(shown AS TIMESTAMP_LTZ(3)),")
            .replace("CAST(ts AS DATE)", "CAST(shown AS DATE)")
            .replace(
                "HOP(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND,\n"
                    + "      INTERVAL '20' SECOND)",
                "CUMULATE(TABLE readings, DESCRIPTOR(ts), INTERVAL '10' SECOND, INTERVAL '20'"
                    + " SECOND)");
    store.merges().put(new MergedJob("fleet", script));
    // TIMESTAMP is what the clock shows: the readings are in the zone's noon, and the center's
    // later.
    now = now.plusSeconds(40_000);
    List<Object[]> north = readings(0, 45);
    List<Object[]> south = readings(0, 45);
    read("north", north);
    read("south", south);
    pass(2);
    assertThat(sorted(ask(FLEET))).isEqualTo(expected("fleet", all(north, south))).isNotEmpty();
    assertThat(sorted(ask(BUSIEST))).isEqualTo(expected("busiest", all(north, south))).isNotEmpty();
  }

  @Test
  void noSiteIsCalledAsTheCenterCallsItsOwnRows() {
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> store.sites().enrol("*", "ledger", "key"))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.NAME_TAKEN));
  }

  @Test
  void aScriptThatCannotBeMergedIsSaidOnceAndHoldsUpNoOther() throws Exception {
    store.merges().put(new MergedJob("broken", "SELECT 1 FROM nowhere"));
    read("north", readings(0, 30));
    merger.pass();
    now = now.plusSeconds(2);
    merger.pass();
    merger.pass();
    assertThat(said).hasSize(1);
    assertThat(said.getFirst()).startsWith("job broken cannot be merged: line ");
    assertThat(count("all_machines")).isPositive();
  }
}
