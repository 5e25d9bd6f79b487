package io.sedge.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.FileAccess;
import io.sedge.learning.ModelProviders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a person is told of a wrong script, word for word. The cases are in {@code
 * wrong-scripts.txt}: a title after {@code ##}, the script, {@code --->}, the messages. Each script
 * begins at line 2, below a line that declares the tables.
 */
class WrongScriptsTest {
  private static final String TABLES =
      "CREATE TABLE readings (id STRING, v DOUBLE, n INT, d DECIMAL(10, 2), epoch BIGINT, ts"
          + " TIMESTAMP(3), wall TIMESTAMP(3), p AS PROCTIME(), WATERMARK FOR ts AS ts) WITH"
          + " ('connector' = 'stream'); CREATE TABLE results (id STRING, v DOUBLE) WITH"
          + " ('connector' = 'memory'); CREATE TABLE names (id STRING, name STRING) WITH"
          + " ('connector' = 'memory');\n";

  /** One wrong script. */
  record Case(String title, String script, String messages) {
    @Override
    public String toString() {
      return title;
    }
  }

  static Stream<Case> cases() throws IOException {
    try (InputStream input =
        Objects.requireNonNull(WrongScriptsTest.class.getResourceAsStream("wrong-scripts.txt"))) {
      String text = new String(input.readAllBytes(), StandardCharsets.UTF_8);
      List<Case> cases = new ArrayList<>();
      for (String part : text.split("(?m)^## ", -1)) {
        if (!part.isBlank()) {
          int title = part.indexOf('\n');
          int arrow = part.indexOf("--->");
          cases.add(
              new Case(
                  part.substring(0, title).strip(),
                  part.substring(title + 1, arrow).stripTrailing(),
                  part.substring(arrow + 4).strip()));
        }
      }
      return cases.stream();
    }
  }

  static String messages(String script) {
    return messages(script, Map.of("table.local-time-zone", "UTC"));
  }

  private static String messages(String script, Map<String, String> settings) {
    SqlCompiler compiler =
        new SqlCompiler(
            MemoryConnector.all(),
            Map.of(),
            ModelProviders.of(new SumProvider()),
            InstantSource.system(),
            FileAccess.EVERYTHING);
    try {
      compiler.compile("test.sql", TABLES + script, Path.of("."), settings);
      return "accepted";
    } catch (SqlException e) {
      return e.problems().stream().map(Problem::toString).collect(Collectors.joining("\n"));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void aWrongScriptIsAnsweredInWordsThatSayWhatToDo(Case wrong) {
    assertThat(messages(wrong.script())).isEqualTo(wrong.messages());
  }

  @Test
  void aTimeZoneThatChangesBetweenQueriesIsRefused() {
    String script =
        """
        SET 'table.local-time-zone' = 'UTC';
        SELECT HOUR(TO_TIMESTAMP_LTZ(epoch, 3)) FROM readings;
        SET 'table.local-time-zone' = 'Asia/Tokyo';
        """;
    assertThat(messages(script, Map.of())).isEqualTo("accepted");
    assertThat(messages(script + "SELECT id FROM readings;", Map.of()))
        .isEqualTo(
            "line 5:1: 'table.local-time-zone' is Asia/Tokyo here, and was UTC for the queries"
                + " before. Write: SET 'table.local-time-zone' once, before the first query, or a"
                + " script of its own for each zone");
  }

  @Test
  void thereAreAtLeastFortyOfThem() throws IOException {
    assertThat(cases()).hasSizeGreaterThanOrEqualTo(40);
  }

  @Test
  void noMessageShowsWhatIsInsideOfTheProgram() throws IOException {
    assertThat(cases().map(Case::messages))
        .allSatisfy(
            message ->
                assertThat(message)
                    .doesNotContain("Exception", "org.apache", "calcite", "Rex", "null."));
  }
}
