package io.sedge.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The functions and operators that are accepted, with the type and the value that each gives for
 * one row. What Flink gives for them is held by the oracle; here it shows when one is lost or
 * changes.
 */
class ExpressionsTest {
  private static final String TABLE =
      """
      CREATE TABLE t (
        id STRING, n INT, v DOUBLE, d DECIMAL(10, 2), epoch BIGINT, ts TIMESTAMP(3),
        wall TIMESTAMP(3), r ROW<a INT, b STRING>, arr ARRAY<INT>
      ) WITH ('connector' = 'memory');
      """;

  static Stream<String> expressions() throws IOException {
    try (InputStream input =
        Objects.requireNonNull(ExpressionsTest.class.getResourceAsStream("expressions.txt"))) {
      return new String(input.readAllBytes(), StandardCharsets.UTF_8)
          .lines().filter(line -> !line.isBlank()).toList().stream();
    }
  }

  private static String evaluated(String expression) {
    String script = TABLE + "SELECT " + expression + " AS x FROM t";
    String type = Run.compile(script).sinks().get("query-1").table().schema().type(0).toString();
    String value =
        new Run()
            .row(
                "t",
                "abc",
                7,
                2.5,
                new BigDecimal("12.34"),
                1_700_000_000L,
                1_700_000_000_123_000L,
                1_700_003_600_000_000L,
                List.of(5, "q"),
                List.of(1, 2, 3))
            .rows(script)
            .getFirst();
    return "%s -> %s = [%s]".formatted(expression, type, value);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("expressions")
  void anExpressionHasItsTypeAndValue(String line) {
    String expression = line.substring(0, line.lastIndexOf(" -> "));
    assertThat(evaluated(expression)).isEqualTo(line);
  }

  @Test
  void thereAreMoreThanAHundredAndFiftyOfThem() throws IOException {
    assertThat(expressions()).hasSizeGreaterThan(150);
  }
}
