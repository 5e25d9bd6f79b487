package io.sedge.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sedge.engine.aggregate.Accumulators;
import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.type.Type;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each detector gives, and that it gives the same wherever it was interrupted. */
class DetectorsTest {
  private static final long SEED = 20_261_126;
  private static final Type VECTOR = Type.array(Type.DOUBLE);
  private static final long HOUR = 3_600_000_000L;

  static List<String> names() {
    return Detectors.names();
  }

  private static Accumulators accumulators(String name, Type type, double... parameters) {
    List<Type> types =
        Detectors.columns(name) == 2 ? List.of(type, Type.timestamp(3)) : List.of(type);
    List<Expression.Literal> literals =
        Arrays.stream(parameters)
            .mapToObj(value -> new Expression.Literal(value, Type.DOUBLE))
            .toList();
    AggregateCall call =
        new AggregateCall(
            name,
            IntStream.range(0, types.size()).boxed().toList(),
            types,
            literals,
            -1,
            false,
            Type.DOUBLE,
            "score");
    Accumulators accumulators = Detectors.registry().find(call).orElseThrow().get();
    accumulators.ensureSlots(1);
    return accumulators;
  }

  private static @Nullable Double score(
      Accumulators accumulators, Type type, @Nullable Object reading, @Nullable Long time) {
    ColumnBuilder values = ColumnBuilder.of(type);
    values.add(reading);
    ColumnBuilder times = ColumnBuilder.of(Type.timestamp(3));
    times.add(time);
    List<Column> columns = List.of(values.build(), times.build());
    accumulators.add(new int[] {0}, new int[] {0}, 1, columns);
    ColumnBuilder result = ColumnBuilder.of(Type.DOUBLE);
    accumulators.result(0, result);
    return (Double) result.build().value(0);
  }

  private static List<@Nullable Double> scores(Accumulators accumulators, double... readings) {
    List<@Nullable Double> scores = new ArrayList<>();
    for (int i = 0; i < readings.length; i++) {
      scores.add(score(accumulators, Type.DOUBLE, readings[i], i * HOUR));
    }
    return scores;
  }

  private static byte[] written(Accumulators accumulators) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream output = new DataOutputStream(bytes)) {
      accumulators.write(0, output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static Accumulators restored(Accumulators accumulators, Accumulators empty) {
    byte[] state = written(accumulators);
    try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(state))) {
      empty.read(0, input);
      assertThat(input.available()).as("bytes that nobody read").isZero();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(written(empty)).isEqualTo(state);
    return empty;
  }

  /** A daily wave with noise, spikes, a new level, gaps and nonsense. */
  private static @Nullable Double reading(int i, Random random) {
    double value = 10 * Math.sin(i * Math.PI / 12) + random.nextGaussian() + (i > 700 ? 30 : 0);
    return switch (random.nextInt(40)) {
      case 0 -> null;
      case 1 -> Double.NaN;
      case 2 -> Double.NEGATIVE_INFINITY;
      case 3 -> value + 100;
      default -> value;
    };
  }

  /** A device dies when it likes; the one that goes on must say the same. */
  @ParameterizedTest
  @MethodSource("names")
  void oneThatWasRestoredGivesTheSameBits(String name) {
    restores(name, Type.DOUBLE);
    if (takesVectors(name)) {
      restores(name, VECTOR);
    }
  }

  @Test
  void aForestOfSeveralValuesAndReadingsIsRestored() {
    restores("RANDOM_CUT_FOREST_SCORE", VECTOR, 10, 64, 8);
    restores("RANDOM_CUT_FOREST_SCORE", Type.DOUBLE, 30, 256, 8);
  }

  private static void restores(String name, Type type, double... parameters) {
    Accumulators whole = accumulators(name, type, parameters);
    Accumulators moved = accumulators(name, type, parameters);
    Random random = new Random(SEED);
    int scored = 0;
    for (int i = 0; i < 1_200; i++) {
      Object one = reading(i, random);
      Object reading =
          type.equals(VECTOR) && one != null ? Arrays.asList(one, reading(i + 5, random)) : one;
      Double expected = score(whole, type, reading, i * HOUR);
      assertThat(score(moved, type, reading, i * HOUR))
          .as("seed %d, reading %d", SEED, i)
          .isEqualTo(expected);
      scored += expected == null ? 0 : 1;
      if (random.nextInt(40) == 0) {
        moved = restored(moved, accumulators(name, type, parameters));
      }
    }
    assertThat(scored).isGreaterThan(300);
  }

  private static boolean takesVectors(String name) {
    return name.startsWith("HALF") || name.startsWith("RANDOM") || name.startsWith("MEWMA");
  }

  /** And says so with another number than for its neighbours. */
  @ParameterizedTest
  @MethodSource("names")
  void aWildReadingIsStrangerThanUsualOnes(String name) {
    Accumulators accumulators = accumulators(name, Type.DOUBLE);
    Random random = new Random(SEED);
    double usual = 0;
    for (int i = 0; i < 600; i++) {
      Double score = score(accumulators, Type.DOUBLE, 20 + random.nextGaussian(), i * HOUR);
      usual = i >= 550 && score != null ? Math.max(usual, score) : usual;
    }
    double wild = 0;
    for (int i = 600; i < 640; i++) { // Those that wait for a level to last see forty.
      Double score = score(accumulators, Type.DOUBLE, 60 + random.nextGaussian(), i * HOUR);
      wild = score == null ? wild : Math.max(wild, score);
    }
    assertThat(wild).isGreaterThan(usual).isFinite();
  }

  @ParameterizedTest
  @MethodSource("names")
  void aConstantReadingIsNotStrangeAndAnotherOneAfterItHasAFiniteScore(String name) {
    Accumulators accumulators = accumulators(name, Type.DOUBLE);
    Double last = null;
    for (int i = 0; i < 600; i++) {
      last = score(accumulators, Type.DOUBLE, 7.5, i * HOUR);
    }
    assertThat(last).isNotNull();
    Double other = score(accumulators, Type.DOUBLE, 7.6, 600 * HOUR);
    assertThat(other).isFinite().isGreaterThan(last);
  }

  @ParameterizedTest
  @MethodSource("names")
  void whatIsNoNumberHasNoScoreAndChangesNothing(String name) {
    Accumulators accumulators = accumulators(name, Type.DOUBLE);
    for (int i = 0; i < 600; i++) {
      score(accumulators, Type.DOUBLE, Math.sin(i), i * HOUR);
    }
    Accumulators other = restored(accumulators, accumulators(name, Type.DOUBLE));
    for (Double nonsense : Arrays.asList(null, Double.NaN, Double.POSITIVE_INFINITY)) {
      assertThat(score(accumulators, Type.DOUBLE, nonsense, 600 * HOUR)).isNull();
    }
    assertThat(score(accumulators, Type.DOUBLE, 0.5, 600 * HOUR))
        .isEqualTo(score(other, Type.DOUBLE, 0.5, 600 * HOUR));
  }

  /** What is beyond all measure is no reading: it blinds no detector. */
  @ParameterizedTest
  @MethodSource("names")
  void readingsBeyondAllMeasureChangeNothing(String name) {
    Accumulators accumulators = accumulators(name, Type.DOUBLE);
    Accumulators other = accumulators(name, Type.DOUBLE);
    Random random = new Random(SEED);
    for (int i = 0; i < 600; i++) {
      double reading = random.nextGaussian();
      if (i % 100 == 50) {
        for (double wild : new double[] {Double.MAX_VALUE, -Double.MAX_VALUE, 2e100}) {
          assertThat(score(accumulators, Type.DOUBLE, wild, i * HOUR)).isNull();
        }
      }
      assertThat(score(accumulators, Type.DOUBLE, reading, i * HOUR))
          .isEqualTo(score(other, Type.DOUBLE, reading, i * HOUR));
    }
    assertThat(score(accumulators, Type.DOUBLE, 1e100, 600 * HOUR)).isFinite();
    assertThat(score(accumulators, Type.DOUBLE, -1e100, 601 * HOUR))
        .satisfies(score -> assertThat(score == null || Double.isFinite(score)).isTrue());
    for (int i = 602; i < 1_000; i++) {
      Double score = score(accumulators, Type.DOUBLE, random.nextGaussian(), i * HOUR);
      assertThat(score == null || Double.isFinite(score)).isTrue();
    }
  }

  @Test
  void aReadingWithoutATimeHasNoSeasonalScoreAndChangesNothing() {
    Accumulators seasonal = accumulators("SEASONAL_SCORE", Type.DOUBLE);
    for (int hour = 0; hour < 24 * 20; hour++) {
      score(seasonal, Type.DOUBLE, hour % 2, hour * HOUR);
    }
    byte[] before = written(seasonal);
    assertThat(score(seasonal, Type.DOUBLE, 100.0, null)).isNull();
    Double usual = score(seasonal, Type.DOUBLE, 0.0, 0L);
    assertThat(usual).isLessThan(2);
    assertThat(before).hasSize(13 + 24 * 20);
  }

  @Test
  void whatCannotBeScoredDoesNotSayHowManyValuesAReadingHas() {
    Accumulators accumulators = accumulators("RANDOM_CUT_FOREST_SCORE", VECTOR, 10, 64, 8);
    assertThat(score(accumulators, VECTOR, Arrays.asList(1.0, null, 1.0), 0L)).isNull();
    assertThat(score(accumulators, VECTOR, Collections.nCopies(9, 1.0), 0L))
        .as("9 values of 8 readings are more than 64")
        .isNull();
    assertThat(score(accumulators, VECTOR, Collections.nCopies(100_000, 1.0), 0L)).isNull();
    Random random = new Random(SEED);
    Double last = null;
    for (int i = 0; i < 100; i++) {
      last =
          score(accumulators, VECTOR, List.of(random.nextDouble(), random.nextDouble()), (long) i);
    }
    assertThat(last).isNotNull();
  }

  /** A commit has a few MB: with less than 20 KB each it has room for 200 sensors. */
  @Test
  void theStateOfAForestIsThatOfTheDocumentation() {
    Accumulators accumulators = accumulators("RANDOM_CUT_FOREST_SCORE", Type.DOUBLE);
    Random random = new Random(SEED);
    for (int i = 0; i < 2_000; i++) {
      score(accumulators, Type.DOUBLE, random.nextGaussian(), (long) i);
    }
    assertThat(written(accumulators).length).isBetween(15_000, 18_000);
  }

  /** Median 14, MAD 3: computed by hand from Iglewicz and Hoaglin's formula. */
  @Test
  void theRobustZScoreIsItsFormula() {
    List<@Nullable Double> scores =
        scores(
            accumulators("ROBUST_Z_SCORE", Type.DOUBLE, 11),
            10,
            11,
            12,
            13,
            13,
            14,
            15,
            16,
            17,
            18,
            1_000,
            23);
    assertThat(scores.subList(0, 10)).containsOnlyNulls();
    // Of ten: median 13.5, distances 0.5 0.5 0.5 1.5 1.5 2.5 2.5 3.5 3.5 4.5, so MAD 2.
    assertThat(scores.get(10)).isCloseTo((1_000 - 13.5) / (1.4826 * 2), within(1e-9));
    // Of eleven: median 14, distances 0 1 1 1 2 2 3 3 4 4 986, so MAD 2.
    assertThat(scores.get(11)).isCloseTo((23 - 14) / (1.4826 * 2), within(1e-9));
  }

  /** The sorted readings against a plain sort, as they come and go. */
  @Test
  void theRobustZScoreForgetsWhatHasLeftItsWindow() {
    Random random = new Random(SEED);
    double[] readings = new double[500];
    Arrays.setAll(readings, i -> random.nextInt(20));
    List<@Nullable Double> scores =
        scores(accumulators("ROBUST_Z_SCORE", Type.DOUBLE, 30), readings);
    for (int i = 30; i < readings.length; i++) {
      double[] window = Arrays.copyOfRange(readings, i - 30, i);
      double median = median(window);
      double mad = median(Arrays.stream(window).map(x -> Math.abs(x - median)).toArray());
      assertThat(mad).isPositive();
      double expected = Math.abs(readings[i] - median) / (1.4826 * mad);
      assertThat(scores.get(i)).as("reading %d", i).isCloseTo(expected, within(1e-9));
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[sorted.length / 2] + sorted[(sorted.length - 1) / 2]) / 2;
  }

  /** The first 1 / lambda readings weigh alike: their mean and population variance are exact. */
  @Test
  void theEwmaScoreIsItsFormula() {
    double[] readings = {4, 7, 13, 16, 4, 7, 13, 16, 10, 10, 25, 10};
    List<@Nullable Double> scores = scores(accumulators("EWMA_SCORE", Type.DOUBLE, 0.1), readings);
    // Of the first ten: mean 10, variance 18.
    assertThat(scores.get(10)).isCloseTo(15 / Math.sqrt(18), within(1e-12));
    double mean = 10 + 0.1 * 15;
    double variance = 0.9 * (18 + 0.1 * 15 * 15);
    assertThat(scores.get(11)).isCloseTo((mean - 10) / Math.sqrt(variance), within(1e-12));
  }

  /** Each adds 4 - 0.5 = 3.5 at most: a single one stays below 5, a second one passes it. */
  @Test
  void theCumulativeSumFindsALevelAndNotASingleReading() {
    double[] readings = new double[106];
    Arrays.setAll(readings, i -> i % 2 == 0 ? 9 : 11);
    readings[60] = 1_000;
    readings[100] = 40;
    readings[101] = 40;
    List<@Nullable Double> scores = scores(accumulators("CUSUM_SCORE", Type.DOUBLE), readings);
    assertThat(scores.get(60)).isBetween(3.5 / 5, 4.5 / 5);
    assertThat(scores.subList(30, 100)).allSatisfy(score -> assertThat(score).isLessThan(1));
    List<@Nullable Double> calm = scores(accumulators("CUSUM_SCORE", Type.DOUBLE), calm());
    assertThat(calm.get(100)).isLessThan(1);
    assertThat(calm.get(101)).isBetween(7.0 / 5, 8.0 / 5);
    assertThat(calm.subList(102, 106)).as("it begins anew").containsOnlyNulls();
  }

  private static double[] calm() {
    double[] readings = new double[106];
    Arrays.setAll(readings, i -> i >= 100 ? 40 : i % 2 == 0 ? 9 : 11);
    return readings;
  }

  /** A tenth of a deviation, for long: what no single reading shows. */
  @Test
  void thePageHinkleyTestFindsASmallChangeThatLasts() {
    Random random = new Random(SEED);
    double[] readings = new double[3_000];
    Arrays.setAll(readings, i -> random.nextGaussian() + (i >= 1_000 ? 0.8 : 0));
    List<@Nullable Double> scores =
        scores(accumulators("PAGE_HINKLEY_SCORE", Type.DOUBLE), readings);
    int found =
        IntStream.range(30, readings.length)
            .filter(i -> scores.get(i) != null && scores.get(i) >= 1)
            .findFirst()
            .orElseThrow();
    assertThat(found).isBetween(1_010, 1_200);
  }

  @Test
  void whatIsUsualAtNoonIsStrangeAtNight() {
    Accumulators seasonal = accumulators("SEASONAL_SCORE", Type.DOUBLE);
    Random random = new Random(SEED);
    for (int hour = 0; hour < 24 * 30; hour++) {
      double usual = hour % 24 == 12 ? 100 : 0;
      score(seasonal, Type.DOUBLE, usual + random.nextGaussian(), hour * HOUR);
    }
    assertThat(score(seasonal, Type.DOUBLE, 0.0, (24 * 30) * HOUR)).isLessThan(5);
    assertThat(score(seasonal, Type.DOUBLE, 100.0, (24 * 30 + 1) * HOUR)).isGreaterThan(20);
    assertThat(score(seasonal, Type.DOUBLE, 100.0, (24 * 30 + 12) * HOUR)).isLessThan(5);
  }

  /** Each value is usual; the two together are not. */
  @ParameterizedTest
  @MethodSource("names")
  void detectorsOfVectorsSeeValuesTogether(String name) {
    if (!takesVectors(name)) {
      return;
    }
    Accumulators accumulators = accumulators(name, VECTOR);
    Random random = new Random(SEED);
    double sum = 0;
    for (int i = 0; i < 1_000; i++) {
      double x = random.nextInt(2);
      double noise = 0.02 * random.nextGaussian();
      Double score = score(accumulators, VECTOR, List.of(x + noise, x - noise), (long) i);
      sum += i >= 900 && score != null ? score : 0;
    }
    assertThat(score(accumulators, VECTOR, List.of(0.0, 1.0), 1_000L))
        .isGreaterThan(1.2 * sum / 100);
    assertThat(score(accumulators, VECTOR, List.of(0.0, 1.0, 2.0), 1_001L))
        .as("another length")
        .isNull();
  }

  /** What would make it blind for good: it begins its training anew. */
  @Test
  void aTrainingThatIsNotOneIsBegunAnew() {
    for (String what :
        List.of("a set-point moves", "a wild reading", "a wild reading at the end")) {
      Accumulators accumulators = accumulators("MEWMA_SCORE", VECTOR);
      Random random = new Random(SEED);
      Double last = null;
      for (int i = 0; i < 800; i++) {
        double first =
            random.nextGaussian()
                + (what.equals("a wild reading") && i == 100 ? 1e6 : 0)
                + (what.equals("a wild reading at the end") && i == 350 ? 1e6 : 0);
        double setPoint = what.equals("a set-point moves") && i >= 350 ? 8 : 7;
        last =
            score(accumulators, VECTOR, List.of(first, random.nextGaussian(), setPoint), (long) i);
        assertThat(last).as("%s, %d", what, i).isNull();
      }
      for (int i = 800; i < 1_000; i++) {
        last =
            score(
                accumulators,
                VECTOR,
                List.of(random.nextGaussian(), random.nextGaussian(), 8.0),
                (long) i);
      }
      assertThat(last).as(what).isNotNull();
      for (int i = 1_000; i < 1_040; i++) {
        last = score(accumulators, VECTOR, List.of(8.0, 8.0, 8.0), (long) i);
      }
      assertThat(last).as("a fault of eight deviations, after " + what).isGreaterThan(20);
    }
  }

  @Test
  void argumentsThatDoNotFitAreSaidInWords() {
    assertThatThrownBy(() -> accumulators("MEWMA_SCORE", VECTOR, 0.01))
        .hasMessage(
            "MEWMA_SCORE: with lambda = 0.01 the training takes 1990 readings at least, not 400");
    assertThatThrownBy(() -> accumulators("EWMA_SCORE", VECTOR))
        .hasMessage("EWMA_SCORE takes EWMA_SCORE(x [, lambda])");
    assertThatThrownBy(() -> accumulators("HALF_SPACE_TREES_SCORE", Type.STRING))
        .hasMessage(
            "HALF_SPACE_TREES_SCORE takes HALF_SPACE_TREES_SCORE(x or ARRAY[x, y] [, trees [, depth"
                + " [, window]]])");
    assertThatThrownBy(() -> accumulators("EWMA_SCORE", Type.DOUBLE, 2))
        .hasMessage("EWMA_SCORE: lambda = 2.0 is not a number from 1.0E-4 to 0.9");
    assertThatThrownBy(() -> accumulators("ROBUST_Z_SCORE", Type.DOUBLE, 10.5))
        .hasMessage("ROBUST_Z_SCORE: window = 10.5 is not a whole number from 10 to 10000");
    assertThatThrownBy(() -> accumulators("EWMA_SCORE", Type.DOUBLE, 0.1, 2))
        .hasMessage("EWMA_SCORE takes EWMA_SCORE(x [, lambda])");
    assertThatThrownBy(() -> accumulators("CUSUM_SCORE", Type.DOUBLE, 4))
        .hasMessage("CUSUM_SCORE: slack = 4.0 is not a number from 0.0 to 3.0");
    assertThatThrownBy(() -> accumulators("RANDOM_CUT_FOREST_SCORE", Type.DOUBLE, 200, 1_024))
        .hasMessage("RANDOM_CUT_FOREST_SCORE: trees x sample = 200 x 1024 is more than 16384");
    assertThatThrownBy(() -> accumulators("HALF_SPACE_TREES_SCORE", Type.DOUBLE, 200, 12))
        .hasMessage("HALF_SPACE_TREES_SCORE: trees x 2^depth = 200 x 2^12 is more than 16384");
  }
}
