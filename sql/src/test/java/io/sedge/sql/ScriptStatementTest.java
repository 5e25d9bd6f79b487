package io.sedge.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Places in a script are what another engine's refusal is told with. */
class ScriptStatementTest {
  private static final String SCRIPT =
      """
      -- a comment; no statement
      SET 'a' =
        'b';  CREATE TABLE t (x INT) WITH ('connector' = 'print', -- one
        'k' = 'it''s');
      CREATE TABLE u WITH ('l' = '1') LIKE t;
      CREATE TEMPORARY FUNCTION f AS 'my.F' USING JAR 'a.jar', JAR 'b.jar';
      CREATE VIEW v AS SELECT f(x) AS y FROM t;
      EXECUTE STATEMENT SET BEGIN
        INSERT INTO t SELECT UPPER('a;b') FROM v; -- END;
      INSERT INTO t
        VALUES (1), (CASE WHEN TRUE THEN 2 END);
      END;
      BEGIN STATEMENT SET;
      INSERT INTO t SELECT 3;
      END;
      EXECUTE INSERT INTO t SELECT 4;
      RESET 'a'; RESET;
      DROP TABLE t;
      SELECT 1;
      """;

  @Test
  void statementsAreToldWithTheirPlaces() {
    List<ScriptStatement> statements = ScriptStatement.of(SCRIPT);
    assertThat(statements.stream().map(each -> each.line() + ":" + each.column()))
        .containsExactly(
            "2:1", "3:9", "5:1", "6:1", "7:1", "9:3", "10:1", "14:1", "16:9", "17:1", "17:12",
            "18:1", "19:1");
    for (ScriptStatement statement : statements) {
      String line = SCRIPT.lines().toList().get(statement.line() - 1);
      assertThat(line.substring(statement.column() - 1))
          .startsWith(statement.text().lines().findFirst().orElseThrow());
    }
  }

  @Test
  void aByteOrderMarkChangesNothing() {
    assertThat(ScriptStatement.of("\uFEFFSET 'a' = 'b'; " + SCRIPT))
        .isEqualTo(ScriptStatement.of("SET 'a' = 'b'; " + SCRIPT));
  }

  @Test
  void aSettingKnowsWhereItsKeyIs() {
    assertThat(ScriptStatement.of(SCRIPT).getFirst())
        .isEqualTo(new ScriptStatement.Setting("SET 'a' =\n  'b'", 2, 1, 2, 5, "a", "b"));
  }

  @Test
  void anOptionKnowsWhereItIsInTheTextOfItsTable() {
    ScriptStatement.Table table = (ScriptStatement.Table) ScriptStatement.of(SCRIPT).get(1);
    assertThat(table.options().stream().map(ScriptStatement.Option::value))
        .containsExactly("print", "it's");
    assertThat(
            table.options().stream()
                .map(option -> table.text().substring(option.begin(), option.end())))
        .containsExactly("'connector' = 'print'", "'k' = 'it''s'");
    assertThat(table.options().getLast().line()).isEqualTo(4);
    assertThat(table.options().getLast().column()).isEqualTo(3);
    ScriptStatement.Table like = (ScriptStatement.Table) ScriptStatement.of(SCRIPT).get(2);
    assertThat(like.like()).isEqualTo(Optional.of("t"));
  }

  @Test
  void insertsOfASetHaveTextsOfTheirOwn() {
    assertThat(
            ScriptStatement.of(SCRIPT).stream()
                .filter(ScriptStatement.Insert.class::isInstance)
                .map(ScriptStatement::text))
        .containsExactly(
            "INSERT INTO t SELECT UPPER('a;b') FROM v",
            "INSERT INTO t\n  VALUES (1), (CASE WHEN TRUE THEN 2 END)",
            "INSERT INTO t SELECT 3",
            "INSERT INTO t SELECT 4");
  }

  @Test
  void aLetterThatGrowsInUpperCaseMovesNothing() {
    assertThat(
            ScriptStatement.of(
                    "EXECUTE STATEMENT SET BEGIN -- größer\nINSERT INTO t SELECT 'ß';\nEND;")
                .getFirst()
                .text())
        .isEqualTo("INSERT INTO t SELECT 'ß'");
  }

  @Test
  void aFunctionHasItsClassAndJars() {
    ScriptStatement.Function function =
        (ScriptStatement.Function) ScriptStatement.of(SCRIPT).get(3);
    assertThat(function.className()).isEqualTo("my.F");
    assertThat(function.jars()).containsExactly("a.jar", "b.jar");
  }

  @Test
  void callsAreToldWithTheirPlaces() {
    ScriptStatement.View view = (ScriptStatement.View) ScriptStatement.of(SCRIPT).get(4);
    assertThat(view.calls()).contains(new ScriptStatement.Call("F", 7, 25));
  }

  @Test
  void whatCannotBeParsedIsRefused() {
    assertThatThrownBy(() -> ScriptStatement.of("SELECT 1;\nSELEKT"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("line 2");
  }
}
