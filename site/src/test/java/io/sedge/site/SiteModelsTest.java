package io.sedge.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sedge.connector.history.HistoryConnector;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.site.api.ModelDrift;
import io.sedge.site.api.ModelStatus;
import io.sedge.site.api.ModelVersionStatus;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.TrainingStatus;
import io.sedge.site.testkit.Devices;
import io.sedge.task.FailureCode;
import io.sedge.task.testkit.FakeConnector;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A model from the rows of one device to a version of the site, by the commands of another. */
@Timeout(600)
class SiteModelsTest {
  private static final String JOB = "plant";
  private static final String MODEL = "line";
  private static final String SCRIPT =
      """
      CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'fake', 'keep' = '1 h');
      CREATE TABLE past (n BIGINT) WITH ('connector' = 'history', 'table' = 'numbers');
      CREATE VIEW points AS SELECT n, CAST(MOD(n, 50) AS DOUBLE) AS x FROM numbers;
      CREATE MODEL line INPUT (x DOUBLE) OUTPUT (y DOUBLE)
      WITH ('provider' = 'site', 'algorithm' = 'linear', 'label' = 'target', 'train.share' = '1', 'train.promote' = 'by-hand')
      AS SELECT CAST(MOD(n, 50) AS DOUBLE) AS x, 2 * MOD(n, 50) + 5 + MOD(n, 7) AS target FROM past;
      CREATE TABLE scored (n BIGINT) WITH ('connector' = 'fake');
      INSERT INTO scored SELECT n FROM ML_PREDICT(TABLE points, MODEL line, DESCRIPTOR(x)) WHERE y > 0;
      """;

  /** What is learned of later rows is something else; rows are written with their score. */
  private static final String CHANGING =
      SCRIPT
          .replace("+ MOD(n, 7) AS", "+ CASE WHEN n < 4000 THEN 0 ELSE 1000 END AS")
          .replace("scored (n BIGINT)", "scored (n BIGINT, y DOUBLE)")
          .replace("SELECT n FROM ML", "SELECT n, y FROM ML");

  /** Each row is scored by both versions. */
  private static final String BESIDE =
      CHANGING
          .replace("scored (n BIGINT, y DOUBLE)", "scored (n BIGINT, y DOUBLE, s DOUBLE)")
          .replace(
              "SELECT n, y FROM ML_PREDICT(TABLE points, MODEL line, DESCRIPTOR(x)) WHERE y > 0",
              "SELECT n, y, y0 FROM ML_PREDICT(TABLE used, MODEL line, DESCRIPTOR(x),"
                  + " MAP['version', 'shadow'])")
          .replace(
              "CREATE TABLE scored",
              "CREATE VIEW used AS SELECT n, x, y FROM ML_PREDICT(TABLE points, MODEL line,"
                  + " DESCRIPTOR(x));\nCREATE TABLE scored");

  /** So many epochs, of which none is left out, that whoever stops it comes in time. */
  private static final String SLOW =
      SCRIPT
          .replace("'algorithm' = 'linear'", "'algorithm' = 'mlp', 'train.epochs' = '1000'")
          .replace("'train.share'", "'train.least-rows' = '700', 'train.share'");

  /** A row is of a second; of the later ones x is another. */
  private static final String WATCHED =
      SCRIPT
          .replace(
              "numbers (n BIGINT)",
              "numbers (n BIGINT, ts AS TO_TIMESTAMP_LTZ(n * 1000, 3), WATERMARK FOR ts AS ts)")
          .replace(
              "n, CAST(MOD(n, 50) AS DOUBLE) AS x FROM numbers",
              "n, ts, CAST(MOD(n, 50) + CASE WHEN n < 4500 THEN 0 ELSE 30 END AS DOUBLE) AS x FROM"
                  + " numbers")
          .replace(
              "'train.promote' = 'by-hand'", "'drift.table' = 'drifts', 'drift.window' = '10 min'")
          .replace(
              "CREATE TABLE scored",
              "CREATE TABLE drifts (feature STRING, window_end TIMESTAMP(3), psi DOUBLE) WITH"
                  + " ('connector' = 'fake');\nCREATE TABLE scored");

  /** A version that does not fit the later rows is taken back. */
  private static final String ROLLED_BACK =
      WATCHED.replace(
          "'drift.window' = '10 min'",
          "'drift.window' = '10 min', 'drift.rollback' = '0.25', 'train.promote' = 'by-hand'");

  /** Another model of the same job, whose version is taken back after people have chosen one. */
  private static final String OTHER = "other";

  private static final String TWO_MODELS =
      ROLLED_BACK
          + ROLLED_BACK
              .substring(
                  ROLLED_BACK.indexOf("CREATE MODEL"), ROLLED_BACK.indexOf("CREATE TABLE drifts"))
              .replace("MODEL line", "MODEL " + OTHER)
              .replace("(y DOUBLE)", "(z DOUBLE)")
          + "INSERT INTO scored SELECT n FROM ML_PREDICT(TABLE points, MODEL other, DESCRIPTOR(x))"
          + " WHERE z > 0;";

  @TempDir Path root;
  private final FakeConnector tables = new FakeConnector();
  private Devices devices;

  @BeforeEach
  void site() {
    tables.available = 3_000;
    devices = new Devices(root).with(tables, new HistoryConnector());
  }

  @AfterEach
  void close() {
    devices.close();
  }

  private static ModelStatus model(Device device) throws SiteException {
    return model(device, MODEL);
  }

  private static ModelStatus model(Device device, String name) throws SiteException {
    return device.control().models().stream()
        .filter(model -> model.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private ModelVersionStatus train(Device device, long rows) throws Exception {
    return train(device, MODEL, rows);
  }

  /** Trains until all rows that there are were kept; what came of it. */
  private ModelVersionStatus train(Device device, String model, long rows) throws Exception {
    SiteControl control = device.control();
    devices.until(
        "a version is trained from %d rows".formatted(rows),
        () -> {
          control.startTraining(JOB, model);
          TrainingStatus status = control.training(JOB, model);
          while (status.running()) {
            LockSupport.parkNanos(20_000_000);
            status = control.training(JOB, model);
          }
          return status.version() > 0
              && model(device, model).versions().getLast().rows().values().stream()
                      .mapToLong(Long::longValue)
                      .sum()
                  == rows;
        });
    return model(device, model).versions().getLast();
  }

  /** Makes a version live, as soon as the job may be replaced. */
  private void promote(Device device, String model, long number) throws Exception {
    devices.until(
        "version %d of %s is live".formatted(number, model),
        () -> {
          try {
            device.control().promoteModel(JOB, model, number);
            return true;
          } catch (SiteException e) {
            if (e.code() != FailureCode.NOT_NOW) {
              throw e;
            }
            return false;
          }
        });
  }

  private void submit(String script, Device a, Device b) throws Exception {
    a.control().submit(JOB, script);
    devices.until(
        "both devices have the model",
        () ->
            !a.control().models().isEmpty()
                && !b.control().models().isEmpty()
                && !model(b).algorithm().isEmpty()
                && !model(a).algorithm().isEmpty());
  }

  @Test
  void aModelIsTrainedOverDevicesAndMadeLiveByHand() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    submit(SCRIPT, a, b);
    assertThat(tables.written.get()).isZero();

    ModelVersionStatus trained = train(b, 3_000);
    assertThat(trained.rows()).containsKeys("a", "b");
    assertThat(trained.parameters().get("x")).isBetween(1.99, 2.01);
    assertThat(trained.metrics().get("R²")).isGreaterThan(0.99);
    assertThat(trained.sentBytes().values()).allMatch(bytes -> bytes < 1_000);
    assertThat(trained.live()).isFalse();
    devices.until("a knows the version", () -> model(a).versions().contains(trained));

    // The rows are the same, so the model is.
    assertThat(train(b, 3_000).number()).isEqualTo(trained.number());
    assertThat(model(b).versions().getLast().sha256()).isEqualTo(trained.sha256());

    byte[] onnx = a.control().exportModel(JOB, MODEL, trained.number());
    assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(onnx)))
        .isEqualTo(trained.sha256());
    assertThat(b.control().exportModel(JOB, MODEL, trained.number())).isEqualTo(onnx);
    // Rows are scored all the while: without a version their scores are NULL.
    assertThat(tables.written.get()).isZero();

    assertThatThrownBy(() -> a.control().promoteModel(JOB, MODEL, 99))
        .hasMessageContaining("has no version 99");
    assertThatThrownBy(() -> a.control().startTraining(JOB, "other"))
        .hasMessage("job plant has no model other that the site trains; it has: line");
    a.control().promoteModel(JOB, MODEL, trained.number());
    devices.until("b knows that it is live", () -> model(b).live().isPresent());
    assertThat(model(b).live().orElseThrow().sha256()).isEqualTo(trained.sha256());

    // Who learned another column says nothing of this one.
    String relabelled = SCRIPT.replace("target", "other");
    a.control().replace(JOB, relabelled, a.control().replacement(JOB, relabelled));
    devices.until("a has the other model", () -> !model(a).algorithm().isEmpty());
    assertThat(model(a).live()).isEmpty();
    assertThatThrownBy(() -> a.control().promoteModel(JOB, MODEL, trained.number()))
        .hasMessageContaining("is linear of x, label target")
        .hasMessageContaining("has linear of x, label other by now: train it again");
  }

  /** Rows of before a promotion have the old version's score, those after it the new one's. */
  @Test
  void rowsAreScoredByTheVersionThatIsLive() throws Exception {
    Map<Long, Double> scores = new ConcurrentHashMap<>();
    tables.onWrite =
        batch -> {
          for (int i = 0; i < batch.rows(); i++) {
            scores.put(
                ((LongColumn) batch.column(0)).values()[i],
                ((DoubleColumn) batch.column(1)).values()[i]);
          }
        };
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    submit(CHANGING, a, b);
    ModelVersionStatus first = train(a, 3_000);
    assertThat(scores).isEmpty();

    a.control().promoteModel(JOB, MODEL, first.number());
    tables.available = 6_000;
    devices.until("rows are scored by the first version", () -> scores.size() == 3_000);
    assertThat(scores).containsKeys(3_000L, 5_999L);
    scores.forEach((n, y) -> assertThat(y).isCloseTo(score(first, n), within(1e-9)));

    ModelVersionStatus second = train(b, 6_000);
    assertThat(Math.abs(score(second, 0) - score(first, 0))).isGreaterThan(50);
    b.control().promoteModel(JOB, MODEL, second.number());
    tables.available = 6_200;
    devices.until("rows are scored by the second version", () -> scores.size() == 3_200);
    scores.forEach(
        (n, y) -> assertThat(y).isCloseTo(score(n < 6_000 ? first : second, n), within(1e-9)));

    String back =
        CHANGING.replace(
            "CREATE TABLE scored", "ALTER MODEL line SET ('version' = '1');\nCREATE TABLE scored");
    assertThatThrownBy(
            () -> a.control().replacement(JOB, back.replace("'version' = '1'", "'version' = '9'")))
        .isInstanceOfSatisfying(
            SiteException.class,
            e ->
                assertThat(e.problems().getFirst().toString())
                    .contains("'version' = '9' is none that is linear of x, label target")
                    .contains("those are: 1, 2"));
    a.control().replace(JOB, back, a.control().replacement(JOB, back));
    tables.available = 6_400;
    devices.until("rows are scored by the first version again", () -> scores.size() == 3_400);
    assertThat(scores.get(6_399L)).isCloseTo(score(first, 6_399), within(1e-9));
  }

  private static double score(ModelVersionStatus version, long n) {
    return version.parameters().get("x") * (n % 50) + version.parameters().get("intercept");
  }

  /**
   * What a row was given: its scores by the live version and by the shadow.
   *
   * @param live null while there is none, as shadow
   */
  private record Scores(@Nullable Double live, @Nullable Double shadow) {}

  /** What rows were given. */
  private final Map<Long, Scores> scores = new ConcurrentHashMap<>();

  /** Rows that were delivered again, with other scores. */
  private final Set<Long> rescored = ConcurrentHashMap.newKeySet();

  private void takeScores(Batch batch) {
    for (int i = 0; i < batch.rows(); i++) {
      long n = ((LongColumn) batch.column(0)).values()[i];
      Scores given = new Scores(value(batch.column(1), i), value(batch.column(2), i));
      Scores before = scores.put(n, given);
      if (before != null && !before.equals(given)) {
        rescored.add(n);
      }
    }
  }

  private static @Nullable Double value(Column column, int row) {
    return column.isNull(row) ? null : Double.valueOf(((DoubleColumn) column).values()[row]);
  }

  /**
   * Waits until there are so many rows, each once, the last hundred of which were scored so.
   *
   * @param live null for none, as shadow
   */
  private void assertScored(
      Device device,
      long rows,
      @Nullable ModelVersionStatus live,
      @Nullable ModelVersionStatus shadow)
      throws Exception {
    tables.available = rows;
    devices.until("%d rows are scored".formatted(rows), () -> scores.size() == rows);
    devices.until("the device knows of them", () -> given(device) >= rows);
    assertThat(given(device)).isEqualTo(rows);
    assertThat(rescored).isEmpty();
    for (long n = rows - 100; n < rows; n++) {
      Scores given = scores.get(n);
      assertThat(given).isNotNull();
      assertScore(given.live(), live, n);
      assertScore(given.shadow(), shadow, n);
    }
  }

  private static void assertScore(
      @Nullable Double given, @Nullable ModelVersionStatus version, long n) {
    if (version == null) {
      assertThat(given).isNull();
    } else {
      assertThat(given).isCloseTo(score(version, n), within(1e-9));
    }
  }

  /** How many rows the job has given, as a device knows it. */
  private static long given(Device device) throws SiteException {
    return device.control().status().jobs().getFirst().rows();
  }

  @Test
  void theShadowScoresBesideTheLiveVersionUntilItIsPromoted() throws Exception {
    tables.onWrite = this::takeScores;
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    submit(BESIDE, a, b);
    assertScored(a, 3_000, null, null);
    ModelVersionStatus first = train(a, 3_000);
    a.control().shadowModel(JOB, MODEL, first.number());
    assertScored(a, 3_100, null, first);
    devices.until("b knows the shadow", () -> model(b).shadow().isPresent());
    assertThat(model(b).live()).isEmpty();

    a.control().promoteModel(JOB, MODEL, first.number());
    assertScored(a, 3_200, first, null);
    assertThat(model(a).shadow()).isEmpty();
    assertThatThrownBy(() -> a.control().shadowModel(JOB, MODEL, first.number()))
        .hasMessage(
            "version %d of model line is live: it cannot score beside itself"
                .formatted(first.number()));
    assertThatThrownBy(() -> a.control().shadowModel(JOB, MODEL, 99))
        .hasMessageContaining("has no version 99");
    assertThatThrownBy(() -> a.control().shadowModel(JOB, "other", 0))
        .hasMessageContaining("has no model other");

    assertScored(a, 6_000, first, null);
    ModelVersionStatus second = train(b, 6_000);
    b.control().shadowModel(JOB, MODEL, second.number());
    assertScored(b, 6_100, first, second);

    // Another script keeps it; what is scored by it goes on.
    String changed = BESIDE.replace("'shadow']);", "'shadow']) WHERE n >= 0;");
    b.control().replace(JOB, changed, b.control().replacement(JOB, changed));
    assertScored(b, 6_200, first, second);
    devices.close(b);
    Device again = devices.start("b");
    assertScored(again, 6_300, first, second);

    again.control().promoteModel(JOB, MODEL, second.number());
    assertScored(again, 6_400, second, null);
    again.control().shadowModel(JOB, MODEL, first.number());
    assertScored(again, 6_500, second, first);
    again.control().shadowModel(JOB, MODEL, 0);
    assertScored(again, 6_600, second, null);
    long version = again.control().status().jobs().getFirst().version();
    again.control().shadowModel(JOB, MODEL, 0);
    assertThat(again.control().status().jobs().getFirst().version()).isEqualTo(version);
  }

  /** A better one than the shadow, or than the live version, becomes the shadow; none is used. */
  @Test
  void aVersionThatIsBetterBecomesTheShadow() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    submit(CHANGING.replace("'by-hand'", "'shadow'"), a, b);
    var _ = train(a, 3_000);
    devices.until("there is a shadow", () -> model(a).shadow().isPresent());
    assertThat(model(a).live()).isEmpty();
    ModelVersionStatus first = model(a).shadow().orElseThrow();
    assertThat(tables.written.get()).isZero();

    a.control().promoteModel(JOB, MODEL, first.number());
    devices.until("it is live", () -> model(a).live().isPresent());
    assertThat(model(a).live().orElseThrow().number()).isEqualTo(first.number());
    assertThat(model(a).shadow()).isEmpty();
    tables.available = 6_000;
    var _ = train(a, 6_000);
    devices.until("there is a shadow again", () -> model(a).shadow().isPresent());
    ModelVersionStatus better = model(a).shadow().orElseThrow();
    assertThat(better.number()).isGreaterThan(first.number());
    assertThat(better.notes()).containsPattern("version \\d+, which was (live|the shadow), ");
    assertThat(model(a).live().orElseThrow().number()).isEqualTo(first.number());
  }

  /** Each device counts its rows; whoever is asked knows what they show together. */
  @Test
  void aFeatureThatHasChangedIsToldByEachDevice() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    submit(WATCHED, a, b);
    var _ = train(b, 3_000);
    devices.until("a version is live", () -> model(b).live().isPresent());
    ModelVersionStatus live = model(b).live().orElseThrow(); // The best, which may not be the last.
    tables.available = 6_000;
    for (Device asked : List.of(a, b)) {
      devices.until(
          "what was scored last has drifted",
          () ->
              asked.control().drifts(JOB).drifts().stream()
                  .anyMatch(drift -> drift.feature().equals("x") && isAbove(drift, 0.25)));
    }
    List<ModelDrift> drifts = a.control().drifts(JOB).drifts();
    assertThat(drifts).extracting(ModelDrift::feature).containsExactly("x", "y");
    assertThat(drifts)
        .allSatisfy(
            drift -> {
              assertThat(drift.rows()).isEqualTo(600);
              assertThat(drift.isOf(live.sha256())).isTrue();
            });
    assertThatThrownBy(() -> a.control().drifts("none")).hasMessageContaining("none");
    assertThat(a.control().drifts(JOB).silent()).isEmpty();
    devices.close(b);
    assertThat(a.control().drifts(JOB).silent()).containsOnlyKeys("b");
  }

  private ModelVersionStatus version(Device device, long number) throws SiteException {
    return model(device).versions().stream()
        .filter(version -> version.number() == number)
        .findFirst()
        .orElseThrow();
  }

  /** No version is taken back twice, whoever looks, nor the one that scores instead. */
  @Test
  void aVersionThatDoesNotFitIsRolledBackOnce() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    submit(TWO_MODELS, a, b);
    ModelVersionStatus first = train(a, 3_000);
    a.control().promoteModel(JOB, MODEL, first.number());
    promote(a, OTHER, train(a, OTHER, 3_000).number());
    tables.available = 3_700;
    ModelVersionStatus second = train(a, 3_700);
    assertThat(second.number()).isGreaterThan(first.number());
    ModelVersionStatus later = train(a, OTHER, 3_700);
    a.control().promoteModel(JOB, MODEL, second.number());
    tables.available = 6_000;
    devices.until("it is taken back", () -> version(b, second.number()).rolledBack());
    assertThat(model(b).live().orElseThrow().number()).isEqualTo(first.number());
    assertThat(version(b, first.number()).rolledBack()).isFalse();
    devices.until(
        "it was said why",
        () ->
            devices.said(
                    "model line of job plant: version %d is rolled back to version %d: psi of "
                        .formatted(second.number(), first.number()))
                == 1);

    tables.available = 8_000;
    devices.until(
        "it does not fit either",
        () ->
            b.control().drifts(JOB).drifts().stream()
                .anyMatch(drift -> drift.isOf(first.sha256()) && isAbove(drift, 0.25)));
    String changed = TWO_MODELS.replace("WHERE y > 0;", "WHERE y > 1;");
    b.control().replace(JOB, changed, b.control().replacement(JOB, changed));
    assertThat(model(b).live().orElseThrow().number()).isEqualTo(first.number());
    assertThat(version(b, second.number()).rolledBack()).isTrue();

    // What people make live stays so: the look that takes the other model's version back, which is
    // looked at later, leaves it.
    promote(b, MODEL, second.number());
    tables.available = 9_100;
    devices.until(
        "it fits no better than before",
        () ->
            b.control().drifts(JOB).drifts().stream()
                .anyMatch(drift -> drift.isOf(second.sha256()) && isAbove(drift, 0.25)));
    promote(b, OTHER, later.number());
    tables.available = 10_500;
    devices.until(
        "the other model's version is taken back",
        () ->
            model(b, OTHER).versions().stream()
                .anyMatch(version -> version.number() == later.number() && version.rolledBack()));
    assertThat(version(b, second.number()).live()).isTrue();
    assertThat(version(b, second.number()).rolledBack()).isTrue();
    assertThat(devices.said(" is rolled back to version ")).isEqualTo(2);
  }

  /** Counts move with the task; what the last window has shown is known until the next one ends. */
  @Test
  void aTaskThatMovesTakesItsCountsAlong() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    submit(WATCHED, a, b);
    train(b, 3_000);
    devices.until("it is live", () -> model(a).live().isPresent());
    tables.available = 5_100;
    devices.until("a window has ended", () -> !a.control().drifts(JOB).drifts().isEmpty());
    for (Device left : List.of(a, b)) {
      String name = left == a ? "a" : "b";
      left.control().drain(name);
      devices.until(
          "the other device runs all",
          () ->
              left.control().status().tasks().stream()
                  .noneMatch(task -> task.device().equals(name)));
      assertThat(b.control().drifts(JOB).drifts())
          .extracting(ModelDrift::feature)
          .contains("x", "y");
      left.control().undrain(name);
    }
    tables.available = 6_000;
    devices.until(
        "the window that moved has ended",
        () ->
            a.control().drifts(JOB).drifts().stream()
                .anyMatch(drift -> drift.feature().equals("x") && isAbove(drift, 0.25)));
    assertThat(a.control().drifts(JOB).drifts())
        .allSatisfy(drift -> assertThat(drift.rows()).isEqualTo(600));
  }

  private static boolean isAbove(ModelDrift drift, double bound) {
    return drift.psi() != null && drift.psi() > bound;
  }

  /** It does not wait for the end of what it trains, and leaves nothing half done. */
  @Test
  void aDeviceThatIsStoppedEndsItsTraining() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    submit(SLOW, a, b);
    devices.until("b trains", () -> trainingOf(b).doing().matches("round \\d\\d.*"));
    b.close();
    assertThat(devices.reports())
        .contains(
            "b WARNING model line of job plant was not trained: this device is being stopped");
    assertThat(model(a).versions()).isEmpty();
  }

  /** As it goes now; begun if it has not, or has failed for want of rows. */
  private TrainingStatus trainingOf(Device device) throws SiteException {
    SiteControl control = device.control();
    try {
      TrainingStatus status = control.training(JOB, MODEL);
      if (!status.failure().isEmpty()) {
        control.startTraining(JOB, MODEL);
      }
    } catch (SiteException _) {
      control.startTraining(JOB, MODEL);
    }
    return control.training(JOB, MODEL);
  }
}
