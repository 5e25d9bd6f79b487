package io.sedge.engine.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.Column;
import io.sedge.engine.expression.Expression.Call;
import io.sedge.engine.expression.Expression.Input;
import io.sedge.engine.expression.Expression.Literal;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EvaluatorTest {
  private static final FunctionRegistry REGISTRY =
      BuiltinFunctions.registry(ZoneOffset.UTC, InstantSource.system());
  private static final Schema SCHEMA =
      Schema.builder()
          .add("a", Type.INT)
          .add("b", Type.INT)
          .add("d", Type.DOUBLE)
          .add("s", Type.STRING)
          .add("p", Type.BOOLEAN)
          .build();
  private static final Expression A = new Input(0, Type.INT);
  private static final Expression B = new Input(1, Type.INT);
  private static final Expression D = new Input(2, Type.DOUBLE);
  private static final Expression S = new Input(3, Type.STRING);
  private static final Expression P = new Input(4, Type.BOOLEAN);

  private static Batch batch() {
    return new BatchBuilder(SCHEMA)
        .addRow(6, 2, 1.5, "x", true)
        .addRow(6, 0, -1.0, "y", false)
        .addRow(null, 3, null, null, null)
        .addRow(7, null, 0.0, "x", true)
        .build();
  }

  private static Expression call(String name, Type type, Expression... arguments) {
    return new Call(name, List.of(arguments), type);
  }

  private static Expression is(String comparison, Expression left, Expression right) {
    return call(comparison, Type.BOOLEAN, left, right);
  }

  private static Literal literal(Object value, Type type) {
    return new Literal(value, type);
  }

  private static List<Object> values(Column column) {
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < column.size(); i++) {
      values.add(column.value(i));
    }
    return values;
  }

  private static List<Object> evaluate(Expression expression) {
    return values(Evaluator.compile(expression, REGISTRY).evaluate(batch()));
  }

  private static int[] select(Expression condition) {
    int[] rows = new int[4];
    int count = Evaluator.compile(condition, REGISTRY).select(batch(), rows);
    return Arrays.copyOf(rows, count);
  }

  private static Expression quotient() {
    return call("/", Type.INT, A, B);
  }

  @Test
  void aNullOperandMakesTheResultNull() {
    assertThat(evaluate(call("+", Type.INT, A, B))).containsExactly(8, 6, null, null);
  }

  @Test
  void integerDivisionByZeroFailsAndSaysWhatToDo() {
    assertThatThrownBy(() -> evaluate(quotient()))
        .isInstanceOf(EvaluationException.class)
        .hasMessage("division by zero: 6 / 0; guard it with NULLIF(divisor, 0) or CASE");
  }

  @Test
  void caseEvaluatesAValueOnlyForItsRows() {
    Expression guarded =
        call(
            "CASE", Type.INT, is("<>", B, literal(0, Type.INT)), quotient(), literal(-1, Type.INT));
    assertThat(evaluate(guarded)).containsExactly(3, -1, null, -1);
  }

  @Test
  void andEvaluatesItsSecondArgumentOnlyWhereTheFirstIsNotFalse() {
    Expression condition =
        call(
            "AND",
            Type.BOOLEAN,
            is("<>", B, literal(0, Type.INT)),
            is(">", quotient(), literal(2, Type.INT)));
    assertThat(evaluate(condition)).containsExactly(true, false, null, null);
    assertThat(select(condition)).containsExactly(0);
  }

  @Test
  void orEvaluatesItsSecondArgumentOnlyWhereTheFirstIsNotTrue() {
    Expression condition =
        call(
            "OR",
            Type.BOOLEAN,
            is("=", B, literal(0, Type.INT)),
            is(">", quotient(), literal(2, Type.INT)));
    assertThat(evaluate(condition)).containsExactly(true, true, null, null);
    assertThat(select(condition)).containsExactly(0, 1);
  }

  @Test
  void coalesceEvaluatesLaterArgumentsOnlyWhereEarlierOnesAreNull() {
    Expression nullWhereZero = call("NULLIF", Type.INT, B, literal(0, Type.INT));
    assertThat(evaluate(nullWhereZero)).containsExactly(2, null, 3, null);
    Expression condition = call("COALESCE", Type.INT, B, quotient(), literal(9, Type.INT));
    assertThat(evaluate(condition)).containsExactly(2, 0, 3, 9);
  }

  @Test
  void aConditionThatIsNullTakesElse() {
    Expression expression = call("IF", Type.STRING, P, S, literal("else", Type.STRING));
    assertThat(evaluate(expression)).containsExactly("x", "else", "else", "x");
  }

  @Test
  void aConstantPartThatFailsDoesSoOnlyForRowsThatNeedIt() {
    Expression failing = call("/", Type.INT, literal(1, Type.INT), literal(0, Type.INT));
    Expression never = call("CASE", Type.INT, is(">", A, literal(100, Type.INT)), failing, A);
    assertThat(evaluate(never)).containsExactly(6, 6, null, 7);
    assertThatThrownBy(() -> evaluate(call("+", Type.INT, A, failing)))
        .isInstanceOf(EvaluationException.class);
  }

  @Test
  void constantPartsAreEvaluatedOnceWhenCompiledAndEqualPartsOncePerBatch() {
    AtomicInteger calls = new AtomicInteger();
    FunctionRegistry counting =
        (name, arguments, result) ->
            name.equals("COUNTED")
                ? Optional.of(
                    (columns, rows) -> {
                      calls.incrementAndGet();
                      return columns.getFirst();
                    })
                : Optional.empty();
    Expression constant = call("COUNTED", Type.INT, literal(5, Type.INT));
    Evaluator folded = Evaluator.compile(constant, counting);
    int whenCompiled = calls.get();
    assertThat(values(folded.evaluate(batch()))).containsExactly(5, 5, 5, 5);
    assertThat(calls).hasValue(whenCompiled);

    Expression counted = call("COUNTED", Type.INT, A);
    Evaluator.Projection projection =
        Evaluator.compileAll(
            List.of(counted, call("+", Type.INT, counted, counted)), counting.or(REGISTRY));
    calls.set(0);
    List<Column> columns = projection.evaluate(batch());
    assertThat(values(columns.getLast())).containsExactly(12, 12, null, 14);
    assertThat(calls).hasValue(1);
  }

  @Test
  void aFunctionThatIsNotDeterministicIsCalledForEachUse() {
    AtomicInteger calls = new AtomicInteger();
    ScalarFunction next =
        new ScalarFunction() {
          @Override
          public Column apply(List<Column> arguments, int rows) {
            calls.incrementAndGet();
            return arguments.getFirst();
          }

          @Override
          public boolean isDeterministic() {
            return false;
          }
        };
    FunctionRegistry registry =
        (name, arguments, result) -> name.equals("NEXT") ? Optional.of(next) : Optional.empty();
    Expression use = call("NEXT", Type.INT, literal(1, Type.INT));
    Evaluator evaluator = Evaluator.compile(call("+", Type.INT, use, use), registry.or(REGISTRY));
    assertThat(calls).hasValue(0);
    evaluator.evaluate(batch());
    assertThat(calls).hasValue(2);
  }

  @Test
  void branchesOfStringsFromDifferentDictionariesComeTogether() {
    Expression expression =
        call(
            "CASE",
            Type.STRING,
            is("=", S, literal("y", Type.STRING)),
            literal("why", Type.STRING),
            call("IS NULL", Type.BOOLEAN, S),
            literal(null, Type.STRING),
            S);
    Evaluator evaluator = Evaluator.compile(expression, REGISTRY);
    assertThat(values(evaluator.evaluate(batch()))).containsExactly("x", "why", null, "x");
    assertThat(values(evaluator.evaluate(batch()))).containsExactly("x", "why", null, "x");
  }

  @Test
  void anUnknownFunctionIsNamedWithItsArguments() {
    assertThatThrownBy(() -> Evaluator.compile(call("NOPE", Type.INT, A, S), REGISTRY))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no function NOPE(INT, STRING) that returns INT");
  }

  /** The short ways of select must find what the value of the condition says, whatever the rows. */
  @Test
  void selectingFindsTheRowsWhoseValueIsTrue() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      Batch batch = randomBatch(random);
      Expression condition = randomCondition(random, 3);
      Evaluator evaluator = Evaluator.compile(condition, REGISTRY);
      int[] rows = new int[batch.rows()];
      int count = evaluator.select(batch, rows);
      List<Object> expected = new ArrayList<>();
      Column values = evaluator.evaluate(batch);
      for (int i = 0; i < batch.rows(); i++) {
        if (Boolean.TRUE.equals(values.value(i))) {
          expected.add(i);
        }
      }
      assertThat(Arrays.stream(rows, 0, count).boxed().toArray())
          .as("seed %d, round %d, %s", seed, round, condition)
          .containsExactlyElementsOf(expected);
    }
  }

  private static Batch randomBatch(Random random) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    int rows = random.nextInt(40);
    for (int i = 0; i < rows; i++) {
      builder.addRow(
          random.nextInt(5) == 0 ? null : random.nextInt(4),
          random.nextInt(5) == 0 ? null : random.nextInt(4),
          random.nextInt(5) == 0 ? null : random.nextInt(4) / 2.0,
          random.nextInt(5) == 0 ? null : "s" + random.nextInt(4),
          random.nextInt(5) == 0 ? null : random.nextBoolean());
    }
    return builder.build();
  }

  private static Expression randomCondition(Random random, int depth) {
    String sign = List.of("=", "<>", "<", "<=", ">", ">=").get(random.nextInt(6));
    return switch (random.nextInt(depth == 0 ? 5 : 9)) {
      case 0 -> is(sign, A, literal(random.nextInt(4), Type.INT));
      case 1 -> is(sign, literal(random.nextInt(4) / 2.0, Type.DOUBLE), D);
      case 2 -> is(sign, S, literal("s" + random.nextInt(4), Type.STRING));
      case 3 -> is(sign, A, B);
      case 4 -> P;
      case 5 -> call("NOT", Type.BOOLEAN, randomCondition(random, depth - 1));
      case 6 ->
          call(
              "OR",
              Type.BOOLEAN,
              randomCondition(random, depth - 1),
              randomCondition(random, depth - 1));
      default ->
          call(
              "AND",
              Type.BOOLEAN,
              randomCondition(random, depth - 1),
              randomCondition(random, depth - 1),
              is("<", call("CAST", Type.STRING, A), literal("2", Type.STRING)));
    };
  }
}
