package io.sedge.site.internal.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.ledger.JobState;
import io.sedge.site.Device;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.TaskStatus;
import io.sedge.site.testkit.Devices;
import io.sedge.task.FailureCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Devices in this process, with the real ledger and real threads. */
@Timeout(120)
class SiteNodeTest {
  private static final long TOTAL = 100;

  @TempDir Path root;
  private final SimulatedTables tables = new SimulatedTables(new Random(7), TOTAL);
  private Devices devices;

  @BeforeEach
  void site() {
    devices = new Devices(root).with(tables);
  }

  @AfterEach
  void close() throws Exception {
    devices.close();
  }

  private static JobStatus job(Device device) throws SiteException {
    return device.control().jobs().getFirst();
  }

  private void checkResults() {
    Map<String, List<String>> expected = SiteSimulationTest.expected(TOTAL);
    expected.forEach(
        (table, rows) ->
            assertThat(tables.delivered(table))
                .as("rows of %s", table)
                .containsExactlyInAnyOrderElementsOf(rows));
  }

  @Test
  void aJobRunsOnThreeDevicesAndIsFinishedByThoseThatRemain() throws Exception {
    Device first = devices.start("a");
    Device second = devices.join("b", first);
    Device third = devices.join("c", first);
    first.control().submit("plant", SiteSimulationTest.SCRIPT);
    devices.until("results", () -> !tables.delivered("kept").isEmpty());
    TaskStatus busy =
        first.control().status().tasks().stream()
            .filter(task -> !task.device().equals("a"))
            .findFirst()
            .orElse(null);
    Device victim = busy != null && busy.device().equals("b") ? second : third;
    devices.close(victim);
    devices.until("the end", () -> job(first).state() == JobState.FINISHED);
    checkResults();
    assertThat(job(first).waitingRows()).isZero();
    devices.until(
        "no task has a device",
        () -> first.control().status().tasks().stream().allMatch(task -> task.device().isEmpty()));
  }

  @Test
  void aSiteOfOneGoesOnWhereItWasAfterARestart() throws Exception {
    Device first = devices.start("a");
    first.control().submit("plant", SiteSimulationTest.SCRIPT);
    devices.until("results", () -> !tables.delivered("kept").isEmpty());
    first.control().pause("plant");
    devices.until("the pause", () -> job(first).runningTasks() == 0);
    devices.close(first);
    Device again = devices.start("a");
    assertThat(job(again).state()).isEqualTo(JobState.PAUSED);
    again.control().resume("plant");
    devices.until("the end", () -> job(again).state() == JobState.FINISHED);
    checkResults();
  }

  @Test
  void whatCannotRunIsRefusedWhenItIsSubmitted() throws Exception {
    Device first = devices.start("a");
    assertThatExceptionOfType(SiteException.class)
        .isThrownBy(() -> first.control().submit("wrong", "SELECT nothing FROM nowhere;"))
        .satisfies(e -> assertThat(e.code()).isEqualTo(FailureCode.SCRIPT_NOT_ACCEPTED))
        .satisfies(e -> assertThat(e.problems()).isNotEmpty());
    assertThatExceptionOfType(SiteException.class)
        .isThrownBy(
            () ->
                first
                    .control()
                    .submit(
                        "shown",
                        "CREATE TABLE t (k STRING) WITH ('connector' = 'simulated'); SELECT k FROM"
                            + " t;"))
        .withMessageContaining("INSERT INTO");
    assertThat(first.control().jobs()).isEmpty();
  }
}
