package io.sedge.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.history.HistoryConnector;
import io.sedge.site.api.ModelStatus;
import io.sedge.site.api.ModelVersionStatus;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.TrainingStatus;
import io.sedge.site.testkit.Devices;
import io.sedge.task.testkit.FakeConnector;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.locks.LockSupport;
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
    return device.control().models().getFirst();
  }

  /** Trains until all rows that there are were kept; what came of it. */
  private ModelVersionStatus train(Device device, long rows) throws Exception {
    SiteControl control = device.control();
    devices.until(
        "a version is trained from %d rows".formatted(rows),
        () -> {
          control.startTraining(JOB, MODEL);
          TrainingStatus status = control.training(JOB, MODEL);
          while (status.running()) {
            LockSupport.parkNanos(20_000_000);
            status = control.training(JOB, MODEL);
          }
          return status.version() > 0
              && model(device).versions().getLast().rows().values().stream()
                      .mapToLong(Long::longValue)
                      .sum()
                  == rows;
        });
    return model(device).versions().getLast();
  }

  @Test
  void aModelIsTrainedOverDevicesAndMadeLiveByHand() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    a.control().submit(JOB, SCRIPT);
    devices.until(
        "both devices have the model",
        () ->
            !a.control().models().isEmpty()
                && !b.control().models().isEmpty()
                && !model(b).algorithm().isEmpty()
                && !model(a).algorithm().isEmpty());
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
        .hasMessage("job plant has no model other that the site trains; it has: [line]");
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
}
