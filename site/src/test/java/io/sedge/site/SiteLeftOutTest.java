package io.sedge.site;

import static io.sedge.site.testkit.Devices.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Division;
import io.sedge.identity.DeviceIdentity;
import io.sedge.identity.testkit.FakeEnrolment;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteLeftOut;
import io.sedge.site.testkit.Devices;
import io.sedge.task.FailureCode;
import io.sedge.task.LeftOut;
import io.sedge.task.testkit.FakeConnector;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a job has left out on all devices of a site, asked of one of them. */
@Timeout(600)
class SiteLeftOutTest {
  private static final String PASSWORD = "correct 2 horses battery";

  private static final String SCRIPT = Devices.copying(PASSWORD);

  @TempDir Path directory;
  private final FakeConnector tables = new FakeConnector();
  private Devices devices;
  private Device a;
  private Device b;

  /** Each of its tasks, one on each device, is given a payload that is malformed. */
  @BeforeEach
  void startAJobOnTwoDevices() throws Exception {
    devices = new Devices(directory).with(tables);
    tables.division = Division.BY_DEVICE;
    tables.reason = "%s is no number, at character 7".formatted(PASSWORD);
    tables.payload = "x".repeat(390) + PASSWORD;
    a = devices.start("a");
    b = devices.join("b", a);
    a.control().submit("plant", SCRIPT);
    devices.until("b knows the job", () -> !b.control().jobs().isEmpty());
  }

  @AfterEach
  void close() {
    devices.close();
  }

  private static SiteLeftOut leftOut(Device asked) throws SiteException {
    return asked.control().leftOut("plant");
  }

  /** What is answered as soon as both are heard, and have left out what they were given. */
  private SiteLeftOut ofBoth(Device asked) throws Exception {
    AtomicReference<SiteLeftOut> answer = new AtomicReference<>();
    devices.until(
        "both have left out a payload",
        () -> {
          answer.set(leftOut(asked));
          return answer.get().reasons().stream().anyMatch(each -> each.devices().size() == 2);
        });
    return answer.get();
  }

  private void untilMissing(String name, String why) throws Exception {
    devices.until(
        "it is said of %s that %s".formatted(name, why),
        () -> leftOut(a).missing().getOrDefault(name, "").contains(why));
  }

  @Test
  void theSameReasonOnTwoDevicesIsOneAndTellsNoSecret() throws Exception {
    for (Device asked : List.of(a, b)) {
      SiteLeftOut answer = ofBoth(asked);
      assertThat(answer.missing()).isEmpty();
      assertThat(answer.others()).isZero();
      assertThat(answer.reasons()).hasSize(1);
      SiteLeftOut.Reason reason = answer.reasons().getFirst();
      assertThat(reason.devices()).containsExactly("a", "b");
      LeftOut out = reason.leftOut();
      assertThat(out.count()).isEqualTo(2);
      assertThat(out.table()).isEqualTo("numbers");
      assertThat(out.what()).isEqualTo(LeftOut.What.PAYLOAD);
      assertThat(out.reason()).isEqualTo("*** is no number, at character 7");
      assertThat(out.sample()).isEqualTo("x".repeat(390) + "***");
      assertThat(answer.toString()).doesNotContain(PASSWORD.substring(0, 4));
    }
    assertThat(failure(() -> a.control().leftOut("no such job")))
        .isEqualTo(FailureCode.UNKNOWN_NAME);
  }

  /** Who has mended the script wants to know whether it is mended. */
  @Test
  void anotherScriptCountsFromNothing() throws Exception {
    ofBoth(a);
    tables.reason = "too long";
    String other = SCRIPT.replace("SELECT n FROM", "SELECT n + 1 FROM");
    a.control().replace("plant", other, a.control().replacement("plant", other));
    devices.until(
        "what the script before has left out is forgotten",
        () ->
            leftOut(a).missing().isEmpty()
                && leftOut(a).reasons().stream()
                    .noneMatch(reason -> reason.leftOut().reason().contains("no number")));
  }

  /** As after a fault of its source: what it has left out before is not forgotten. */
  @Test
  void whatATaskHasLeftOutThatIsOverStaysCounted() throws Exception {
    ofBoth(a);
    a.control().pause("plant");
    devices.until("no task runs", () -> a.control().jobs().getFirst().runningTasks() == 0);
    assertThat(ofBoth(a).reasons())
        .singleElement()
        .matches(reason -> reason.leftOut().count() == 2);
  }

  @Test
  void aDeviceThatIsDownIsNamedAndTheOthersAreHeard() throws Exception {
    ofBoth(a);
    devices.close(b);
    untilMissing("b", "it is not running, as far as this device knows, and nobody listens at ");
    assertThat(leftOut(a).reasons())
        .singleElement()
        .matches(reason -> reason.devices().equals(List.of("a")));
  }

  @Test
  void oneOfAnOlderVersionThatDoesNotKnowTheQuestionIsSaidToBe() throws Exception {
    devices.close(b);
    DeviceIdentity identity =
        DeviceIdentity.open(directory.resolve("b/identity"), InstantSource.system());
    int port = b.options().enrolmentPort();
    try (FakeEnrolment _ = FakeEnrolment.start(identity.tls(), port, _ -> {})) {
      untilMissing("b", "its version of Sedge is older, and does not know what it was asked");
    }
  }
}
