package io.sedge.site;

import static io.sedge.site.testkit.Devices.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Division;
import io.sedge.identity.DeviceIdentity;
import io.sedge.identity.testkit.FakeEnrolment;
import io.sedge.site.api.DeviceLogs;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.JoinToken;
import io.sedge.site.api.LogLine;
import io.sedge.site.api.LogPage;
import io.sedge.site.api.LoopbackAddress;
import io.sedge.site.api.SiteException;
import io.sedge.site.testkit.Devices;
import io.sedge.task.FailureCode;
import io.sedge.task.testkit.FakeConnector;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What all devices of a site have said, asked of one of them. */
@Timeout(600)
class SiteLogsTest {
  private static final String PASSWORD = "correct horse battery";

  private static final String SCRIPT = Devices.copying(PASSWORD);

  @TempDir Path directory;
  private final FakeConnector tables = new FakeConnector();
  private Devices devices;

  @BeforeEach
  void make() {
    devices = new Devices(directory).with(tables);
  }

  @AfterEach
  void close() {
    devices.close();
  }

  private static DeviceLogs logs(Device asked, String of) throws SiteException {
    List<DeviceLogs> logs = asked.control().siteLogs("", Set.of(of), Map.of());
    assertThat(logs).hasSize(1);
    return logs.getFirst();
  }

  /** Waits until one device says of another why that cannot be asked. */
  private void untilMissing(Device asked, String name, String reason) throws Exception {
    devices.until(
        "it is said of %s that %s".formatted(name, reason),
        () -> logs(asked, name).failure().contains(reason));
  }

  /** On a busy machine an answer may take longer than the others wait for it. */
  private void untilHeard(Device asked, String name) throws Exception {
    devices.until(name + " answers", () -> logs(asked, name).failure().isEmpty());
  }

  private DeviceIdentity identity(String name) throws Exception {
    return DeviceIdentity.open(directory.resolve(name).resolve("identity"), InstantSource.system());
  }

  /** One job, whose tasks run on both: whoever asks either sees what both say, without secrets. */
  @Test
  void theLinesOfAllDevicesAreSeenFromEach() throws Exception {
    tables.division = Division.BY_DEVICE;
    tables.reason = "one cannot log in with " + PASSWORD;
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    a.control().submit("plant", SCRIPT);
    devices.until("b knows the job", () -> !b.control().jobs().isEmpty());
    for (Device asked : List.of(a, b)) {
      devices.until(
          "the lines of both are seen",
          () -> {
            List<DeviceLogs> logs = asked.control().siteLogs("plant", Set.of(), Map.of());
            return logs.stream().map(DeviceLogs::device).toList().equals(List.of("a", "b"))
                && logs.stream()
                    .allMatch(part -> part.page().toString().contains("cannot log in with ***"));
          });
      List<DeviceLogs> logs = asked.control().siteLogs("plant", Set.of(), Map.of());
      assertThat(logs.toString()).doesNotContain(PASSWORD);
      assertThat(logs)
          .flatExtracting(part -> part.page().lines())
          .extracting(LogLine::task)
          .allMatch(task -> task.startsWith("plant/"));
    }
    assertThat(failure(() -> a.control().siteLogs("no such job", Set.of(), Map.of())))
        .isEqualTo(FailureCode.UNKNOWN_NAME);
    assertThat(failure(() -> a.control().siteLogs("", Set.of("x"), Map.of())))
        .isEqualTo(FailureCode.UNKNOWN_NAME);
  }

  /** Without the authority it refuses newcomers, and says so. */
  private void makeSayThatItRefuses(Device device, JoinToken token) {
    assertThat(
            failure(
                () -> {
                  String elsewhere = device.options().enrolmentAddress();
                  devices.join("x", new JoinToken(token.text(), elsewhere, token.endsAtMillis()));
                }))
        .isEqualTo(FailureCode.NO_AUTHORITY);
  }

  @Test
  void whoGivesTheMarkBackHearsWhatCameAfterAndAllOfAProcessThatIsNew() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    untilHeard(a, "b");
    LogPage before = logs(a, "b").page();
    assertThat(before.lines()).isNotEmpty().isEqualTo(b.control().logs("", 0));
    Map<String, String> marks = Map.of("b", before.mark());
    JoinToken token = a.control().token(Duration.ofMinutes(5));
    makeSayThatItRefuses(b, token);
    devices.until(
        "what came after is heard, and nothing else",
        () -> {
          LogPage page = a.control().siteLogs("", Set.of("b"), marks).getFirst().page();
          return page.lines().size() == 1
              && page.lines().getFirst().text().contains("does not have the certificate authority");
        });
    devices.close(b);
    Device again = devices.start("b");
    makeSayThatItRefuses(again, token);
    devices.until(
        "all of the new process is heard",
        () -> {
          LogPage page = a.control().siteLogs("", Set.of("b"), marks).getFirst().page();
          return !page.lines().isEmpty() && page.lines().equals(again.control().logs("", 0));
        });
  }

  @Test
  void devicesThatAreDownOrExpelledDoNotKeepTheOthersFromBeingHeard() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    Device c = devices.join("c", a);
    devices.close(b);
    untilMissing(a, "b", "it is not running, as far as this device knows, and nobody listens at ");
    untilHeard(a, "c");
    devices.until(
        "the others are heard",
        () ->
            a.control().siteLogs("", Set.of(), Map.of()).stream()
                .filter(logs -> logs.failure().isEmpty() && !logs.page().lines().isEmpty())
                .map(DeviceLogs::device)
                .toList()
                .equals(List.of("a", "c")));
    assertThat(c.control().siteLogs("", Set.of(), Map.of())).hasSize(3);
    a.control().expel("b", false);
    devices.until("expelled ones are not asked", () -> heardOf(c).equals(List.of("a", "c")));
  }

  private static List<String> heardOf(Device asked) throws SiteException {
    return asked.control().siteLogs("", Set.of(), Map.of()).stream()
        .map(DeviceLogs::device)
        .toList();
  }

  /** It takes the connection, and says nothing for as long as the test goes on. */
  @Test
  void aDeviceThatHangsIsGivenUpAndTheOthersAreHeard() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    devices.join("c", a);
    devices.close(b);
    CountDownLatch end = new CountDownLatch(1);
    int port = b.options().enrolmentPort();
    try (FakeEnrolment _ = FakeEnrolment.start(identity("b").tls(), port, _ -> await(end))) {
      untilMissing(a, "b", "it has not answered at 127.0.0.1:%d within 2 s".formatted(port));
      devices.until(
          "c is heard at the same time",
          () -> {
            List<DeviceLogs> logs = a.control().siteLogs("", Set.of(), Map.of());
            return !logs.get(1).failure().isEmpty() && !logs.get(2).page().lines().isEmpty();
          });
    } finally {
      end.countDown();
    }
  }

  private static void await(CountDownLatch end) throws InterruptedIOException {
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException(e.toString());
    }
  }

  /** One that has the authority listens, and ends connections that ask what it does not know. */
  @Test
  void oneOfAnOlderVersionThatDoesNotKnowTheQuestionIsSaidToBe() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    devices.close(b);
    try (FakeEnrolment _ =
        FakeEnrolment.start(identity("b").tls(), b.options().enrolmentPort(), _ -> {})) {
      untilMissing(a, "b", "its version of Sedge is older, and does not know what it was asked");
    }
  }

  /** One that does not have it does not listen. */
  @Test
  void oneOfAnOlderVersionThatIsUpAndDoesNotListenIsSaidToBe() throws Exception {
    Device a = devices.start("a");
    int port = devices.options("b").enrolmentPort();
    devices.close(devices.join("b", a));
    try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      devices.start("b");
    }
    untilMissing(
        a,
        "b",
        "it is up, but does not listen at 127.0.0.1:%d: its version of Sedge is older"
            .formatted(port));
  }

  /** When one most wants to know what it says: it may know of no devices at all by then. */
  @Test
  void aDeviceWithoutAMajorityShowsItsOwnLines() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    devices.close(a);
    devices.close(b);
    Device again = devices.start("b");
    assertThat(heardOf(again)).contains("b");
    devices.until("it says something", () -> !logs(again, "b").page().lines().isEmpty());
  }

  /** As where the next port is another one's by a person's choice, of before devices listened. */
  @Test
  void aPortThatIsToServeSomethingElseIsLeftToIt() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    devices.close(b);
    int port = b.options().enrolmentPort();
    Device again =
        devices.start(
            "b",
            options -> options.withMetrics(Optional.of(new LoopbackAddress("127.0.0.1", port))));
    assertThat(
            devices.said("cannot listen at 127.0.0.1:%d: metrics are told there".formatted(port)))
        .isOne();
    assertThat(again.options().metrics()).isPresent();
  }

  /** The one that is started first must not take the other one's port. */
  @Test
  void aDeviceCannotJoinAtAPortThatIsAnotherOnes() throws Exception {
    Device a = devices.start("a");
    int port = a.options().port();
    for (int other : List.of(port - 1, port, port + 1)) {
      DeviceOptions options =
          DeviceOptions.of(directory.resolve("x"), "x", Devices.HOST, other, directory);
      assertThat(failure(() -> devices.join("x", a, _ -> options)))
          .as("port %d beside %d", other, port)
          .isEqualTo(FailureCode.ADDRESS_IN_USE);
    }
  }

  @Test
  void aDeviceThatWasRemovedIsLeftOutWhereOthersAreAskedToo() throws Exception {
    Device a = devices.start("a");
    devices.join("b", a);
    a.control().removeDevice("b", false);
    assertThat(a.control().siteLogs("", Set.of("a", "b"), Map.of()))
        .extracting(DeviceLogs::device)
        .containsExactly("a");
    assertThat(failure(() -> a.control().siteLogs("", Set.of("b"), Map.of())))
        .isEqualTo(FailureCode.UNKNOWN_NAME);
  }
}
