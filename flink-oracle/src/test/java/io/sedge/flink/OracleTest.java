package io.sedge.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.sql.Problem;
import io.sedge.sql.SqlException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;

/**
 * The same queries on Flink and on Sedge give the same rows. {@code -Dsedge.seed=N} repeats a run,
 * {@code -Dsedge.queries=N} sets how many random queries are asked.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class OracleTest {
  private static final int EXPRESSIONS_PER_QUERY = 12;
  private static final int DEFAULT_QUERIES = 40;

  private final long seed = Long.getLong("sedge.seed", new SplittableRandom().nextLong() >>> 16);
  private Oracle oracle;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    System.out.println("-Dsedge.seed=" + seed);
    oracle = new Oracle(directory, seed);
  }

  @AfterAll
  void stop() {
    oracle.close();
  }

  @TestFactory
  Stream<DynamicTest> everyKindOfWindowGivesTheSameRows() throws IOException {
    return cases("/cases/windows.sql");
  }

  @TestFactory
  Stream<DynamicTest> everyKindOfQueryGivesTheSameRows() throws IOException {
    return cases("/cases/queries.sql");
  }

  private Stream<DynamicTest> cases(String resource) throws IOException {
    return Case.read(resource).stream()
        .map(each -> DynamicTest.dynamicTest(each.name(), () -> check(each)));
  }

  private void check(Case each) throws Exception {
    if (each.refused().isEmpty()) {
      assertThat(oracle.differences(each.query(), each.batch()))
          .as("seed %d, %s", seed, each.query())
          .isEmpty();
      return;
    }
    assertThatThrownBy(() -> oracle.sedge(each.query()))
        .isInstanceOfSatisfying(
            SqlException.class,
            refusal ->
                assertThat(refusal.problems())
                    .as("problems with a remedy")
                    .isNotEmpty()
                    .allMatch(problem -> problem.remedy().isPresent())
                    .extracting(Problem::line)
                    .allMatch(line -> line > 0));
  }

  /** Many expressions are asked in one query; where that differs or fails, each is asked alone. */
  @TestFactory
  Stream<DynamicTest> everyExpressionGivesTheSameValues() throws IOException {
    List<String> expressions =
        Case.lines("/cases/functions.txt").stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#") && !line.startsWith("!"))
            .toList();
    List<DynamicTest> tests = new ArrayList<>();
    for (int from = 0; from < expressions.size(); from += EXPRESSIONS_PER_QUERY) {
      List<String> some =
          expressions.subList(from, Math.min(from + EXPRESSIONS_PER_QUERY, expressions.size()));
      tests.add(DynamicTest.dynamicTest(some.getFirst() + " …", () -> checkExpressions(some)));
    }
    return tests.stream();
  }

  private void checkExpressions(List<String> expressions) throws Exception {
    try {
      if (oracle.differences(select(expressions), false).isEmpty()) {
        return;
      }
    } catch (Flink.FlinkFailure | SqlException e) {
      // Which of them it is, and what the other engine says to it, is found out below.
    }
    List<String> failures = new ArrayList<>();
    for (String expression : expressions) {
      try {
        List<String> differences = oracle.differences(select(List.of(expression)), false);
        if (!differences.isEmpty()) {
          failures.add(expression + "\n  " + String.join("\n  ", differences));
        }
      } catch (Flink.FlinkFailure | SqlException e) {
        failures.add(expression + "\n  " + e);
      }
    }
    if (!failures.isEmpty()) {
      throw new AssertionFailedError(String.join("\n", failures));
    }
  }

  @TestFactory
  Stream<DynamicTest> whatFailsOnFlinkFailsOnSedge() throws IOException {
    return Case.lines("/cases/functions.txt").stream()
        .filter(line -> line.startsWith("!"))
        .map(line -> line.substring(1))
        .map(
            expression ->
                DynamicTest.dynamicTest(
                    expression,
                    () -> {
                      String query = select(List.of(expression));
                      assertThatThrownBy(() -> oracle.flink(query, false))
                          .isInstanceOf(Flink.FlinkFailure.class);
                      assertThatThrownBy(() -> oracle.sedge(query))
                          .isInstanceOf(io.sedge.site.JobException.class);
                    }));
  }

  private static String select(List<String> expressions) {
    StringBuilder query = new StringBuilder("SELECT id");
    for (int i = 0; i < expressions.size(); i++) {
      query.append(", ").append(expressions.get(i)).append(" AS e").append(i);
    }
    return query.append(" FROM edges").toString();
  }

  @Test
  @Tag("long")
  void randomQueriesGiveTheSameRows() throws Exception {
    RandomQueries queries = new RandomQueries(seed);
    int count = Integer.getInteger("sedge.queries", DEFAULT_QUERIES);
    List<String> failures = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String query = queries.next();
      try {
        List<String> differences = oracle.differences(query, false);
        if (!differences.isEmpty()) {
          failures.add(query + "\n  " + String.join("\n  ", differences));
        }
      } catch (Flink.FlinkFailure | SqlException e) {
        failures.add(query + "\n  " + e);
      }
    }
    assertThat(failures).as("seed %d", seed).isEmpty();
  }
}
