package io.sedge.learning.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sedge.connector.Connectors;
import io.sedge.connector.FileAccess;
import io.sedge.connector.ScriptFiles;
import io.sedge.learning.ModelProviders;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.sql.SqlException;
import io.sedge.task.JobRunner;
import io.sedge.task.RunOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From a script's history to a score, in one process; and scripts that cannot be. */
class TrainedScriptTest {
  private static final String KEPT =
      """
      CREATE TABLE kept (ts TIMESTAMP(3), vibration DOUBLE, temperature DOUBLE, speed DOUBLE, failed INT, name STRING)
      WITH ('connector' = 'history', 'table' = 'readings');
      CREATE TABLE readings (ts TIMESTAMP(3), vibration DOUBLE, temperature DOUBLE, speed DOUBLE, failed INT, name STRING)
      WITH ('connector' = 'filesystem', 'path' = 'readings.csv', 'format' = 'csv', 'csv.null-literal' = 'null', 'keep' = '3650 d', 'keep.time' = 'ts');
      """;
  private static final String MODEL =
      """
      CREATE MODEL wear INPUT (vibration DOUBLE, temperature DOUBLE, speed DOUBLE) OUTPUT (risk DOUBLE)
      WITH ('provider' = 'site', 'algorithm' = 'logistic', 'label' = 'failed')
      AS SELECT ts, vibration, temperature, speed, failed FROM kept;
      """;
  private static final String SCORES =
      """
      CREATE TABLE scores (vibration DOUBLE, temperature DOUBLE, speed DOUBLE, risk DOUBLE)
      WITH ('connector' = 'filesystem', 'path' = 'scores', 'format' = 'csv', 'csv.null-literal' = 'null');
      INSERT INTO scores SELECT vibration, temperature, speed, risk
      FROM ML_PREDICT(TABLE readings, MODEL wear, DESCRIPTOR(vibration, temperature, speed));
      """;

  private static final String EVALUATION =
      """
      CREATE TABLE quality (accuracy DOUBLE, p DOUBLE, r DOUBLE, f1 DOUBLE, counted DOUBLE, left_out DOUBLE)
      WITH ('connector' = 'filesystem', 'path' = 'scores', 'format' = 'csv', 'csv.null-literal' = 'null');
      SET 'execution.runtime-mode' = 'batch';
      INSERT INTO quality SELECT `result`['Accuracy'], `result`['Precision'], `result`['Recall'], `result`['F1'],
        `result`['Rows'], `result`['Left Out']
      FROM ML_EVALUATE(TABLE readings, MODEL wear, DESCRIPTOR(failed), DESCRIPTOR(vibration, temperature, speed),
        'classification');
      """;

  private final Connectors connectors =
      Connectors.installed(TrainedScriptTest.class.getClassLoader());

  @TempDir private Path directory;

  /** Which versions scripts have asked for. */
  private final List<OptionalLong> asked = new ArrayList<>();

  private Job compile(String script, Optional<Path> version) throws SqlException {
    return compile(script, version, Optional.empty());
  }

  private Job compile(String script, Optional<Path> version, Optional<Path> shadow)
      throws SqlException {
    ScriptFiles files =
        new ScriptFiles() {
          @Override
          public Path locate(String what, String path) {
            throw new AssertionError("the script names no file");
          }

          @Override
          public Optional<Path> version(String model, String what, OptionalLong number) {
            asked.add(number);
            assertThat(model).isIn("wear", "tear");
            assertThat(what)
                .isIn(
                    "logistic of vibration, temperature, speed, label failed",
                    "logistic of vibration, temperature, speed, label broken");
            return version;
          }

          @Override
          public Optional<Path> shadow(String model, String what) {
            return shadow;
          }
        };
    return new SqlCompiler(
            connectors.byName(),
            connectors.formats().byName(),
            ModelProviders.of(new SiteProvider()),
            Clock.systemUTC(),
            FileAccess.EVERYTHING)
        .compile("learn.sql", script, directory, Map.of(), files);
  }

  private RunOptions options() {
    return RunOptions.in(directory).withData(directory.resolve("data"));
  }

  private List<String[]> run(Job job) throws Exception {
    var _ =
        new JobRunner(connectors.byName(), Clock.systemUTC(), System::nanoTime)
            .start(job, options(), (_, _) -> {})
            .await();
    try (var files = Files.walk(directory.resolve("scores"))) {
      Path written = files.filter(Files::isRegularFile).findFirst().orElseThrow();
      List<String[]> rows =
          Files.readAllLines(written).stream().map(line -> line.split(",", -1)).toList();
      Files.delete(written);
      return rows;
    }
  }

  @Test
  void aModelIsTrainedFromWhatWasKeptAndScores() throws Exception {
    List<double[]> rows = Plant.rows(2_000, true, 1);
    StringBuilder csv = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      double[] row = rows.get(i);
      String vibration = i == 7 ? "null" : String.valueOf(row[0]);
      csv.append(
          String.format(
              Locale.ROOT,
              "2026-11-26 %02d:%02d:00.000,%s,%s,%s,%d,b%n",
              i / 60 % 24,
              i % 60,
              vibration,
              row[1],
              row[2],
              (int) row[3]));
    }
    Files.writeString(directory.resolve("readings.csv"), csv);

    List<String[]> before = run(compile(KEPT + MODEL + SCORES, Optional.empty()));
    assertThat(before).hasSize(2_000).allSatisfy(row -> assertThat(row[3]).isEqualTo("null"));

    Job job = compile(KEPT + MODEL + SCORES, Optional.empty());
    Job.Training training = job.trainings().getFirst();
    Recipe recipe = Recipe.of(training.model());
    Path version = directory.resolve("version");
    Logistic model;
    try (DeviceRows own = new DeviceRows(directory.resolve("rows"), recipe)) {
      TrainingShare share = new TrainingShare(1, System::nanoTime);
      new HistoryQuery(connectors.byName(), options(), Clock.systemUTC())
          .fill(training.query(), recipe, own, share, (_, _) -> {});
      assertThat(own.summary().rows()).isEqualTo(1_999);
      assertThat(own.summary().leftOut()).isEqualTo(1);
      assertThat(own.summary().firstMillis()).isEqualTo(1_795_651_200_000L);
      Trained trained = Trainer.train(recipe, Trainer.Devices.alone(own, share));
      assertThat(trained.metrics().values().get("AUC")).isGreaterThan(0.75);
      model = (Logistic) trained.model();
      Files.write(version, OnnxFile.of(model, recipe.outputs()));
    }

    List<String[]> after = run(compile(KEPT + MODEL + SCORES, Optional.of(version)));
    assertThat(after).hasSize(2_000);
    for (int i = 0; i < 2_000; i++) {
      if (i == 7) {
        assertThat(after.get(i)[3]).isEqualTo("null");
      } else {
        assertThat(Double.parseDouble(after.get(i)[3]))
            .isCloseTo(Logistic.likelihood(model.weights().sum(rows.get(i))), within(1e-9));
      }
    }
    assertThat(compile(KEPT + MODEL + SCORES, Optional.of(version)).userFunctions())
        .isEqualTo(job.userFunctions());

    String beside = KEPT + MODEL + SCORES.replace("speed))", "speed), MAP['version', 'shadow'])");
    assertThat(run(compile(beside, Optional.of(version))))
        .hasSize(2_000)
        .allSatisfy(row -> assertThat(row[3]).isEqualTo("null"));
    assertThat(run(compile(beside, Optional.empty(), Optional.of(version))).stream().map(List::of))
        .isEqualTo(after.stream().map(List::of).toList());
    String identity = "site, logistic of vibration, temperature, speed, label failed";
    assertThat(compile(beside, Optional.of(version)).userFunctions())
        .isEqualTo(compile(beside, Optional.empty(), Optional.of(version)).userFunctions())
        .containsEntry("SHADOW wear", identity);

    List<String[]> judged = run(compile(KEPT + MODEL + EVALUATION, Optional.of(version)));
    double[] said = new double[4]; // No and right, no and wrong, yes and wrong, yes and right.
    for (int i = 0; i < 2_000; i++) {
      if (i != 7) {
        boolean yes = Double.parseDouble(after.get(i)[3]) >= 0.5;
        said[(yes ? 2 : 0) + ((int) rows.get(i)[3] == 1 ? 1 : 0)]++;
      }
    }
    double precision = said[3] / (said[2] + said[3]);
    double recall = said[3] / (said[1] + said[3]);
    double[] expected = {
      (said[0] + said[3]) / 1_999,
      precision,
      recall,
      2 * precision * recall / (precision + recall),
      1_999,
      1
    };
    assertThat(said[3]).isGreaterThan(10);
    assertThat(judged).hasSize(1);
    for (int i = 0; i < expected.length; i++) {
      assertThat(Double.parseDouble(judged.getFirst()[i])).isCloseTo(expected[i], within(1e-12));
    }
    List<String[]> unknown = run(compile(KEPT + MODEL + EVALUATION, Optional.empty()));
    assertThat(unknown.getFirst()).containsExactly("null", "null", "null", "null", "0.0", "2000.0");
  }

  /** Two jobs that were made from one example have tables of the same names. */
  @Test
  void aModelIsTrainedFromWhatItsOwnJobHasKept() throws Exception {
    for (String name : List.of("first", "second")) {
      String row = "2026-11-26 08:00:00.000,1,2,3,0,a%n".formatted();
      Files.writeString(
          directory.resolve("readings.csv"), row.repeat(name.equals("first") ? 3 : 5));
      String script = KEPT + MODEL + "SET 'pipeline.name' = '" + name + "';\n" + SCORES;
      Job job = compile(script, Optional.empty());
      var _ = run(job);
      Job.Training training = job.trainings().getFirst();
      Recipe recipe = Recipe.of(training.model());
      try (DeviceRows own = new DeviceRows(directory.resolve("rows"), recipe)) {
        new HistoryQuery(connectors.byName(), options(), Clock.systemUTC())
            .fill(
                training.query(),
                recipe,
                own,
                new TrainingShare(1, System::nanoTime),
                (_, _) -> {});
        assertThat(own.summary().rows()).isEqualTo(name.equals("first") ? 3 : 5);
      }
    }
  }

  /** Each is refused where it is wrong, with what to write. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "FROM kept | FROM readings | 7:4 | model wear: each device trains from rows that it has"
            + " itself, and table `readings` of connector 'filesystem' is none of those",
        "'logistic', | 'linear', 'clusters' = '40', | 6:52 | model wear: 'clusters' = '40'",
        "'label' = 'failed' | 'label' = 'broken' | 7:4 | model wear: its query has no column"
            + " `broken`, which is its 'label'; it has ts, vibration, temperature, speed, failed",
        "temperature, speed, failed FROM | speed, failed FROM | | model wear: its query has no"
            + " column `temperature`, which is in INPUT",
        "speed, failed FROM | name AS speed, failed FROM | | model wear: column `speed` of its"
            + " query is STRING, which is no number",
        "'algorithm' = 'logistic' | 'algorithm' = 'forest' | 6:28 | 'forest' is not one of linear,"
            + " logistic, kmeans, pca, mlp, mlp-logistic",
        "'logistic', | 'mlp', 'hidden' = '64;32', | 6:49 | 'hidden' = '64;32' is not the units of"
            + " each layer, with commas between: 64,32",
        "'logistic', | 'mlp', 'hidden' = '100,100', | 6:49 | have 10,601 weights; 8,000 are"
            + " allowed",
        "'logistic', | 'mlp', 'hidden' = '8,8,8,8', | 6:49 | hidden layers of 8, 8, 8, 8 units",
        "'algorithm' = 'logistic' | 'algorithm' = 'kmeans' | | 'label' has no meaning with"
            + " 'algorithm' = 'kmeans'",
        ", 'label' = 'failed' | \"\" | | 'algorithm' = 'logistic' learns a column: say which",
        "'label' = 'failed' | 'label' = 'speed' | | 'label' = 'speed' is in INPUT",
        "(risk DOUBLE) | (risk FLOAT) | | gives OUTPUT (risk DOUBLE)",
        "vibration DOUBLE, temperature DOUBLE, speed DOUBLE) OUTPUT | vibration DOUBLE, temperature"
            + " DOUBLE, speed INT) OUTPUT | 5:70 | `speed` of INPUT is INT; write DOUBLE",
        "'label' = 'failed' | 'label' = 'failed', 'train.every' = '1 s' | | is not from 1 min to"
            + " 366 d",
        "'label' = 'failed' | 'label' = 'failed', 'train.least-rows' = '1' | | 'train.least-rows' ="
            + " '1'",
        "'label' = 'failed' | 'label' = 'failed', 'drift.rollback' = '0.25' | | 'drift.rollback'"
            + " has no meaning without 'drift.table', which has drift told",
        "'label' = 'failed' | 'label' = 'failed', 'drift.table' = 'd', 'drift.rollback' = '0' | |"
            + " 'drift.rollback' = '0' is not from 0.1 to 100.0",
      })
  void whatCannotBeTrainedIsRefused(String from, String to, String place, String message) {
    String script = KEPT + MODEL.replace(from, to) + SCORES;
    assertThat(script).isNotEqualTo(KEPT + MODEL + SCORES);
    assertThatThrownBy(() -> compile(script, Optional.empty()))
        .isInstanceOfSatisfying(
            SqlException.class,
            e -> {
              String first = e.problems().getFirst().toString();
              assertThat(first).contains(message);
              if (place != null) {
                assertThat(first).startsWith("line %s: ".formatted(place));
              }
            });
  }

  /** The statement of Flink that promotes a version. */
  @Test
  void aScriptSaysWhichVersionScores() throws Exception {
    Job job =
        compile(
            KEPT + MODEL + "ALTER MODEL wear SET ('version' = '3');\n" + SCORES, Optional.empty());
    assertThat(asked).containsExactly(OptionalLong.empty(), OptionalLong.of(3));
    Recipe recipe = Recipe.of(job.trainings().getFirst().model());
    assertThat(recipe.version()).hasValue(3);
    assertThat(recipe.promotion()).isEqualTo(Recipe.Promotion.BY_HAND);
    var _ =
        compile(
            KEPT + "ALTER MODEL IF EXISTS wear SET ('version' = '3');" + MODEL + SCORES,
            Optional.empty());
  }

  /** The option of the script that says which version is live leaves the shadow alone. */
  @Test
  void aScriptSaysWhatBecomesOfABetterVersion() throws Exception {
    for (String options : List.of("", "'version' = '3', ")) {
      String set = "ALTER MODEL wear SET (%s'train.promote' = 'shadow');\n".formatted(options);
      Job job = compile(KEPT + MODEL + set + SCORES, Optional.empty());
      Recipe recipe = Recipe.of(job.trainings().getFirst().model());
      assertThat(recipe.promotion()).isEqualTo(Recipe.Promotion.SHADOW);
    }
    Recipe usual =
        Recipe.of(compile(KEPT + MODEL + SCORES, Optional.empty()).trainings().getFirst().model());
    assertThat(usual.promotion()).isEqualTo(Recipe.Promotion.BETTER);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "ALTER MODEL wear SET ('version' = 'three') | 8:23: | 'version' = 'three'",
        "ALTER MODEL wear SET ('versoin' = '3') | 8:23: | 'versoin'",
        "ALTER MODEL wera SET ('version' = '3') | 8:1: | there is no model `wera`; did you mean"
            + " `wear`?",
        "ALTER MODEL wear SET ('provider' = 'onnx') | 8:1: | 'provider' of `wear` stays as it is",
        "ALTER MODEL wear SET ('label' = 'broken') | 8:1: | 'label' of `wear` stays as it is",
        "ALTER MODEL wear RENAME TO wear | 8:1: | ALTER MODEL: a model `wear` exists already",
      })
  void aChangeOfAModelThatCannotBeIsRefused(String statement, String place, String message) {
    assertThatThrownBy(
            () ->
                compile(KEPT + MODEL.strip() + "\n" + statement + ";\n" + SCORES, Optional.empty()))
        .isInstanceOfSatisfying(
            SqlException.class,
            e ->
                assertThat(e.problems().getFirst().toString())
                    .contains(message)
                    .startsWith("line " + place));
  }

  /** Its versions, too, are those of the new name. */
  @Test
  void aModelThatIsRenamedIsTrainedUnderItsNewName() throws Exception {
    String renamed = KEPT + MODEL + "ALTER MODEL wear RENAME TO tear;\n";
    Job job = compile(renamed + SCORES.replace("MODEL wear", "MODEL tear"), Optional.empty());
    assertThat(job.trainings())
        .singleElement()
        .satisfies(training -> assertThat(training.model().name()).isEqualTo("tear"));
    assertThatThrownBy(() -> compile(renamed + SCORES, Optional.empty()))
        .hasMessageContaining("there is no model `wear`");
  }

  @Test
  void aModelThatAQueryScoresByIsNotChanged() {
    assertThatThrownBy(
            () ->
                compile(
                    KEPT + MODEL + SCORES + "ALTER MODEL wear SET ('version' = '3');",
                    Optional.empty()))
        .hasMessageContaining("ALTER MODEL: a query before scores by `wear`");
  }

  @Test
  void aModelOfTheSiteNeedsAQuery() {
    String script = KEPT + MODEL.replaceAll("AS SELECT.*;", ";") + SCORES;
    assertThatThrownBy(() -> compile(script, Optional.empty()))
        .hasMessageContaining("there is no query that says from which rows");
  }
}
