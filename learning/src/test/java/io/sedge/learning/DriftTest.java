package io.sedge.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sedge.engine.column.ArrayColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.RowColumn;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether rows that are scored look like those of the training: the index, and who counts. */
class DriftTest {
  private static final int WINDOW_ROWS = 2_000;
  private static final int TRAINED_ROWS = 20_000;

  /** Three features, the last of which is constant, and a score. */
  private static final ModelDescriptor MODEL =
      new ModelDescriptor(
          "wear",
          Schema.builder()
              .add("vibration", Type.DOUBLE)
              .add("temperature", Type.DOUBLE)
              .add("fixed", Type.DOUBLE)
              .build(),
          Schema.builder().add("risk", Type.DOUBLE).build(),
          Map.of("drift.table", "drift"));

  private final DriftBoard board = new DriftBoard();

  private static double[] row(Random random) {
    double vibration = 3 + 2 * random.nextGaussian();
    double temperature = -100 * Math.log(1 - random.nextDouble()); // Skewed.
    return new double[] {vibration, temperature, 0.1, 1 / (1 + Math.exp(vibration))};
  }

  private static List<double[]> rows(long seed, int count) {
    Random random = new Random(seed);
    return IntStream.range(0, count).mapToObj(_ -> row(random)).toList();
  }

  /** As a training makes it. */
  private static Reference reference(List<double[]> rows) {
    List<Distribution> columns = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int column = i;
      double mean = rows.stream().mapToDouble(row -> row[column]).sum() / rows.size();
      double square =
          rows.stream().mapToDouble(row -> Math.pow(row[column] - mean, 2)).sum() / rows.size();
      double[] edges = Distribution.edges(mean, square < 1e-24 ? 0 : Math.sqrt(square));
      long[] counts = new long[edges.length + 1];
      rows.forEach(row -> counts[Distribution.bin(edges, row[column])]++);
      columns.add(new Distribution(edges, counts));
    }
    return new Reference("3f5a00112233", columns);
  }

  private DriftAccumulators counting(Optional<Reference> reference) {
    DriftAccumulators counting =
        new DriftAccumulators(
            new DriftAccumulators.Watched(
                MODEL, reference, DriftOptions.of(MODEL).orElseThrow(), board));
    counting.ensureSlots(1);
    return counting;
  }

  private static void add(DriftAccumulators counting, List<double[]> rows) {
    add(counting, columns(rows), rows.size());
  }

  private static void add(DriftAccumulators counting, List<Column> arguments, int rows) {
    counting.add(IntStream.range(0, rows).toArray(), new int[rows], rows, arguments);
  }

  private static List<Column> columns(List<double[]> rows) {
    List<Column> arguments = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int column = i;
      arguments.add(
          new DoubleColumn(
              rows.stream().mapToDouble(row -> row[column]).toArray(), null, rows.size()));
    }
    arguments.add(
        new LongColumn(
            IntStream.range(0, rows.size()).asLongStream().toArray(), null, rows.size()));
    return arguments;
  }

  /** By feature. */
  private Map<String, Drift> result(DriftAccumulators counting) {
    ColumnBuilder output = ColumnBuilder.of(DriftAccumulators.RESULT);
    counting.result(0, output);
    ArrayColumn column = (ArrayColumn) output.build();
    Map<String, Drift> drifts =
        board.latest().stream().collect(Collectors.toMap(Drift::feature, drift -> drift));
    assertThat(column.elements().size()).isEqualTo(drifts.size());
    assertThat(column.elements()).isInstanceOf(RowColumn.class);
    return drifts;
  }

  private Map<String, Drift> drift(long seed, List<double[]> rows) {
    DriftAccumulators counting = counting(Optional.of(reference(rows(seed, TRAINED_ROWS))));
    add(counting, rows);
    return result(counting);
  }

  /**
   * Shares of 0.1 to 0.4 against equal ones: the sum of (p - q) ln(p / q) by hand, which half a row
   * more in a bin changes little where there are many.
   */
  @Test
  void theIndexIsThatOfItsDefinition() {
    double byHand =
        -0.15 * Math.log(0.1 / 0.25)
            + -0.05 * Math.log(0.2 / 0.25)
            + 0.05 * Math.log(0.3 / 0.25)
            + 0.15 * Math.log(0.4 / 0.25);
    assertThat(byHand).isCloseTo(0.22822, within(1e-5));
    long[] equal = {250_000_000, 250_000_000, 250_000_000, 250_000_000};
    long[] rising = {100_000_000, 200_000_000, 300_000_000, 400_000_000};
    assertThat(StabilityIndex.of(equal, rising)).isCloseTo(byHand, within(1e-8));
    assertThat(StabilityIndex.of(rising, equal)).isCloseTo(byHand, within(1e-8));
    assertThat(StabilityIndex.of(equal, equal)).isZero();
  }

  /** Half a row more for each bin, in the shares of the training: 20.5 and 0.5 of 21. */
  @Test
  void anEmptyBinIsNotInfinite() {
    assertThat(StabilityIndex.of(new long[] {10, 10}, new long[] {5, 5})).isZero();
    double p = 20.5 / 21;
    assertThat(StabilityIndex.of(new long[] {10, 10}, new long[] {20, 0}))
        .isCloseTo(
            (p - 0.5) * Math.log(p / 0.5) + (0.5 - p) * Math.log((1 - p) / 0.5), within(1e-12));
  }

  /** Tables have 27.877 for the quantile 0.999 of chi square with 9 degrees of freedom. */
  @Test
  void whatChanceGivesFollowsFromHowManyRowsThereAre() {
    long[] then = {100, 100, 100, 100, 100, 100, 100, 100, 100, 100};
    long[] now = {50, 50, 50, 50, 50, 50, 50, 50, 50, 50};
    assertThat(StabilityIndex.byChance(then, now))
        .isCloseTo((1 / 1000.0 + 1 / 500.0) * 27.877, within(1e-3));
  }

  /**
   * A switch, a step, a status: most bins are empty, in training and later. Half a row more in each
   * of them was an eighth of 50 rows, and nothing of a million.
   */
  @Test
  void aFeatureOfTwoValuesIsNotSaidToHaveChanged() {
    int seeds = 2_000;
    int windows = 0;
    int aboveChance = 0;
    for (double share : new double[] {0.5, 0.1, 0.02}) {
      double[] edges = Distribution.edges(share, Math.sqrt(share * (1 - share)));
      for (int trained : new int[] {1_000_000, 100_000}) {
        long[] then = new long[edges.length + 1];
        then[Distribution.bin(edges, 1)] = Math.round(share * trained);
        then[Distribution.bin(edges, 0)] = trained - Math.round(share * trained);
        for (int rows : new int[] {50, 100, 500}) {
          Random random = new Random(rows);
          for (int seed = 0; seed < seeds; seed++) {
            long[] now = new long[then.length];
            for (int row = 0; row < rows; row++) {
              now[Distribution.bin(edges, random.nextDouble() < share ? 1 : 0)]++;
            }
            double psi = StabilityIndex.of(then, now);
            aboveChance += psi > StabilityIndex.byChance(then, now) ? 1 : 0;
            windows++;
            if (rows == 500) {
              assertThat(psi).isLessThan(0.1);
            }
          }
        }
      }
    }
    System.out.printf("of %d windows of two values %d are above chance%n", windows, aboveChance);
    assertThat(aboveChance).isLessThan(windows / 400); // 1 of 1,000 is expected.
  }

  /** As many ones as in training, of 50 rows: there is nothing to tell. */
  @Test
  void equalSharesOfFewRowsHaveNoDrift() {
    long[] then = {500_000, 0, 0, 0, 0, 0, 0, 0, 0, 500_000};
    long[] now = {25, 0, 0, 0, 0, 0, 0, 0, 0, 25};
    assertThat(StabilityIndex.of(then, now)).isZero();
    assertThat(StabilityIndex.byChance(then, now)).isCloseTo(10.828 / 50, within(0.01));
  }

  /**
   * 1,000 windows of rows as the training had them: of the three columns that vary none may be
   * above 0.1, and one in a thousand above what chance gives.
   */
  @Test
  void rowsLikeThoseOfTheTrainingAreNotSaidToHaveChanged() {
    int windows = 1_000;
    int aboveChance = 0;
    double most = 0;
    Reference reference = reference(rows(1, TRAINED_ROWS));
    for (int seed = 0; seed < windows; seed++) {
      DriftAccumulators counting = counting(Optional.of(reference));
      add(counting, rows(100 + seed, 500));
      for (Drift drift : result(counting).values()) {
        most = Math.max(most, drift.psi());
        aboveChance += drift.psi() > drift.byChance() && !drift.feature().equals("fixed") ? 1 : 0;
      }
    }
    System.out.printf("of %d: %d above chance, the most is %.4f%n", 3 * windows, aboveChance, most);
    assertThat(most).isLessThan(0.1);
    assertThat(aboveChance).isLessThanOrEqualTo(12); // 3 are expected.
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aFeatureThatHasChangedIsNamedAndTheOthersAreNot(long seed) {
    List<double[]> shifted = rows(50 + seed, WINDOW_ROWS);
    shifted.forEach(row -> row[1] += 60);
    Map<String, Drift> drifts = drift(seed, shifted);
    assertThat(drifts.get("temperature").psi()).isGreaterThan(0.25);
    assertThat(drifts.get("vibration").psi()).isLessThan(0.1);
    assertThat(drifts.get("risk").psi()).isLessThan(0.1);
    assertThat(drifts.get("fixed").psi()).isLessThan(0.1);
    assertThat(drifts.get("fixed").version()).isEqualTo("3f5a00112233");
    assertThat(drifts.get("fixed").untilMicros()).isEqualTo(WINDOW_ROWS - 1);
  }

  /** A wider one, of which the mean is what it was. */
  @Test
  void aFeatureThatSpreadsMoreHasChanged() {
    List<double[]> wider = rows(50, WINDOW_ROWS);
    wider.forEach(row -> row[0] = 3 + 2 * (row[0] - 3));
    assertThat(drift(1, wider).get("vibration").psi()).isGreaterThan(0.25);
  }

  @Test
  void aConstantFeatureThatHasAnotherValueHasChanged() {
    List<double[]> other = rows(50, WINDOW_ROWS);
    assertThat(drift(1, other).get("fixed").psi()).isLessThan(0.01);
    other.forEach(row -> row[2] = 0.1000001);
    assertThat(drift(1, other).get("fixed").psi()).isGreaterThan(0.25);
  }

  @Test
  void rowsThatNoTrainingTakesAreCountedAndLeftOut() {
    List<double[]> broken = rows(50, 1_000);
    broken.get(0)[0] = Double.NaN;
    broken.get(1)[1] = Double.POSITIVE_INFINITY;
    broken.get(2)[2] = Double.NEGATIVE_INFINITY;
    broken.get(3)[3] = 2e100;
    Drift drift = drift(1, broken).get("vibration");
    assertThat(drift.rows()).isEqualTo(996);
    assertThat(drift.leftOut()).isEqualTo(4);
    assertThat(drift.psi()).isLessThan(0.1);
  }

  /** A sensor that gives nothing any more is to be noticed, not passed over. */
  @Test
  void aWindowWithoutAWholeRowIsToldWithoutAnIndex() {
    List<double[]> broken = rows(50, 600);
    broken.forEach(row -> row[0] = Double.NaN);
    Drift drift = drift(1, broken).get("vibration");
    assertThat(drift.leftOut()).isEqualTo(600);
    assertThat(drift.rows()).isZero();
    assertThat(drift.psi()).isNaN();
  }

  @Test
  void nothingIsSaidOfFewRowsOrWithoutAReference() throws IOException {
    assertThat(drift(1, rows(50, 499))).isEmpty();
    DriftAccumulators unknown = counting(Optional.empty());
    add(unknown, rows(50, 600));
    assertThat(result(unknown)).isEmpty();
    DriftAccumulators restored = counting(Optional.of(reference(rows(1, TRAINED_ROWS))));
    restored.read(0, new DataInputStream(new ByteArrayInputStream(bytes(unknown))));
    assertThat(result(restored)).isEmpty();
  }

  /** As devices, and as one of them that was restored: the same as in one place, to the bit. */
  @Test
  void countsAddUpAndOutliveARestore() throws IOException {
    List<double[]> rows = rows(50, WINDOW_ROWS);
    rows.get(7)[0] = Double.NaN;
    Optional<Reference> reference = Optional.of(reference(rows(1, TRAINED_ROWS)));
    DriftAccumulators whole = counting(reference);
    add(whole, rows);
    byte[] expected = bytes(whole);

    DriftAccumulators first = counting(reference);
    add(first, rows.subList(0, 700));
    DriftAccumulators restored = counting(reference);
    restored.read(0, new DataInputStream(new ByteArrayInputStream(bytes(first))));
    DriftAccumulators third = counting(reference);
    add(third, rows.subList(700, WINDOW_ROWS));
    restored.merge(0, third, 0);
    Map<String, Drift> apart = result(restored);
    Map<String, Drift> together = result(whole);
    apart.forEach((name, drift) -> assertThat(drift.psi()).isEqualTo(together.get(name).psi()));
    assertThat(expected.length).isLessThan(100);
    assertThat(apart).hasSize(4);
  }

  private static byte[] bytes(DriftAccumulators counting) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    counting.write(0, new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  /** Its bins are others: what was counted for the version before means nothing. */
  @Test
  void countsOfAnotherVersionAreDropped() throws IOException {
    DriftAccumulators before = counting(Optional.of(reference(rows(1, TRAINED_ROWS))));
    add(before, rows(50, 600));
    byte[] state = bytes(before);
    for (Optional<Reference> other :
        List.of(Optional.of(reference(rows(2, TRAINED_ROWS))), Optional.<Reference>empty())) {
      DriftAccumulators after = counting(other);
      DataInputStream input = new DataInputStream(new ByteArrayInputStream(state));
      after.read(0, input);
      assertThat(input.available()).isZero();
      assertThat(result(after)).isEmpty();
    }
  }

  /** Else what follows in the state would be read from the wrong byte. */
  @Test
  void countsOfOtherBinsAreDamaged() throws IOException {
    Optional<Reference> reference = Optional.of(reference(rows(1, TRAINED_ROWS)));
    DriftAccumulators counting = counting(reference);
    add(counting, rows(50, 600));
    byte[] state = bytes(counting);
    int bins = 1 + Long.BYTES + Long.BYTES + 1; // After one byte of rows that were left out.
    assertThat(state[bins]).isEqualTo((byte) 33);
    state[bins]--;
    DriftAccumulators after = counting(reference);
    assertThatThrownBy(() -> after.read(0, new DataInputStream(new ByteArrayInputStream(state))))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("they have 32 bins, not 33");
  }

  @Test
  void aReferenceIsItsText() {
    Reference reference = reference(rows(1, TRAINED_ROWS));
    Reference again = Reference.parse(reference.version(), reference.text());
    assertThat(again.text()).isEqualTo(reference.text());
    assertThat(again.fingerprint()).isEqualTo(reference.fingerprint());
    assertThat(Arrays.stream(again.columns().getFirst().counts()).sum()).isEqualTo(TRAINED_ROWS);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "2", "1;", "1;1,2|3,4", "1;2,1|1,1,1", "1;NaN|1,1", "1;1|1,-1", "1;1|1,x"})
  void damagedTextIsNoReference(String text) {
    assertThatThrownBy(() -> Reference.parse("v", text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** A row from the year 2099 would else stay there for ever. */
  @Test
  void theLastResultIsShownWhateverItsEventTime() {
    board.show("wear", List.of(new Drift("wear", "v", "x", 1_000_000, 500, 0, 0.1, 0.1)));
    board.show("wear", List.of(new Drift("wear", "v", "x", 1_000, 600, 0, 0.2, 0.1)));
    assertThat(board.latest()).extracting(Drift::rows).containsExactly(600L);
  }

  @Test
  void optionsHaveBounds() {
    DriftOptions options = DriftOptions.of(MODEL).orElseThrow();
    assertThat(options.window()).isEqualTo(Duration.ofHours(1));
    assertThat(options.leastRows()).isEqualTo(500);
    ModelDescriptor wrong =
        new ModelDescriptor(
            "m",
            MODEL.input(),
            MODEL.output(),
            Map.of("drift.table", "d", "drift.window", "100 ms"));
    assertThatThrownBy(() -> DriftOptions.of(wrong))
        .hasMessageContaining("'drift.window' = '100 ms' is not from 1 s to 31 d");
  }

  /** Prints what a row costs; no bound is held, as the machine is not known. */
  @Test
  void aRowCostsLittle() {
    DriftAccumulators counting = counting(Optional.of(reference(rows(1, TRAINED_ROWS))));
    int rows = 4_096;
    List<Column> columns = columns(rows(50, rows));
    long nanos = 0;
    int rounds = 1_000;
    for (int round = 0; round < 2 * rounds; round++) {
      if (round == rounds) {
        nanos = System.nanoTime();
      }
      add(counting, columns, rows);
    }
    double each = (System.nanoTime() - nanos) / (double) (rounds * rows);
    System.out.printf("%.1f ns a row of 4 columns%n", each);
    assertThat(result(counting).get("risk").rows()).isEqualTo(2L * rounds * rows);
  }
}
