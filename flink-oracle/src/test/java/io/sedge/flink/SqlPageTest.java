package io.sedge.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/sql.md promises is asked of both engines: the page is the list. */
final class SqlPageTest {
  private final SqlPage page;

  SqlPageTest() throws IOException {
    page = new SqlPage();
  }

  @Test
  void everyFunctionHasACase() throws IOException {
    List<String> texts = new ArrayList<>(queries());
    texts.addAll(Expressions.marked(""));
    assertThat(page.functions()).hasSizeGreaterThan(180);
    assertThat(without(page.functions(), texts))
        .as("functions of the page without a case")
        .isEmpty();
  }

  @Test
  void everyKindOfQueryHasACase() throws IOException {
    assertThat(page.constructs("Queries")).hasSizeGreaterThan(20);
    assertThat(without(page.constructs("Queries"), queries()))
        .as("queries of the page without a case")
        .isEmpty();
  }

  @Test
  void everyStatementIsInAScript() throws IOException {
    List<String> scripts = List.of(Case.text("/statements.sql"), Case.text("/tables.sql"));
    assertThat(page.constructs("Statements")).hasSizeGreaterThan(8);
    assertThat(without(page.constructs("Statements"), scripts))
        .as("statements of the page that no script has")
        .isEmpty();
  }

  /** The cases that both engines answer. */
  private static List<String> queries() throws IOException {
    return Stream.of("/cases/queries.sql", "/cases/windows.sql")
        .flatMap(SqlPageTest::cases)
        .filter(each -> each.refused().isEmpty())
        .map(each -> each.statements() + each.query())
        .toList();
  }

  private static Stream<Case> cases(String resource) {
    try {
      return Case.read(resource).stream();
    } catch (IOException e) {
      throw new AssertionError(resource, e);
    }
  }

  private static List<String> without(List<String> code, List<String> texts) {
    return code.stream()
        .filter(each -> texts.stream().noneMatch(SqlPage.pattern(each).asPredicate()))
        .toList();
  }

  @Test
  void whatTheScriptOfStatementsWritesIsWhatFlinkSelects(@TempDir Path directory) throws Exception {
    try (Flink flink = new Flink()) {
      Oracle oracle = new Oracle(flink, directory, 1);
      String script = oracle.located(Case.text("/statements.sql"));
      assertThat(oracle.sedge(script, "SELECT sensor FROM nothing"))
          .isEqualTo(new Answer.Rows(List.of()));
      Map<String, String> selects =
          Map.of(
              "out_rows",
              "SELECT sensor, v / 2 FROM patient WHERE v > 10",
              "out_constants",
              "SELECT * FROM (VALUES ('a', CAST(1.5 AS DOUBLE)), ('b', CAST(NULL AS DOUBLE)), ('c',"
                  + " CAST(2.5 AS DOUBLE)), ('d', CAST(3.5 AS DOUBLE)), ('e', CAST(4.5 AS DOUBLE)))"
                  + " UNION ALL SELECT sensor, v FROM patient WHERE v > 200",
              "out_counts",
              "SELECT zone, window_start, COUNT(*) FROM TABLE(TUMBLE(TABLE patient, DESCRIPTOR(ts),"
                  + " INTERVAL '20' SECOND)) GROUP BY zone, window_start, window_end");
      String tables = script.substring(0, script.indexOf("INSERT INTO"));
      for (Map.Entry<String, String> select : selects.entrySet()) {
        Answer flinks = oracle.flink("", List.of(select.getValue())).getFirst();
        Answer sedges = oracle.sedge(tables, "SELECT * FROM " + select.getKey());
        assertThat(flinks).isInstanceOf(Answer.Rows.class);
        assertThat(Answer.differences(flinks, sedges, false, -1)).as(select.getKey()).isEmpty();
      }
    }
  }
}
