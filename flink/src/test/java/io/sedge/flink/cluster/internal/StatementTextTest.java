package io.sedge.flink.cluster.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.sql.ScriptStatement;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines stay where they are, so that Flink's messages name those of the script. */
class StatementTextTest {
  private static final String TABLE =
      """
      CREATE TABLE t (a INT) WITH ( -- one
        'connector' = 'print', 'b' = 'it''s, one',
        -- a comment, with 'quotes'
        'c' = 'x'
        , 'd' = 'y' )\
      """;

  @ParameterizedTest
  @ValueSource(strings = {"b", "c", "d", "b d", "connector b c", "connector b c d"})
  void optionsAreLeftOut(String left) {
    ScriptStatement.Table table =
        (ScriptStatement.Table) ScriptStatement.of(TABLE + ";").getFirst();
    Set<String> keys = Set.of(left.split(" "));
    String text =
        StatementText.of(
            table.text(),
            table.options(),
            table.options().stream()
                .filter(option -> keys.contains(option.key()))
                .collect(Collectors.toSet()),
            Map.of());
    ScriptStatement.Table after = (ScriptStatement.Table) ScriptStatement.of(text).getFirst();
    assertThat(after.options().stream().map(ScriptStatement.Option::key))
        .containsExactlyElementsOf(
            table.options().stream()
                .map(ScriptStatement.Option::key)
                .filter(key -> !keys.contains(key))
                .toList());
    assertThat(text.lines().count()).isEqualTo(TABLE.lines().count());
    assertThat(
            after.options().stream()
                .filter(option -> option.key().equals("d"))
                .map(ScriptStatement.Option::line))
        .allMatch(line -> line == 5);
  }
}
