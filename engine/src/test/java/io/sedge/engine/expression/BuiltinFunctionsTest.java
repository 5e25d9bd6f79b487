package io.sedge.engine.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.expression.Expression.Call;
import io.sedge.engine.expression.Expression.Literal;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BuiltinFunctionsTest {
  private static final Instant NOW = Instant.parse("2024-05-06T22:08:09.123Z");
  private static final FunctionRegistry REGISTRY =
      BuiltinFunctions.registry(
          ZoneId.of("Europe/Berlin"), InstantSource.fixed(NOW), new Random(1));

  private static Column evaluate(String function, Type result, Expression... arguments) {
    return Evaluator.compile(new Call(function, List.of(arguments), result), REGISTRY)
        .evaluate(new Batch(3, List.of()));
  }

  @Test
  void theClockIsReadInTheZoneOfTheSession() {
    long micros = NOW.toEpochMilli() * 1_000;
    long twoHours = 2 * 3_600_000_000L;
    assertThat(evaluate("CURRENT_TIMESTAMP", Type.timestampLtz(3)).value(2)).isEqualTo(micros);
    assertThat(evaluate("LOCALTIMESTAMP", Type.timestamp(3)).value(0)).isEqualTo(micros + twoHours);
    assertThat(
            evaluate("CAST", Type.STRING, new Call("CURRENT_DATE", List.of(), Type.DATE)).value(0))
        .isEqualTo("2024-05-07");
    assertThat(evaluate("CAST", Type.STRING, new Call("LOCALTIME", List.of(), Type.TIME)).value(0))
        .isEqualTo("00:08:09");
    assertThat(evaluate("UNIX_TIMESTAMP", Type.BIGINT).value(0)).isEqualTo(NOW.getEpochSecond());
  }

  /** Flink's RAND with a seed is the sequence of java.util.Random. */
  @Test
  void aSeedGivesTheSequenceOfJavasRandom() {
    Random expected = new Random(42);
    Column column = evaluate("RAND", Type.DOUBLE, new Literal(42, Type.INT));
    assertThat(List.of(column.value(0), column.value(1), column.value(2)))
        .isEqualTo(List.of(expected.nextDouble(), expected.nextDouble(), expected.nextDouble()));
  }

  @Test
  void everyRowHasAnotherUuidOfVersionFour() {
    Column column = evaluate("UUID", Type.character(36));
    assertThat(column.value(0)).isNotEqualTo(column.value(1));
    assertThat((String) column.value(0))
        .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  }

  // None of these may write a hundred millions of zeros out.
  @Test
  void tinyAndHugeDecimalsCostNothing() {
    Type type = Type.decimal(6, 2);
    assertThat(evaluate("CAST", type, new Literal("1e-999999999", Type.STRING)).value(0))
        .isEqualTo(new BigDecimal("0.00"));
    for (String text : List.of("1e999999999", "1".repeat(1_000_000))) {
      assertThat(evaluate("TRY_CAST", type, new Literal(text, Type.STRING)).value(0)).isNull();
    }
    Literal far = new Literal(-2_000_000_000, Type.INT);
    assertThat(evaluate("ROUND", Type.BIGINT, new Literal(15L, Type.BIGINT), far).value(0))
        .isEqualTo(0L);
    assertThat(
            evaluate("ROUND", Type.BIGINT, new Literal(15L, Type.BIGINT), new Literal(-2, Type.INT))
                .value(0))
        .isEqualTo(0L);
    assertThat(
            evaluate("ROUND", Type.BIGINT, new Literal(55L, Type.BIGINT), new Literal(-2, Type.INT))
                .value(0))
        .isEqualTo(100L);
  }

  @Test
  void theNamesAreThoseThatCanBeFound() {
    assertThat(BuiltinFunctions.names())
        .hasSizeGreaterThan(180)
        .isSorted()
        .doesNotHaveDuplicates()
        .contains("UPPER", "CASE", "||", "JSON_VALUE", "TIMESTAMPDIFF", "IS NOT DISTINCT FROM");
  }
}
