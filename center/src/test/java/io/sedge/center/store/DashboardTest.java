package io.sedge.center.store;

import static io.sedge.center.store.TestRows.WINDOWS;
import static io.sedge.center.store.TestRows.opening;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Grafana dashboard asks for what there is: metrics by their names, results by their SQL. */
class DashboardTest {
  private static final Path DASHBOARD = Path.of("..", "examples", "grafana", "center.json");
  private static final Path METRICS = Path.of("..", "docs", "center-api.md");
  private static final Pattern METRIC = Pattern.compile("\\b(sedge_center|jvm)_\\w+");

  private static JsonNode dashboard() throws Exception {
    return new ObjectMapper().readTree(DASHBOARD.toFile());
  }

  @Test
  void itsMetricsAreThoseOfTheCenter() throws Exception {
    Set<String> asked = new TreeSet<>();
    for (JsonNode expression : dashboard().findValues("expr")) {
      Matcher names = METRIC.matcher(expression.asText());
      assertThat(names.find()).as(expression.asText()).isTrue();
      names.reset().results().forEach(found -> asked.add(found.group()));
    }
    Set<String> known = new TreeSet<>();
    METRIC.matcher(Files.readString(METRICS)).results().forEach(found -> known.add(found.group()));
    assertThat(known).containsAll(asked);
    assertThat(asked).hasSizeGreaterThan(10);
  }

  @Test
  void itsQueriesAreAnswered(@TempDir Path directory) throws Exception {
    StoreOptions options = TestDatabase.POSTGRESQL.fresh(directory);
    try (Store store = Store.open(options, InstantSource.system(), _ -> {})) {
      store.sites().enrol("north", "ledger", "key");
      long stream = store.openStream("north", opening("windows", WINDOWS)).id();
      store.append("north", stream, List.of(TestRows.windows(1, 20))).get(1, TimeUnit.MINUTES);
      List<JsonNode> variables = dashboard().at("/templating/list").findParents("query");
      assertThat(variable(store, variables, "table", "")).isEqualTo("windows");
      assertThat(variable(store, variables, "time", "windows")).isEqualTo("window_end");
      assertThat(variable(store, variables, "value", "windows")).isEqualTo("average");
      List<JsonNode> queries = dashboard().findValues("rawSql");
      assertThat(queries).isNotEmpty();
      for (JsonNode query : queries) {
        String sql =
            query
                .asText()
                .replace("$__timeFilter(\"$time\")", "\"$time\" < '2000-01-01'")
                .replace("$table", "windows")
                .replace("$time", "window_end")
                .replace("$value", "average");
        assertThat(TestRows.ask(store, sql)).hasSize(20);
      }
    }
  }

  /** The first value that a variable of the dashboard offers. */
  private static Object variable(Store store, List<JsonNode> variables, String name, String table)
      throws Exception {
    for (JsonNode variable : variables) {
      if (variable.path("name").asText().equals(name)) {
        String sql = variable.path("query").asText().replace("$table", table);
        return TestRows.ask(store, sql).getFirst().getFirst();
      }
    }
    throw new AssertionError("the dashboard has no variable " + name);
  }
}
