package io.sedge.division;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Connectors;
import io.sedge.connector.Division;
import io.sedge.connector.format.Formats;
import io.sedge.division.Replacement.Fate;
import io.sedge.engine.operator.StateLayout;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a new version of a job takes over, and why the rest begins anew. */
class ReplacementTest {
  private static final Division BY_MACHINE = new Division.ByKey(0, List.of("m0", "m1"));

  private static final String READINGS =
      """
      CREATE TABLE readings (
        machine STRING, zone STRING, x BIGINT, y BIGINT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts
      ) WITH ('connector' = 'rows', 'from' = 'here');
      CREATE TABLE limits (machine STRING, most BIGINT, pt AS PROCTIME())
        WITH ('connector' = 'rows', 'ends' = 'true');
      CREATE TABLE sums (g STRING, b TIMESTAMP(3), s BIGINT) WITH ('connector' = 'rows');
      CREATE TABLE zones (g STRING, b TIMESTAMP(3), s BIGINT) WITH ('connector' = 'rows');
      CREATE TABLE few (g STRING, c BIGINT) WITH ('connector' = 'rows');
      """;

  private static final String SUMS =
      """
      INSERT INTO sums SELECT machine, window_start, SUM(x)
        FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '4' SECOND))
        GROUP BY machine, window_start, window_end;
      """;

  private static final String ZONES =
      """
      INSERT INTO zones SELECT zone, window_start, SUM(x)
        FROM TABLE(HOP(TABLE readings, DESCRIPTOR(ts), INTERVAL '2' SECOND, INTERVAL '4' SECOND))
        GROUP BY zone, window_start, window_end;
      """;

  private static final String COUNTS =
      "INSERT INTO few SELECT zone, COUNT(y) FROM readings WHERE y > 3 GROUP BY zone;\n";

  private static final Connectors CONNECTORS =
      new Connectors(
          List.of(RowsConnector.rows()), Formats.installed(ReplacementTest.class.getClassLoader()));

  private static Job compile(String tables, String... queries) {
    String script = tables + "EXECUTE STATEMENT SET BEGIN\n" + String.join("", queries) + "END;\n";
    try {
      return new SqlCompiler(CONNECTORS.byName(), Map.of(), InstantSource.fixed(Instant.EPOCH))
          .compile("test.sql", script, Path.of("."));
    } catch (SqlException e) {
      throw new AssertionError(e.getMessage(), e);
    }
  }

  private static Replacement replace(Job before, Job after) {
    Map<String, Division> divisions = Map.of("readings", BY_MACHINE);
    return Replacement.of(before, divisions, after, divisions, CONNECTORS);
  }

  /** What becomes of parts whose name contains a text. */
  private static List<Fate> fates(Replacement replacement, String work, String what) {
    return replacement.lines().stream()
        .filter(line -> line.work().equals(work) && line.what().contains(what))
        .map(Replacement.Line::fate)
        .toList();
  }

  // Else both versions read COUNT(*) FILTER (WHERE $f2).
  @Test
  void aFilterThatHasChangedIsShown() {
    String counts =
        "INSERT INTO few SELECT zone, COUNT(*) FILTER (WHERE y > %d) FROM readings GROUP BY"
            + " zone;\n";
    String sums =
        """
        INSERT INTO zones SELECT zone, window_start, SUM(x * 2) FILTER (WHERE y > %d)
          FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '4' SECOND))
          GROUP BY zone, window_start, window_end;
        """;
    Replacement replacement =
        replace(
            compile(READINGS, counts.formatted(3), sums.formatted(3)),
            compile(READINGS, counts.formatted(4), sums.formatted(4)));
    assertThat(aggregates(replacement, Fate.DROPPED))
        .isNotEmpty()
        .allMatch(what -> what.contains("FILTER (WHERE y > 3)"))
        .anyMatch(what -> what.contains("SUM(x * 2)"));
    assertThat(aggregates(replacement, Fate.BEGINS_ANEW))
        .isNotEmpty()
        .allMatch(what -> what.contains("FILTER (WHERE y > 4)"));
  }

  private static List<String> aggregates(Replacement replacement, Fate fate) {
    return replacement.lines().stream()
        .filter(line -> line.fate() == fate)
        .map(Replacement.Line::what)
        .filter(what -> what.contains("Aggregate"))
        .toList();
  }

  /** The steps that stay, each as it is called in both plans. */
  private static void checkState(Replacement replacement, Job before, Job after, String fragment) {
    Map<String, String> old = byPrefix(before, fragment);
    Map<String, String> young = byPrefix(after, fragment);
    replacement
        .tasks(fragment)
        .orElseThrow()
        .state()
        .forEach(
            move ->
                assertThat(young.get(Arrays.toString(move.getValue())))
                    .isEqualTo(old.get(Arrays.toString(move.getKey()))));
  }

  private static Map<String, String> byPrefix(Job job, String fragment) {
    Fragment its =
        Fragments.of(job, Map.of("readings", BY_MACHINE), Map.of(), Map.of()).stream()
            .filter(each -> each.name().equals(fragment))
            .findFirst()
            .orElseThrow();
    return StateLayout.of(its.job().plan()).steps().stream()
        .collect(
            Collectors.toMap(
                step -> Arrays.toString(StateLayout.prefix(step)),
                step -> step.node().map(node -> node.getClass().getSimpleName()).orElse("sink")));
  }

  @Test
  void theSameScriptKeepsAllAndLeavesTheTasksWhatTheyWere() {
    Job job = compile(READINGS, SUMS, ZONES);
    Replacement replacement = replace(job, compile(READINGS, SUMS, ZONES));
    assertThat(replacement.lines()).extracting(Replacement.Line::fate).containsOnly(Fate.KEPT);
    assertThat(replacement.tasks("readings/m0").orElseThrow().unchanged()).isTrue();
    assertThat(replacement.tasks("merge").orElseThrow().unchanged()).isTrue();
    assertThat(replacement.exchanges()).isEqualTo(Map.of("exchange-1", "exchange-1"));
    assertThat(replacement.changedSinks()).isEmpty();
  }

  /** The exchange, the aggregation in two steps and all steps have other numbers then. */
  @Test
  void queriesInAnotherOrderAndOneMoreThatNeedsAnotherColumnChangeNothingElse() {
    Job before = compile(READINGS, SUMS, ZONES);
    String otherZones = ZONES.replace("SUM(x)", "SUM(y)").replace("INTO zones", "INTO sums");
    Job after = compile(READINGS, COUNTS, otherZones, ZONES, SUMS);
    Replacement replacement = replace(before, after);
    assertThat(fates(replacement, "readings/*", "table readings")).containsExactly(Fate.KEPT);
    assertThat(fates(replacement, "readings/*", "TUMBLE")).containsExactly(Fate.KEPT);
    assertThat(fates(replacement, "readings/*", "SUM(x)")).containsOnly(Fate.KEPT);
    assertThat(fates(replacement, "readings/*", "SUM(y)")).containsExactly(Fate.BEGINS_ANEW);
    assertThat(fates(replacement, "merge", "SUM(x)")).containsExactly(Fate.KEPT);
    assertThat(fates(replacement, "merge", "SUM(y)")).containsExactly(Fate.BEGINS_ANEW);
    assertThat(fates(replacement, "merge", "GroupAggregate")).containsExactly(Fate.BEGINS_ANEW);
    assertThat(replacement.exchanges()).containsOnlyKeys("exchange-1");
    assertThat(replacement.exchanges().get("exchange-1")).isNotEqualTo("exchange-1");
    assertThat(replacement.tasks("merge").orElseThrow().positions())
        .isEqualTo(replacement.exchanges());
    checkState(replacement, before, after, "readings/m1");
    checkState(replacement, before, after, "merge");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SUM(x)->MAX(x)",
        "SUM(x)->SUM(y)",
        "SUM(x)->SUM(x + 1)",
        "SELECT zone->SELECT machine AS zone",
        "GROUP BY zone->WHERE x > 0 GROUP BY zone",
      })
  void whatIsComputedOtherwiseBeginsAnewInShardsAndInMerge(String change) {
    String[] fromTo = change.split("->", -1);
    String changed = ZONES.replace(fromTo[0], fromTo[1]);
    if (change.startsWith("SELECT zone")) {
      changed =
          ZONES
              .replace("zone", "CONCAT(zone, 'x')")
              .replace("INTO CONCAT(zone, 'x')s", "INTO zones");
    }
    Replacement replacement =
        replace(compile(READINGS, SUMS, ZONES), compile(READINGS, SUMS, changed));
    assertThat(fates(replacement, "readings/*", "TUMBLE")).contains(Fate.KEPT);
    assertThat(fates(replacement, "readings/*", "HOP"))
        .containsExactlyInAnyOrder(Fate.BEGINS_ANEW, Fate.DROPPED);
    assertThat(fates(replacement, "merge", "HOP"))
        .containsExactlyInAnyOrder(Fate.BEGINS_ANEW, Fate.DROPPED);
    assertThat(replacement.exchanges()).isEmpty();
    assertThat(replacement.tasks("readings/m0").orElseThrow().positions())
        .isEqualTo(Map.of("readings", "readings"));
  }

  /** Shards give slices of time, which are the same for longer windows. */
  @Test
  void longerWindowsBeginAnewWhereSlicesAreMergedAlone() {
    Replacement replacement =
        replace(
            compile(READINGS, ZONES),
            compile(READINGS, ZONES.replace("INTERVAL '4' SECOND", "INTERVAL '6' SECOND")));
    assertThat(fates(replacement, "readings/*", "HOP")).containsExactly(Fate.KEPT);
    assertThat(fates(replacement, "merge", "HOP"))
        .containsExactlyInAnyOrder(Fate.BEGINS_ANEW, Fate.DROPPED);
    assertThat(replacement.exchanges()).isEqualTo(Map.of("exchange-1", "exchange-1"));
  }

  @Test
  void aTableWithOtherOptionsIsReadAnewAndAllThatFollowsBeginsAnew() {
    Job before = compile(READINGS, SUMS);
    Replacement replacement = replace(before, compile(READINGS.replace("here", "there"), SUMS));
    assertThat(replacement.tasks("readings/m0").orElseThrow().positions()).isEmpty();
    assertThat(replacement.tasks("readings/m0").orElseThrow().state()).isEmpty();
    assertThat(replacement.lines())
        .filteredOn(line -> line.what().equals("table readings"))
        .extracting(Replacement.Line::why)
        .first()
        .asString()
        .startsWith("has other options (from)");
    Replacement renewed =
        replace(before, compile(READINGS.replace("'here'", "'here', 'password' = 'new'"), SUMS));
    assertThat(renewed.lines()).extracting(Replacement.Line::fate).containsOnly(Fate.KEPT);
  }

  /** Its options are the engine's, so the table is read on; but windows wait for others then. */
  @Test
  void whereOtherSensorsAreWaitedForWindowsBeginAnew() {
    String perMachine = READINGS.replace("'here'", "'here', 'scan.watermark.per-key' = 'machine'");
    String longer =
        perMachine.replace("'machine'", "'machine', 'scan.watermark.per-key.idle-after' = '5 min'");
    for (String after : List.of(perMachine, longer)) {
      Replacement replacement =
          replace(
              compile(after.equals(longer) ? perMachine : READINGS, SUMS), compile(after, SUMS));
      assertThat(fates(replacement, "readings/*", "table readings")).containsExactly(Fate.KEPT);
      assertThat(fates(replacement, "readings/*", "TUMBLE"))
          .containsExactlyInAnyOrder(Fate.BEGINS_ANEW, Fate.DROPPED);
    }
  }

  /** What a shard runs is made of the plan's steps anew. */
  @Test
  void aShardWaitsForItsSensorsToo() {
    Job job =
        compile(READINGS.replace("'here'", "'here', 'scan.watermark.per-key' = 'zone'"), ZONES);
    assertThat(
            Fragments.of(job, Map.of("readings", BY_MACHINE), Map.of(), Map.of()).stream()
                .filter(fragment -> fragment.name().equals("readings/m0"))
                .map(fragment -> fragment.job().plan().toString()))
        .singleElement()
        .asString()
        .contains("perKey=PerKey[column=");
  }

  @Test
  void aTableThatIsDividedOtherwiseBeginsAnewAndShardsThatComeDoNot() {
    Job job = compile(READINGS, ZONES);
    Map<String, Division> before = Map.of("readings", BY_MACHINE);
    Replacement longer =
        Replacement.of(
            job,
            before,
            job,
            Map.of("readings", new Division.ByKey(0, List.of("m0", "m1", "m2"))),
            CONNECTORS);
    assertThat(longer.lines()).extracting(Replacement.Line::fate).containsOnly(Fate.KEPT);
    Replacement byZone =
        Replacement.of(
            job, before, job, Map.of("readings", new Division.ByKey(1, List.of("m0"))), CONNECTORS);
    assertThat(fates(byZone, "readings/*", "table readings")).containsExactly(Fate.BEGINS_ANEW);
    Replacement whole = Replacement.of(job, before, job, Map.of(), CONNECTORS);
    assertThat(fates(whole, "all", "table readings")).containsExactly(Fate.BEGINS_ANEW);
    assertThat(whole.tasks("readings/m0")).isEmpty();
    assertThat(whole.tasks("merge")).isEmpty();
  }

  /** Its rows are needed again by the join that is new, and would else be missing to it. */
  @Test
  void aTableThatAFurtherJoinLooksUpIsReadAgainAndNothingElseIs() {
    String join =
        """
        INSERT INTO few SELECT r.machine, l.most
          FROM (SELECT *, PROCTIME() AS pt FROM readings) AS r
          JOIN limits FOR SYSTEM_TIME AS OF r.pt AS l ON r.machine = l.machine;
        """;
    Job before = compile(READINGS, SUMS, join);
    String further = join.replace("ON r.machine", "ON r.zone");
    Replacement replacement = replace(before, compile(READINGS, SUMS, join, further));
    assertThat(replacement.tasks("readings/m0").orElseThrow().positions())
        .isEqualTo(Map.of("readings", "readings"));
    assertThat(fates(replacement, "readings/*", "LookupJoin"))
        .containsOnly(Fate.BEGINS_ANEW)
        .hasSize(2);
    assertThat(fates(replacement, "readings/*", "TUMBLE")).containsExactly(Fate.KEPT);
    Replacement other = replace(before, compile(READINGS, join, SUMS, COUNTS));
    assertThat(other.tasks("readings/m0").orElseThrow().positions())
        .containsOnlyKeys("limits", "readings");
  }

  @Test
  void rowsOfSinksThatChangedOrWentAreForTheVersionBeforeToDeliver() {
    Job before = compile(READINGS, SUMS, ZONES);
    assertThat(replace(before, compile(READINGS, SUMS)).changedSinks()).containsExactly("zones");
    Job other =
        compile(
            READINGS.replace("TABLE sums (g STRING", "TABLE sums (its_group STRING"), SUMS, ZONES);
    assertThat(replace(before, other).changedSinks()).containsExactly("sums");
    assertThat(replace(compile(READINGS, SUMS), before).changedSinks()).isEmpty();
  }
}
