package io.sedge.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables that are read anew, since rows are looked up in them. */
class LookupCacheTest {
  private static final String STREAM =
      "CREATE TABLE r (id STRING, p AS PROCTIME()) WITH ('connector' = 'stream');\n";
  private static final String LOOK_UP =
      "SELECT r.id, t.v FROM r JOIN %s FOR SYSTEM_TIME AS OF r.p AS t ON r.id = t.id;\n";
  private static final String ANEW =
      "'lookup.cache' = 'FULL', 'lookup.full-cache.periodic-reload.interval' = '5 min'";

  private static String table(String connector, String options) {
    return "CREATE TABLE t (id STRING, v DOUBLE) WITH ('connector' = '%s'%s);\n"
        .formatted(connector, options.isEmpty() ? "" : ", " + options);
  }

  private static Optional<Duration> interval(String options) {
    return Run.compile(STREAM + table("memory", options) + LOOK_UP.formatted("t"))
        .sources()
        .get("t")
        .reloadInterval();
  }

  @Test
  void aTableSaysHowOftenItIsReadAnew() {
    assertThat(interval("")).isEmpty();
    assertThat(interval(ANEW)).contains(Duration.ofMinutes(5));
    assertThat(interval(ANEW + ", 'lookup.full-cache.reload-strategy' = 'periodic'"))
        .contains(Duration.ofMinutes(5));
    assertThat(
            PlanPrinter.print(Run.compile(STREAM + table("memory", ANEW) + LOOK_UP.formatted("t"))))
        .contains("is read anew every 5 min");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          'lookup.cache' = 'FULL'                                       | needs how old its rows may be
          'lookup.cache' = 'PARTIAL', 'lookup.full-cache.periodic-reload.interval' = '1 min' | 'lookup.cache' = 'PARTIAL' is not one of FULL
          'lookup.full-cache.periodic-reload.interval' = '1 min'        | is for a table that is kept whole
          'lookup.cache' = 'FULL', 'lookup.full-cache.periodic-reload.interval' = '9 ms' | is less than 1 s
          'lookup.cache' = 'FULL', 'lookup.full-cache.periodic-reload.interval' = 'often' | = 'often'
          'lookup.cache' = 'FULL', 'lookup.full-cache.periodic-reload.interval' = '1 min', 'keep' = '1 d' | cannot be used together with 'keep'
          'lookup.cache' = 'FULL', 'lookup.full-cache.periodic-reload.interval' = '1 min', 'lookup.full-cache.reload-strategy' = 'TIMED' | 'TIMED' is not one of PERIODIC
          """)
  void wrongOptionsAreSaid(String options, String problem) {
    assertThat(
            WrongScriptsTest.messages(STREAM + table("memory", options) + LOOK_UP.formatted("t")))
        .contains(problem);
  }

  @Test
  void aTableThatDoesNotEndIsNotReadAnew() {
    assertThat(WrongScriptsTest.messages(STREAM + table("stream", ANEW) + "SELECT id FROM t;"))
        .contains("is for a table that ends; this one does not");
  }

  @Test
  void whatOnlyReadingUsesIsSaidOfATableThatIsOnlyWritten() {
    String script =
        "CREATE TABLE u (id STRING) WITH ('connector' = 'memory', 'malformed.table' = 'x',"
            + " 'sedge.labels' = 'a=b');\nINSERT INTO u VALUES ('a');";
    assertThat(Run.compile(script).notes())
        .containsExactly(
            "table `u`: 'malformed.table' has no effect, as the job does not read the table");
  }

  @Test
  void whatIsMadeOfItsColumnsMayBeLookedUp() {
    String view = "CREATE VIEW w AS SELECT UPPER(id) AS id, v * 2 AS v FROM t WHERE v > 0;\n";
    assertThat(
            WrongScriptsTest.messages(
                STREAM + table("memory", ANEW) + view + LOOK_UP.formatted("w")))
        .isEqualTo("accepted");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          t | SELECT id, v FROM t;
          w | CREATE VIEW w AS SELECT id, SUM(v) AS v FROM t GROUP BY id;
          """)
  void aTableOfWhichMoreIsMadeIsNotReadAnew(String lookedUp, String more) {
    String script = STREAM + table("memory", ANEW) + more + "\n" + LOOK_UP.formatted(lookedUp);
    assertThat(WrongScriptsTest.messages(script))
        .contains("table `t`: 'lookup.cache' = 'FULL' is for a table that rows are only");
  }
}
