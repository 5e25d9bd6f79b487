package io.sedge.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.ledger.CenterRight;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.SiteException;
import io.sedge.site.testkit.Devices;
import io.sedge.site.testkit.OrderingCenter;
import io.sedge.task.testkit.FakeConnector;
import io.sedge.uplink.JobOrder;
import io.sedge.uplink.JobOrder.Action;
import io.sedge.uplink.OrderState;
import io.sedge.uplink.SiteCondition;
import io.sedge.uplink.SiteCredential;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A center gives a site jobs: those and no others are its own to replace and to remove. */
@Timeout(600)
class DownlinkJobsTest {
  private static final String JOB = "fleet";
  private static final String SCRIPT =
      """
      CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'fake');
      CREATE TABLE kept (n BIGINT) WITH ('connector' = 'fake');
      INSERT INTO kept SELECT n FROM numbers;
      """;
  private static final String NEXT = SCRIPT.replace("SELECT n FROM", "SELECT n + 1 FROM");

  @TempDir Path root;
  private Devices devices;
  private OrderingCenter center;
  private Device device;

  @BeforeEach
  void site() throws Exception {
    FakeConnector tables = new FakeConnector();
    tables.available = 10;
    devices = new Devices(root).with(tables);
    center = new OrderingCenter(root.resolve("center"));
    device = devices.start("a");
    device.control().setSecret(SiteCredential.SECRET, center.credential());
  }

  @AfterEach
  void close() {
    devices.close();
    center.close();
  }

  private void given(Action action, long version, String script, OrderState end) throws Exception {
    UUID order = center.give(new JobOrder(action, JOB, version, script), Duration.ofMinutes(30));
    devices.until(
        "%s of version %d ends".formatted(action, version),
        () -> center.states(order).stream().anyMatch(OrderState::isFinal));
    assertThat(center.states(order)).contains(end);
  }

  private List<JobStatus> jobs() throws SiteException {
    return device.control().jobs();
  }

  @Test
  void aJobIsCheckedRunReplacedAndRemoved() throws Exception {
    given(Action.CHECK, 1, SCRIPT, OrderState.REFUSED); // Nobody has allowed it.
    device.control().allowCenter(CenterRight.JOBS, true);
    given(Action.CHECK, 1, SCRIPT.replace("SELECT n", "SELECT m"), OrderState.REFUSED);
    given(Action.CHECK, 1, SCRIPT, OrderState.DONE);
    assertThat(jobs()).isEmpty();

    center.loseAnswers(2);
    given(Action.DEPLOY, 1, SCRIPT, OrderState.DONE);
    long version = jobs().getFirst().version();
    given(Action.DEPLOY, 1, SCRIPT, OrderState.DONE); // A center that was killed gives it twice.
    assertThat(jobs())
        .singleElement()
        .satisfies(
            job -> {
              assertThat(job.version()).isEqualTo(version);
              assertThat(job.given()).isEqualTo(1);
            });
    assertThatThrownBy(() -> device.control().submit(JOB, NEXT))
        .hasMessageContaining("there is a job called fleet already");

    devices.until("it runs", () -> jobs().getFirst().runningTasks() > 0);
    given(Action.CHECK, 2, NEXT, OrderState.DONE);
    assertThat(jobs().getFirst().given()).isEqualTo(1);
    given(Action.DEPLOY, 2, NEXT, OrderState.DONE);
    assertThat(jobs())
        .singleElement()
        .satisfies(
            job -> {
              assertThat(job.version()).isGreaterThan(version);
              assertThat(job.given()).isEqualTo(2);
            });
    devices.until(
        "the center hears which version it is",
        () ->
            center
                .takeLastPoll()
                .flatMap(poll -> poll.condition())
                .map(told -> told.jobs().stream().map(SiteCondition.OfJob::given).toList())
                .filter(List.of(2L)::equals)
                .isPresent());

    device.control().stop(JOB);
    devices.until("its rows are delivered", () -> jobs().getFirst().waitingRows() == 0);
    given(Action.REMOVE, 3, "", OrderState.DONE);
    assertThat(jobs()).isEmpty();
    given(Action.REMOVE, 3, "", OrderState.DONE);
    assertThat(device.control().submit(JOB, SCRIPT)).isFalse();
    assertThat(jobs().getFirst().given()).isZero();
  }

  @Test
  void aJobOfTheSitesOwnIsNotTouched() throws Exception {
    device.control().allowCenter(CenterRight.JOBS, true);
    device.control().submit(JOB, SCRIPT);
    JobStatus before = jobs().getFirst();
    given(Action.CHECK, 1, NEXT, OrderState.REFUSED);
    given(Action.DEPLOY, 1, NEXT, OrderState.REFUSED);
    given(Action.REMOVE, 2, "", OrderState.REFUSED);
    assertThat(jobs())
        .singleElement()
        .satisfies(
            job -> {
              assertThat(job.version()).isEqualTo(before.version());
              assertThat(job.given()).isZero();
              assertThat(job.state()).isEqualTo(before.state());
            });
  }

  /** What the center gave runs on; it gives nothing more. */
  @Test
  void anOwnerMayTakeTheLeaveBack() throws Exception {
    device.control().allowCenter(CenterRight.JOBS, true);
    given(Action.DEPLOY, 1, SCRIPT, OrderState.DONE);
    device.control().allowCenter(CenterRight.JOBS, false);
    given(Action.DEPLOY, 2, NEXT, OrderState.REFUSED);
    given(Action.REMOVE, 3, "", OrderState.REFUSED);
    assertThat(jobs().getFirst().given()).isEqualTo(1);
  }
}
