package io.sedge.site.internal.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.FileAccess;
import io.sedge.connector.ScriptFiles;
import io.sedge.connector.history.HistoryConnector;
import io.sedge.identity.TrainingReply;
import io.sedge.identity.TrainingStep;
import io.sedge.learning.ModelProviders;
import io.sedge.learning.training.HistoryQuery;
import io.sedge.learning.training.SiteProvider;
import io.sedge.site.api.SiteException;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.task.FailureCode;
import io.sedge.task.RunOptions;
import io.sedge.task.testkit.FakeConnector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a device answers that is asked by several trainings, or cannot gather rows. */
@Timeout(60)
class DeviceTrainingTest {
  private static final String SCRIPT =
      """
      CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'fake', 'keep' = '1 h');
      CREATE TABLE past (n BIGINT) WITH ('connector' = 'history', 'table' = 'numbers');
      CREATE MODEL line INPUT (x DOUBLE) OUTPUT (y DOUBLE)
      WITH ('provider' = 'site', 'algorithm' = 'linear', 'label' = 'target')
      AS SELECT CAST(n AS DOUBLE) AS x, n AS target FROM past;
      CREATE TABLE scored (n BIGINT) WITH ('connector' = 'fake');
      INSERT INTO scored SELECT n FROM numbers;
      """;

  @TempDir private Path root;
  private DeviceTraining device;

  @BeforeEach
  void device() throws Exception {
    Map<String, io.sedge.connector.ConnectorFactory> connectors =
        Map.of("fake", new FakeConnector(), "history", new HistoryConnector());
    Job.Training training =
        new SqlCompiler(
                connectors,
                Map.of(),
                ModelProviders.of(new SiteProvider()),
                Clock.systemUTC(),
                FileAccess.EVERYTHING)
            .compile("plant", SCRIPT, root, Map.of(), ScriptFiles.in(root, FileAccess.EVERYTHING))
            .trainings()
            .getFirst();
    device =
        new DeviceTraining(
            root.resolve("training"),
            new HistoryQuery(
                connectors, RunOptions.in(root).withData(root.resolve("data")), Clock.systemUTC()),
            (_, _) -> {});
    device.begin((_, model) -> model.equals("line") ? Optional.of(training) : Optional.empty());
  }

  @AfterEach
  void close() {
    device.close();
  }

  private TrainingReply ask(String training, String model, int round) throws SiteException {
    return device.answer(new TrainingStep(training, "plant", model, round, new byte[0]));
  }

  private TrainingReply gather(String training) throws SiteException {
    TrainingReply reply = ask(training, "line", 0);
    while (!reply.done()) {
      reply = ask(training, "line", 0); // It holds the question, so this does not spin.
    }
    return reply;
  }

  private void refused(String training, String model, int round, FailureCode code) {
    assertThatThrownBy(() -> ask(training, model, round))
        .isInstanceOfSatisfying(
            SiteException.class, refusal -> assertThat(refusal.code()).isEqualTo(code));
  }

  /** Who is refused with NOT_NOW waits; whoever has no such model is not waited for. */
  @Test
  void oneTrainingAtATime() throws Exception {
    assertThat(gather("first").rows()).isZero();
    refused("second", "line", 0, FailureCode.NOT_NOW);
    assertThat(ask("first", "line", TrainingStep.KEEP).done()).isFalse();
    refused("second", "line", TrainingStep.KEEP, FailureCode.NOT_NOW);
    refused("second", "line", TrainingStep.END, FailureCode.NOT_NOW);
    assertThat(gather("first").done()).isTrue();
    var _ = ask("first", "line", TrainingStep.END);
    refused("first", "line", 1, FailureCode.NOT_NOW);
    refused("second", "other", 0, FailureCode.UNKNOWN_NAME);
    assertThat(gather("second").done()).isTrue();
  }

  /** Such a device is not asked again and again: it would gather its rows each time. */
  @Test
  void aDeviceThatCannotGatherRowsSaysThatItHasFailed() throws Exception {
    Files.createDirectory(root.resolve("training/rows"));
    refused("first", "line", 0, FailureCode.JOB_NOT_FINISHED);
  }
}
