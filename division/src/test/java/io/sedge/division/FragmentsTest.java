package io.sedge.division;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Division;
import io.sedge.connector.FileAccess;
import io.sedge.connector.Part;
import io.sedge.division.SimulatedTask.Channel;
import io.sedge.engine.plan.PlanNode;
import io.sedge.learning.ModelProviders;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the fragments of a job are; {@link FragmentsPropertyTest} asks what they give. */
class FragmentsTest {
  private static final Division BY_MACHINE = new Division.ByKey(1, List.of("m0", "m1"));

  private static final String WINDOWS =
      """
      SELECT %1$s, window_start, COUNT(*) AS c, AVG(x) AS a
      FROM TABLE(%2$s) GROUP BY %1$s, window_start, window_end;
      """;

  private static final String TUMBLE =
      "TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '4' SECOND)";

  private static final String TWO_TABLES =
      "SELECT machine, n FROM (SELECT * FROM readings UNION ALL SELECT * FROM others);";

  /** A table that is read only by devices with labels. */
  private static String demanding(String table, String labels) {
    return "CREATE TABLE %s (machine STRING, zone STRING, n BIGINT) WITH ('connector' = 'rows', 'sedge.labels' = '%s');%n"
        .formatted(table, labels);
  }

  private static Job compile(String queries) {
    return compile(RandomScripts.TABLES, queries);
  }

  private static Job compile(String tables, String queries) {
    try {
      return new SqlCompiler(
              RowsConnector.all(),
              Map.of(),
              ModelProviders.of(new SameProvider()),
              InstantSource.fixed(Instant.EPOCH),
              FileAccess.EVERYTHING)
          .compile(
              "test.sql", tables + queries, Path.of("."), Map.of("table.local-time-zone", "UTC"));
    } catch (SqlException e) {
      throw new AssertionError(e.getMessage(), e);
    }
  }

  private static List<Fragment> cut(String queries) {
    return Fragments.of(
        compile(queries), Map.of("readings", BY_MACHINE), Map.of("a", Map.of()), Map.of());
  }

  private static List<String> names(List<Fragment> fragments) {
    return fragments.stream().map(Fragment::name).toList();
  }

  /** The columns that go through the only exchange. */
  private static List<String> exchanged(List<Fragment> fragments) {
    List<Job.SourceTable> tables =
        fragments.getLast().job().sources().values().stream()
            .filter(source -> source.connector().equals(Fragments.EXCHANGE))
            .toList();
    assertThat(tables).hasSize(1);
    Job.SinkTable sink = fragments.getFirst().job().sinks().get(tables.getFirst().table().name());
    assertThat(sink.connector()).isEqualTo(Fragments.EXCHANGE);
    assertThat(sink.table().schema()).isEqualTo(tables.getFirst().table().schema());
    return sink.table().schema().names();
  }

  /** An expression over merged rows may fail as well as one over those of a shard. */
  @Test
  void theRowsOfAnExchangeThatFailGoToTheMalformedTableOfWhatTheyComeFrom() {
    String tables =
        RandomScripts.TABLES
            + """
            CREATE TABLE wrong (origin STRING, payload STRING, reason STRING)
              WITH ('connector' = 'rows');
            CREATE TABLE m WITH ('malformed.table' = 'wrong') LIKE readings;
            """;
    List<Fragment> fragments =
        Fragments.of(
            compile(tables, "SELECT SUM(n) / MIN(n) AS q FROM m;"),
            Map.of("m", BY_MACHINE),
            Map.of("a", Map.of()),
            Map.of());
    Job merge = fragments.getLast().job();
    assertThat(merge.sources().values())
        .singleElement()
        .satisfies(
            source -> {
              assertThat(source.connector()).isEqualTo(Fragments.EXCHANGE);
              assertThat(source.malformedTable()).contains("wrong");
            });
    assertThat(merge.sinks()).containsKey("wrong");
  }

  @Test
  void aJobWhoseSourcesAreNotDividedIsOneFragment() {
    Job job = compile(WINDOWS.formatted("zone", TUMBLE));
    List<Fragment> fragments =
        Fragments.of(
            job, Map.of("others", BY_MACHINE), Map.of("a", Map.of(), "b", Map.of()), Map.of());
    assertThat(names(fragments)).containsExactly("all");
    assertThat(fragments.getFirst().job()).isEqualTo(job);
  }

  @Test
  void whatIsGroupedByTheShardKeyIsDoneInTheShards() {
    List<Fragment> fragments = cut(WINDOWS.formatted("zone, machine", TUMBLE));
    assertThat(names(fragments)).containsExactly("readings/m0", "readings/m1");
    Fragment first = fragments.getFirst();
    assertThat(first.dividedTable()).contains("readings");
    assertThat(first.shard()).contains("m0");
    assertThat(first.device()).isEmpty();
    assertThat(first.job().sinks().keySet()).containsExactly("query-1");
    assertThat(first.job().sources().keySet()).containsExactly("readings");
  }

  @Test
  void ofWindowsAcrossShardsAccumulatorsGoThroughTheExchange() {
    List<Fragment> fragments = cut(WINDOWS.formatted("zone", TUMBLE));
    assertThat(names(fragments)).containsExactly("readings/m0", "readings/m1", "merge");
    assertThat(exchanged(fragments)).containsExactly("zone", "$partial", "$time");
    assertThat(fragments.getFirst().job().sinks()).hasSize(1);
    assertThat(fragments.getLast().job().sinks().keySet()).containsExactly("query-1");
  }

  @Test
  void ofRowsOnlyTheColumnsThatAreNeededGoThroughTheExchange() {
    List<Fragment> fragments =
        cut("SELECT zone, SUM(n) FROM readings WHERE quantity = 'q1' GROUP BY zone;");
    assertThat(exchanged(fragments)).containsExactly("zone", "n");
  }

  @Test
  void theEndOfAnExchangeKnowsItsEventTimes() {
    List<Fragment> fragments =
        cut(
            "SELECT zone, n FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY zone ORDER BY ts) AS r"
                + " FROM readings) WHERE r = 1;");
    PlanNode node = fragments.getLast().job().plan().sinks().getFirst().input();
    while (!node.inputs().isEmpty()) {
      node = node.inputs().getFirst();
    }
    assertThat(node).isInstanceOf(PlanNode.Scan.class);
    PlanNode.Scan scan = (PlanNode.Scan) node;
    assertThat(scan.timeColumns()).containsExactly(scan.schema().indexOf("ts"));
  }

  @Test
  void aTableThatRowsAreLookedUpInIsReadByEachShard() {
    List<Fragment> fragments =
        cut(
            "SELECT r.machine, r.n, l.most FROM readings r JOIN limits FOR SYSTEM_TIME AS OF r.p"
                + " AS l ON r.machine = l.machine;");
    assertThat(names(fragments)).containsExactly("readings/m0", "readings/m1");
    assertThat(fragments.getFirst().job().sources().keySet())
        .containsExactlyInAnyOrder("readings", "limits");
  }

  @Test
  void whatIsDividedByDeviceMustRunThere() {
    List<Fragment> fragments =
        Fragments.of(
            compile("SELECT UPPER(quantity), n FROM readings;"),
            Map.of("readings", Division.BY_DEVICE),
            Map.of("a", Map.of(), "b", Map.of()),
            Map.of());
    assertThat(names(fragments)).containsExactly("readings/a", "readings/b");
    assertThat(fragments.getLast().device()).contains("b");
  }

  /** Two networks in one plant: each table is read by a gateway that is in its own. */
  @Test
  void eachTableDemandsLabelsOfThoseThatReadIt() {
    Job job =
        compile(
            "SET 'sedge.labels' = 'site=plant';"
                + demanding("readings", "zone=north")
                + demanding("others", ""),
            TWO_TABLES);
    Map<String, Map<String, String>> devices =
        Map.of(
            "a", Map.of("site", "plant", "zone", "north"),
            "b", Map.of("site", "plant"),
            "c", Map.of("zone", "north"));
    Map<String, Division> byDevice =
        Map.of("readings", Division.BY_DEVICE, "others", Division.BY_DEVICE);
    assertThat(names(Fragments.of(job, byDevice, devices, Map.of())))
        .containsExactly("others/a", "others/b", "readings/a");
    Map<String, Division> byMachine = Map.of("readings", BY_MACHINE);
    List<Fragment> fragments = Fragments.of(job, byMachine, devices, Map.of());
    assertThat(names(fragments)).containsExactly("readings/m0", "readings/m1", "merge");
    assertThat(Labels.demanded(fragments.getFirst().job()))
        .containsOnly(Map.entry("site", "plant"), Map.entry("zone", "north"));
    assertThat(Labels.demanded(fragments.getLast().job())).containsOnly(Map.entry("site", "plant"));
    assertThat(FragmentText.of(job, byMachine, Map.of()))
        .contains(
            "only on devices with site=plant", "readings is read only on devices with zone=north");
  }

  @Test
  void tablesThatOneTaskReadsMustNotDemandDifferentDevices() {
    Job job =
        compile(
            demanding("readings", "zone=north") + demanding("others", "zone=south"), TWO_TABLES);
    assertThatExceptionOfType(ConnectorException.class)
        .isThrownBy(() -> Fragments.of(job, Map.of(), Map.of(), Map.of()))
        .withMessage(
            "table readings demands zone=north of a device and table others zone=south, but one"
                + " task reads or writes both");
    assertThat(names(Fragments.of(job, Map.of("readings", BY_MACHINE), Map.of(), Map.of())))
        .containsExactly("readings/m0", "readings/m1", "merge");
  }

  @Test
  void ofAUnionOfTablesEachIsReadWhereItIs() {
    List<Fragment> fragments =
        cut(
            "SELECT machine, n FROM (SELECT * FROM readings UNION ALL SELECT * FROM others) WHERE n"
                + " > 3;");
    assertThat(names(fragments)).containsExactly("readings/m0", "readings/m1", "merge");
    assertThat(fragments.getLast().job().sources().keySet()).containsExactly("others");
    assertThat(fragments.getFirst().job().sources().keySet()).containsExactly("readings");
  }

  /** Whoever merges their rows may have begun before there was any. */
  @Test
  void whatIsMergedSaysOfWhichTableTheDevicesGiveIt() {
    Job job = compile(WINDOWS.formatted("zone", TUMBLE));
    for (Map<String, Map<String, String>> devices :
        List.of(Map.<String, Map<String, String>>of(), Map.of("a", Map.<String, String>of()))) {
      Fragment merge =
          Fragments.of(job, Map.of("readings", Division.BY_DEVICE), devices, Map.of()).getLast();
      assertThat(merge.job().sources().values())
          .extracting(source -> source.table().options().get(Fragments.BY_DEVICE))
          .containsExactly("readings");
    }
    assertThat(cut(WINDOWS.formatted("zone", TUMBLE)).getLast().job().sources().values())
        .allSatisfy(
            source -> assertThat(source.table().options()).doesNotContainKey(Fragments.BY_DEVICE));
  }

  /** A device that joins later cuts the job anew, and its tasks go on from the others' state. */
  @Test
  void everyDeviceCutsAJobAlike() {
    for (int seed = 0; seed < 30; seed++) {
      String script = new RandomScripts(new Random(seed)).script();
      String queries = script.substring(RandomScripts.TABLES.length());
      assertThat(plans(queries)).as("seed %d", seed).isEqualTo(plans(queries));
    }
  }

  private static List<String> plans(String queries) {
    return Fragments.of(
            compile(queries),
            Map.of("readings", BY_MACHINE, "others", Division.BY_DEVICE),
            Map.of("a", Map.of(), "b", Map.of()),
            Map.of())
        .stream()
        .map(fragment -> fragment.name() + fragment.job().plan())
        .toList();
  }

  @Test
  void rowsTooLateForAWindowOfTheShardStayThere() {
    String late =
        """
        CREATE TABLE late (machine STRING, n BIGINT) WITH ('connector' = 'rows');
        SET 'sedge.late-table' = 'late';
        """;
    List<Fragment> tumbling = cut(late + WINDOWS.formatted("zone", TUMBLE));
    assertThat(tumbling.getFirst().job().sinks()).containsKey("late");
    assertThat(tumbling.getLast().job().sinks()).doesNotContainKey("late");
    assertThat(exchanged(tumbling)).contains("$partial");

    List<Fragment> hopping =
        cut(
            late
                + WINDOWS.formatted(
                    "zone",
                    "HOP(TABLE readings, DESCRIPTOR(ts), INTERVAL '2' SECOND, INTERVAL '6'"
                        + " SECOND)"));
    assertThat(hopping.getLast().job().sinks()).containsKey("late");
    assertThat(exchanged(hopping)).doesNotContain("$partial").contains("machine", "n", "x");
  }

  /** As in Flink: it counts in those of its windows that are not over. */
  @Test
  void aRowThatIsTooLateForItsSliceCountsInTheWindowsThatAreNotOver() {
    Job job =
        compile(
            "SELECT zone, window_end, SUM(n) AS s FROM TABLE(HOP(TABLE readings, DESCRIPTOR(ts),"
                + " INTERVAL '2' SECOND, INTERVAL '12' SECOND)) GROUP BY zone, window_start,"
                + " window_end;");
    List<@Nullable Object[]> rows = new ArrayList<>();
    long[] seconds = {1, 10, 3, 30};
    for (int i = 0; i < seconds.length; i++) {
      rows.add(new @Nullable Object[] {"z", "m0", "q", 1L << i, 1.0, seconds[i] * 1_000_000});
    }
    Map<String, Results> results = new TreeMap<>(Map.of("query-1", new Results()));
    List<Fragment> fragments =
        Fragments.of(job, Map.of("readings", Division.BY_DEVICE), Map.of("a", Map.of()), Map.of());
    Channel channel =
        new Channel(fragments.getFirst().job().sinks().values().iterator().next().table().schema());
    channel.addProducer("readings/a");
    Map<String, Channel> channels = Map.of("exchange-1", channel);
    Random random = new Random(1);
    for (Fragment fragment : fragments) {
      SimulatedTask task =
          new SimulatedTask(fragment, random, Map.of("readings", rows), channels, results);
      while (!task.isDone()) {
        task.step();
      }
    }
    // The watermark is 8 s when the row of second 3 comes: the window up to 14 s has all three.
    assertThat(results.get("query-1").rows().keySet())
        .contains(row(12, 1 + 2 + 4), row(14, 2 + 4), row(16, 2));
  }

  private static String row(long windowEnd, long sum) {
    return "[z, %d, %d]".formatted(windowEnd * 1_000_000, sum);
  }

  @Test
  void peopleAreToldWhatGoesThroughTheExchangeAndHowMuch() {
    Job job =
        compile(
            WINDOWS.formatted("zone", TUMBLE)
                + WINDOWS.formatted("machine", TUMBLE)
                + "SELECT zone, SUM(n) FROM readings GROUP BY zone;"
                + "SELECT zone, SUM(n) FROM readings WHERE x > 3 GROUP BY zone;");
    assertThat(FragmentText.of(job, Map.of("readings", BY_MACHINE), Map.of()))
        .isEqualTo(
            """
            on a site
              readings is divided by machine into 2 shards: m0, m1
                each shard is a task, on whichever device has time for it, and
                  gives rows of query-2, which need nothing else
                  gives the merging task exchange-1: for each zone, window of 4s one row with the accumulators of COUNT(*), AVG(x)
                  gives the merging task exchange-2: a row for every reading (zone, n)
                  gives the merging task exchange-3: a row for every reading that passes the filters (zone, n)
                  so every reading goes through the site's ledger, to all its devices: where that is too much,
                  group by the column that the table is divided by, or aggregate in windows first
              one task, on any device, merges that and gives rows of query-1, query-3, query-4
            """);
  }

  @Test
  void peopleAreToldWhenAJobIsNotDivided() {
    assertThat(FragmentText.of(compile(WINDOWS.formatted("zone", TUMBLE)), Map.of(), Map.of()))
        .isEqualTo(
            """
            on a site
              one task, on one device at a time: none of its sources is divided
            """);
  }

  @Test
  void peopleAreToldWhereRowsMayComeAgain() {
    assertThat(
            FragmentText.of(
                compile(WINDOWS.formatted("zone", TUMBLE)),
                Map.of(),
                Map.of("alarms", ChangelogMode.UPSERT, "notes", ChangelogMode.INSERT_ONLY)))
        .isEqualTo(
            """
            on a site
              alarms gets rows at least once: when a device dies, the last ones may come again; what each key has then is the same
              notes gets rows at least once: when a device dies, the last ones may come again
              one task, on one device at a time: none of its sources is divided
            """);
  }

  private static List<Fragment> cutIntoParts(String queries) {
    String script = "SET 'execution.runtime-mode' = 'batch';" + queries;
    try {
      Job job =
          new SqlCompiler(RowsConnector.all(), Map.of(), InstantSource.fixed(Instant.EPOCH))
              .compile(
                  "test.sql",
                  RandomScripts.ending(RandomScripts.TABLES) + script,
                  Path.of("."),
                  Map.of("table.local-time-zone", "UTC"));
      List<Part> parts = List.of(new Part("0001", "first", 70), new Part("0002", "second", 30));
      Map<String, Division> divisions = new TreeMap<>();
      Map<String, List<Part>> known = new TreeMap<>();
      for (String table : job.sources().keySet()) {
        divisions.put(table, Division.BY_PART);
        known.put(table, parts);
      }
      return Fragments.of(job, divisions, Map.of("a", Map.of()), known);
    } catch (SqlException e) {
      throw new AssertionError(e.getMessage(), e);
    }
  }

  /** Accumulators go to the merging task once for each part, not readings. */
  @Test
  void groupsOverPartsAreAggregatedInTwoSteps() {
    List<Fragment> fragments =
        cutIntoParts("SELECT zone, COUNT(*), SUM(n) FROM readings GROUP BY zone;");
    assertThat(names(fragments)).containsExactly("readings/0001", "readings/0002", "merge");
    assertThat(fragments.getFirst().shard()).contains("first");
    assertThat(fragments.getFirst().part().orElseThrow().bytes()).isEqualTo(70);
    assertThat(exchanged(fragments)).hasSize(3).contains("zone", "$partial");
  }

  @Test
  void eachPartRanksItsOwnRowsFirst() {
    List<Fragment> fragments =
        cutIntoParts("SELECT machine, n FROM readings ORDER BY n DESC LIMIT 5;");
    assertThat(names(fragments)).containsExactly("readings/0001", "readings/0002", "merge");
  }

  /** What would send every reading through the ledger is better read by one device. */
  @Test
  void aTableIsNotCutIfAllOfItsRowsAreNeededTogether() {
    assertThat(
            names(
                cutIntoParts(
                    "SELECT n, SUM(n) OVER (PARTITION BY machine ORDER BY ts) FROM readings;")))
        .containsExactly("all");
    assertThat(names(cutIntoParts("SELECT n FROM readings ORDER BY n;"))).containsExactly("all");
  }

  /** Some hundred parts would be some hundred histories, of 'keep.bytes' each. */
  @Test
  void aTableWhoseReadingsAreKeptIsNotCut() {
    String script =
        """
        CREATE TABLE kept (n BIGINT, x DOUBLE) WITH ('connector' = 'rows', 'ends' = 'true'%s);
        SELECT n FROM kept WHERE x > 30;
        """;
    assertThat(names(cutIntoParts(script.formatted(", 'keep' = '1 d'")))).containsExactly("all");
    assertThat(names(cutIntoParts(script.formatted("")))).containsExactly("kept/0001", "kept/0002");
  }

  @Test
  void aTableInWhichRowsAreLookedUpIsReadWholeByEachPart() {
    List<Fragment> fragments =
        cutIntoParts(
            "SELECT r.n, l.most FROM readings r JOIN limits FOR SYSTEM_TIME AS OF r.p AS l ON"
                + " r.machine = l.machine;");
    assertThat(names(fragments)).containsExactly("readings/0001", "readings/0002");
    assertThat(fragments.getFirst().job().sources()).containsKey("limits");
  }
}
