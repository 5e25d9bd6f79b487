package io.sedge.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sedge.engine.aggregate.Accumulators;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Type;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Metrics against hand-made ones and the plain formulas over all rows; parts; state. */
class EvaluationTest {

  /** A label and a score. */
  private record Pair(@Nullable Object label, @Nullable Object score) {}

  private static Accumulators empty(Evaluation evaluation, Type type) {
    Accumulators errors =
        Evaluation.registry().find(evaluation.call(List.of(type, type), "v")).orElseThrow().get();
    errors.ensureSlots(1);
    return errors;
  }

  private static void add(Accumulators errors, Type type, List<Pair> pairs) {
    ColumnBuilder labels = ColumnBuilder.of(type);
    ColumnBuilder scores = ColumnBuilder.of(type);
    pairs.forEach(pair -> labels.add(pair.label()));
    pairs.forEach(pair -> scores.add(pair.score()));
    List<Column> columns = List.of(labels.build(), scores.build());
    int[] rows = IntStream.range(0, pairs.size()).toArray();
    errors.add(rows, new int[pairs.size()], pairs.size(), columns);
  }

  private static Map<String, @Nullable Object> result(Evaluation evaluation, Accumulators errors) {
    return result(evaluation, errors, 0);
  }

  private static Map<String, @Nullable Object> result(
      Evaluation evaluation, Accumulators errors, int slot) {
    ColumnBuilder output = ColumnBuilder.of(evaluation.type());
    errors.result(slot, output);
    List<?> values = (List<?>) output.build().value(0);
    Map<String, @Nullable Object> result = new HashMap<>();
    for (int i = 0; i < evaluation.metrics().size(); i++) {
      result.put(evaluation.metrics().get(i), values.get(i));
    }
    return result;
  }

  private static Map<String, @Nullable Object> result(
      Evaluation evaluation, Type type, List<Pair> pairs) {
    Accumulators errors = empty(evaluation, type);
    add(errors, type, pairs);
    return result(evaluation, errors);
  }

  private static byte[] bytes(Accumulators errors) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    errors.write(0, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static Accumulators restored(Evaluation evaluation, Type type, byte[] state)
      throws IOException {
    Accumulators errors = empty(evaluation, type);
    DataInputStream input = new DataInputStream(new ByteArrayInputStream(state));
    errors.read(0, input);
    assertThat(input.available()).isZero();
    return errors;
  }

  private static double number(Map<String, @Nullable Object> result, String metric) {
    return (double) Objects.requireNonNull(result.get(metric), metric);
  }

  /** Worked by hand: errors 1, 0, 2; labels 1, 2, 4 with mean 7/3. */
  @Test
  void regressionByHand() {
    Map<String, @Nullable Object> result =
        result(
            Evaluation.REGRESSION,
            Type.DOUBLE,
            List.of(new Pair(1.0, 2.0), new Pair(2.0, 2.0), new Pair(4.0, 2.0)));
    assertThat(number(result, "MAE")).isEqualTo(1);
    assertThat(number(result, "MSE")).isCloseTo(5.0 / 3, within(1e-15));
    assertThat(number(result, "RMSE")).isCloseTo(Math.sqrt(5.0 / 3), within(1e-15));
    assertThat(number(result, "MAPE")).isEqualTo(0.5);
    assertThat(number(result, "R²")).isCloseTo(1 - 5 / (14.0 / 3), within(1e-15));
    assertThat(result).containsEntry("Rows", 3.0).containsEntry("Left Out", 0.0);
  }

  @Test
  void rowsWithoutANumberAreLeftOutAndMetricsThatAreNotDefinedAreNull() {
    List<Pair> useless =
        Arrays.asList(
            new Pair(null, 1.0),
            new Pair(1.0, null),
            new Pair(Double.NaN, 1.0),
            new Pair(1.0, Double.NEGATIVE_INFINITY),
            new Pair(2e100, 1.0));
    Map<String, @Nullable Object> nothing = result(Evaluation.REGRESSION, Type.DOUBLE, useless);
    assertThat(nothing).containsEntry("Rows", 0.0).containsEntry("Left Out", 5.0);
    for (String metric : List.of("MAE", "MSE", "RMSE", "MAPE", "R²")) {
      assertThat(nothing).containsEntry(metric, null);
    }
    List<Pair> zeros = new ArrayList<>(useless);
    zeros.add(new Pair(0.0, 3.0));
    assertThat(result(Evaluation.REGRESSION, Type.DOUBLE, zeros))
        .containsEntry("MAE", 3.0)
        .containsEntry("MAPE", null)
        .containsEntry("R²", null)
        .containsEntry("Rows", 1.0);
  }

  /** 1e-310 is a sensor's 0: one such row must not take MAPE from all that follow. */
  @Test
  void aLabelNextToZeroDoesNotCountForTheRelativeError() {
    Accumulators errors = empty(Evaluation.REGRESSION, Type.DOUBLE);
    add(errors, Type.DOUBLE, List.of(new Pair(1e-310, 1.0), new Pair(2.0, 3.0)));
    assertThat(result(Evaluation.REGRESSION, errors))
        .containsEntry("MAPE", 0.5)
        .containsEntry("MAE", 1.0)
        .containsEntry("Rows", 2.0);
    Accumulators others = empty(Evaluation.REGRESSION, Type.DOUBLE);
    add(others, Type.DOUBLE, List.of(new Pair(1.0, 2.0), new Pair(0.0, 1.0)));
    others.merge(0, errors, 0);
    assertThat(result(Evaluation.REGRESSION, others))
        .containsEntry("MAPE", 0.75)
        .containsEntry("Rows", 4.0);
  }

  /** Flink's own rows (its MLEvaluateTestPrograms): a model that says positive of all. */
  @Test
  void classesAsFlinkCountsThem() {
    List<Pair> pairs = new ArrayList<>();
    double[][] expected = {
      {1, 1, 1, 1},
      {0.5, 0.25, 0.5, 1.0 / 3},
      {2.0 / 3, 1.0 / 3, 0.5, 0.4},
      {0.5, 0.25, 0.5, 1.0 / 3}
    };
    for (int i = 0; i < expected.length; i++) {
      pairs.add(new Pair(i % 2 == 0 ? "positive" : "negative", "positive"));
      Map<String, @Nullable Object> result = result(Evaluation.CLASSIFICATION, Type.STRING, pairs);
      List<String> metrics = List.of("Accuracy", "Precision", "Recall", "F1");
      for (int metric = 0; metric < metrics.size(); metric++) {
        assertThat(number(result, metrics.get(metric)))
            .isCloseTo(expected[i][metric], within(1e-15));
      }
    }
  }

  /** By hand: 3 of 4 alarms are right, 3 of 5 failures are found, 6 of 9 rows are right. */
  @Test
  void ofAProbabilityTheMetricsAreThoseOfClassOne() {
    List<Pair> pairs =
        Arrays.asList(
            new Pair(1.0, 0.9),
            new Pair(1.0, 0.5),
            new Pair(1.0, 1.0),
            new Pair(0.0, 0.7),
            new Pair(1.0, 0.49),
            new Pair(1.0, 0.0),
            new Pair(0.0, 0.1),
            new Pair(0.0, 0.2),
            new Pair(0.0, 0.0),
            new Pair(2.0, 0.5), // Left out, as all that follow.
            new Pair(1.0, 1.5),
            new Pair(1.0, -0.1),
            new Pair(1.0, Double.NaN),
            new Pair(null, 0.5));
    Map<String, @Nullable Object> result = result(Evaluation.CLASSIFICATION, Type.DOUBLE, pairs);
    assertThat(number(result, "Accuracy")).isCloseTo(6.0 / 9, within(1e-15));
    assertThat(number(result, "Precision")).isEqualTo(0.75);
    assertThat(number(result, "Recall")).isEqualTo(0.6);
    assertThat(number(result, "F1")).isCloseTo(2 * 0.75 * 0.6 / 1.35, within(1e-15));
    assertThat(result).containsEntry("Rows", 9.0).containsEntry("Left Out", 5.0);
    List<Pair> same =
        pairs.subList(0, 9).stream()
            .map(pair -> new Pair(number(pair.label()) == 1, number(pair.score()) >= 0.5))
            .toList();
    Map<String, @Nullable Object> booleans = result(Evaluation.CLASSIFICATION, Type.BOOLEAN, same);
    result.put("Left Out", 0.0);
    assertThat(booleans).isEqualTo(result);
  }

  /** A forest's mean of FLOATs is 1.0000001 where all trees are sure. */
  @Test
  void aProbabilityMayBeRoundedBeyondOne() {
    Map<String, @Nullable Object> doubles =
        result(
            Evaluation.CLASSIFICATION,
            Type.DOUBLE,
            List.of(
                new Pair(1.0, 1.0000001),
                new Pair(0.0, -1e-8),
                new Pair(1.0, 1.000002),
                new Pair(0.0, -2e-6)));
    assertThat(doubles).containsEntry("Accuracy", 1.0).containsEntry("Precision", 1.0);
    assertThat(doubles).containsEntry("Rows", 2.0).containsEntry("Left Out", 2.0);
    Map<String, @Nullable Object> floats =
        result(
            Evaluation.CLASSIFICATION,
            Type.FLOAT,
            List.of(
                new Pair(1f, 1.0000001f),
                new Pair(0f, -1e-8f),
                new Pair(1f, 1.000002f),
                new Pair(0f, -2e-6f)));
    assertThat(floats).isEqualTo(doubles);
  }

  private static double number(@Nullable Object value) {
    return (double) Objects.requireNonNull(value);
  }

  private static List<Pair> numbers(Random random, double level) {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      double label = level + random.nextGaussian();
      pairs.add(
          random.nextInt(20) == 0
              ? new Pair(null, label)
              : new Pair(label, label + random.nextGaussian() / 3));
    }
    return pairs;
  }

  /** Where labels are far from 0 the textbook's sum of squares has no digit that is right. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 1e3, 1e8})
  void regressionIsAsThePlainFormulasAndInParts(double level) throws IOException {
    long seed = 20_261_128;
    System.out.printf("seed %d, level %s%n", seed, level);
    List<Pair> pairs = numbers(new Random(seed), level);
    Map<String, @Nullable Object> result =
        apart(Evaluation.REGRESSION, Type.DOUBLE, pairs, new Random(seed));
    List<Pair> whole = pairs.stream().filter(pair -> pair.label() != null).toList();
    double[] labels = whole.stream().mapToDouble(pair -> number(pair.label())).toArray();
    double[] errors =
        whole.stream().mapToDouble(pair -> number(pair.label()) - number(pair.score())).toArray();
    double mse = Arrays.stream(errors).map(error -> error * error).average().orElseThrow();
    double shifted = Arrays.stream(labels).map(label -> label - level).average().orElseThrow();
    double variance =
        Arrays.stream(labels)
            .map(label -> Math.pow(label - level - shifted, 2))
            .average()
            .orElseThrow();
    assertThat(number(result, "MAE"))
        .isCloseTo(Arrays.stream(errors).map(Math::abs).average().orElseThrow(), within(1e-12));
    assertThat(number(result, "MSE")).isCloseTo(mse, within(1e-12));
    assertThat(number(result, "RMSE")).isCloseTo(Math.sqrt(mse), within(1e-12));
    assertThat(number(result, "MAPE"))
        .isCloseTo(
            IntStream.range(0, labels.length)
                .mapToDouble(i -> Math.abs(errors[i] / labels[i]))
                .average()
                .orElseThrow(),
            within(1e-12));
    assertThat(number(result, "R²")).isCloseTo(1 - mse / variance, within(1e-7));
    assertThat(number(result, "Rows")).isEqualTo(labels.length);
    assertThat(number(result, "Left Out")).isEqualTo(pairs.size() - labels.length);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 60})
  void classesAreAsThePlainFormulasAndInParts(int classes) throws IOException {
    long seed = 20_261_128L + classes;
    System.out.printf("seed %d%n", seed);
    Random random = new Random(seed);
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      long label = random.nextInt(classes);
      pairs.add(new Pair(label, random.nextBoolean() ? label : (long) random.nextInt(classes + 1)));
    }
    Map<String, @Nullable Object> result =
        apart(Evaluation.CLASSIFICATION, Type.BIGINT, pairs, random);
    TreeSet<Object> all = new TreeSet<>();
    pairs.forEach(pair -> all.addAll(List.of(pair.label(), pair.score())));
    double precision = 0;
    double recall = 0;
    double f1 = 0;
    for (Object each : all) {
      double labelled = pairs.stream().filter(pair -> each.equals(pair.label())).count();
      double said = pairs.stream().filter(pair -> each.equals(pair.score())).count();
      double right = pairs.stream().filter(pair -> pair.equals(new Pair(each, each))).count();
      double p = said == 0 ? 0 : right / said;
      double r = labelled == 0 ? 0 : right / labelled;
      precision += p / all.size();
      recall += r / all.size();
      f1 += right == 0 ? 0 : 2 * p * r / (p + r) / all.size();
    }
    double right = pairs.stream().filter(pair -> pair.label().equals(pair.score())).count();
    assertThat(number(result, "Accuracy")).isEqualTo(right / pairs.size());
    assertThat(number(result, "Precision")).isCloseTo(precision, within(1e-12));
    assertThat(number(result, "Recall")).isCloseTo(recall, within(1e-12));
    assertThat(number(result, "F1")).isCloseTo(f1, within(1e-12));
  }

  /** Of more classes only the accuracy is known, however rows are divided. */
  @Test
  void ofTooManyClassesOnlyTheAccuracyIsKnown() throws IOException {
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < 1_001; i++) {
      pairs.add(new Pair("c" + i, "c" + i / 2 * 2));
    }
    Map<String, @Nullable Object> most =
        apart(Evaluation.CLASSIFICATION, Type.STRING, pairs.subList(0, 1_000), new Random(1));
    assertThat(most).containsEntry("Accuracy", 0.5);
    assertThat(number(most, "Precision")).isCloseTo(0.25, within(1e-12));
    Map<String, @Nullable Object> many =
        apart(Evaluation.CLASSIFICATION, Type.STRING, pairs, new Random(1));
    assertThat(many).containsEntry("Accuracy", 501.0 / 1_001);
    assertThat(many).containsEntry("Precision", null).containsEntry("F1", null);
  }

  /** Of text that is no class the state would grow by each row's length. */
  @Test
  void ofTooLongNamesOnlyTheAccuracyIsKnown() throws IOException {
    String half = "é".repeat(16_384);
    List<Pair> most =
        List.of(
            new Pair(half, half),
            new Pair("a".repeat(32_767), half),
            new Pair("b", "b"),
            new Pair(half, "b"));
    assertThat(apart(Evaluation.CLASSIFICATION, Type.STRING, most, new Random(1)))
        .containsEntry("Accuracy", 0.5)
        .doesNotContainEntry("F1", null);
    for (int i = 0; i <= most.size(); i++) {
      List<Pair> more = new ArrayList<>(most);
      more.add(i, new Pair("c", "c"));
      Accumulators errors = empty(Evaluation.CLASSIFICATION, Type.STRING);
      add(errors, Type.STRING, more.subList(i, more.size()));
      Accumulators before = empty(Evaluation.CLASSIFICATION, Type.STRING);
      add(before, Type.STRING, more.subList(0, i));
      errors.merge(0, before, 0);
      assertThat(bytes(errors)).hasSizeLessThan(100);
      assertThat(result(Evaluation.CLASSIFICATION, errors))
          .containsEntry("Accuracy", 0.6)
          .containsEntry("F1", null);
    }
  }

  /** As several devices, each restored from its state, and one that has no rows. */
  private static Map<String, @Nullable Object> apart(
      Evaluation evaluation, Type type, List<Pair> pairs, Random random) throws IOException {
    Accumulators merged = empty(evaluation, type);
    int from = 0;
    while (from < pairs.size()) {
      int to = Math.min(pairs.size(), from + 1 + random.nextInt(200));
      int half = (from + to) / 2;
      Accumulators device = empty(evaluation, type);
      add(device, type, pairs.subList(from, half));
      device = restored(evaluation, type, bytes(device));
      add(device, type, pairs.subList(half, to));
      merged.merge(0, device, 0);
      merged = restored(evaluation, type, bytes(merged));
      from = to;
    }
    merged.merge(0, empty(evaluation, type), 0);
    return result(evaluation, merged);
  }

  /**
   * Groups share batches: each row counts in its own, and one that is cleared leaves the others.
   */
  @Test
  void slotsAreApart() {
    Accumulators errors = empty(Evaluation.REGRESSION, Type.DOUBLE);
    errors.ensureSlots(3);
    ColumnBuilder labels = ColumnBuilder.of(Type.DOUBLE);
    ColumnBuilder scores = ColumnBuilder.of(Type.DOUBLE);
    for (int i = 0; i < 8; i++) {
      labels.add(0.0);
      scores.add(Math.pow(10, i));
    }
    int[] rows = {6, 1, 3, 4, 99}; // Only the first four.
    errors.add(rows, new int[] {2, 0, 1, 2, 99}, 4, List.of(labels.build(), scores.build()));
    assertThat(result(Evaluation.REGRESSION, errors, 0)).containsEntry("MAE", 1e1);
    assertThat(result(Evaluation.REGRESSION, errors, 1)).containsEntry("MAE", 1e3);
    assertThat(result(Evaluation.REGRESSION, errors, 2))
        .containsEntry("MAE", (1e6 + 1e4) / 2)
        .containsEntry("Rows", 2.0);
    errors.clear(1);
    errors.merge(0, errors, 2);
    assertThat(result(Evaluation.REGRESSION, errors, 0)).containsEntry("Rows", 3.0);
    assertThat(result(Evaluation.REGRESSION, errors, 1)).containsEntry("Rows", 0.0);
    assertThat(result(Evaluation.REGRESSION, errors, 2)).containsEntry("Rows", 2.0);
  }

  /** Whatever comes after the restore, to the bit. */
  @Test
  void aRestoreChangesNothing() throws IOException {
    List<Pair> pairs = numbers(new Random(7), 20);
    Accumulators whole = empty(Evaluation.REGRESSION, Type.DOUBLE);
    add(whole, Type.DOUBLE, pairs);
    Accumulators before = empty(Evaluation.REGRESSION, Type.DOUBLE);
    add(before, Type.DOUBLE, pairs.subList(0, 123));
    Accumulators after = restored(Evaluation.REGRESSION, Type.DOUBLE, bytes(before));
    add(after, Type.DOUBLE, pairs.subList(123, pairs.size()));
    assertThat(bytes(after)).isEqualTo(bytes(whole));
    whole.clear(0);
    assertThat(bytes(whole)).isEqualTo(bytes(empty(Evaluation.REGRESSION, Type.DOUBLE)));
  }

  /** What a broken disk gives back ends in a message, not in an array of 2 GB. */
  @ParameterizedTest
  @CsvSource({
    "-2, 1, 'has -2 classes; 0 to 1,000'",
    "1001, 1, 'has 1,001 classes; 0 to 1,000'",
    "1, -1, 'has -1 bytes of a class''s name; 0 to 65,536'",
    "1, 65537, 'has 65,537 bytes of a class''s name; 0 to 65,536'",
    "2, 65536, 'more than 65,536 bytes'"
  })
  void brokenStateIsNotRead(int classes, int nameBytes, String message) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream state = new DataOutputStream(bytes);
    state.writeByte(1);
    state.write(new byte[3 * Long.BYTES]); // Rows, those left out, those that were right.
    state.writeInt(classes);
    for (int i = 0; i < 2; i++) {
      state.writeInt(nameBytes);
      state.write(new byte[Math.max(0, nameBytes - 1)]);
      state.writeByte('a' + i);
      state.write(new byte[3 * Long.BYTES]);
    }
    assertThatThrownBy(() -> restored(Evaluation.CLASSIFICATION, Type.STRING, bytes.toByteArray()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(message);
  }

  @Test
  void stateOfAnotherVersionIsNotRead() {
    assertThatThrownBy(() -> restored(Evaluation.REGRESSION, Type.DOUBLE, new byte[] {9, 0}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("version 9, not 1");
  }
}
