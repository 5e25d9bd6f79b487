package io.sedge.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One script for several brokers and plants, without a way to change what it means. */
class ScriptVariablesTest {
  private static final Map<String, String> VALUES =
      Map.of("BROKER", "mqtt://b:1", "QUOTE", "O'Brien", "EMPTY", "", "LINES", "a\nb");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          'url' = '${BROKER}'              | 'url' = 'mqtt://b:1'
          'url' = '${BROKER:-mqtt://c}/x'  | 'url' = 'mqtt://b:1/x'
          'url' = '${OTHER:-mqtt://c:2}'   | 'url' = 'mqtt://c:2'
          '${EMPTY:-given}'                | 'given'
          '${OTHER:-}'                     | ''
          '${QUOTE}'                       | 'O''Brien'
          'it''s ${BROKER}'                | 'it''s mqtt://b:1'
          '${BROKER}${BROKER}'             | 'mqtt://b:1mqtt://b:1'
          '$${BROKER}'                     | '${BROKER}'
          '${secret:mqtt}'                 | '${secret:mqtt}'
          'a$1 $ {x} 5$'                   | 'a$1 $ {x} 5$'
          ${BROKER} `${BROKER}`            | ${BROKER} `${BROKER}`
          -- it's '${NONE}'                | -- it's '${NONE}'
          /* '${NONE}' */ '${BROKER}'      | /* '${NONE}' */ 'mqtt://b:1'
          """)
  void aVariableInAStringHasItsValue(String script, String resolved) throws SqlException {
    assertThat(resolve(script).text()).isEqualTo(resolved);
  }

  @Test
  void namesAreThoseThatOccur() throws SqlException {
    assertThat(resolve("'${BROKER}' -- '${NONE}'\n'${OTHER:-x}'").names())
        .containsExactlyInAnyOrder("BROKER", "OTHER");
  }

  @Test
  void whatCannotBeResolvedIsAProblemAtItsPlace() {
    assertThatThrownBy(() -> resolve("SELECT 1;\n  'a${HOST}' '${1x}'\n'${LINES}'"))
        .isInstanceOf(SqlException.class)
        .hasMessage(
            """
            line 2:5: the variable HOST has no value. Write: ${HOST:-default}, or give it with --var HOST=VALUE or in the environment
            line 2:15: '${1x}' is not the name of a variable: letters, digits and _ make one. Write: $${1x} where no variable is meant
            line 3:2: the value of the variable LINES has control characters, such as a line's end. Write: a value of one line\
            """);
  }

  private static ScriptVariables.Resolved resolve(String script) throws SqlException {
    return ScriptVariables.resolve(script, name -> Optional.ofNullable(VALUES.get(name)));
  }
}
