package io.sedge.site;

import static io.sedge.site.testkit.Devices.failure;
import static io.sedge.site.testkit.Devices.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.identity.EnrolmentClient;
import io.sedge.identity.TokenText;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Format;
import io.sedge.ledger.Limit;
import io.sedge.replication.Invitation;
import io.sedge.site.api.ConsoleAddress;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.JoinToken;
import io.sedge.site.api.LoopbackAddress;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteStatus;
import io.sedge.site.internal.membership.DeviceDirectory;
import io.sedge.site.testkit.Devices;
import io.sedge.task.FailureCode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How devices come together, come back and go. */
@Timeout(600)
class DeviceTest {
  @TempDir Path directory;
  private Devices devices;

  @BeforeEach
  void make() {
    devices = new Devices(directory);
  }

  @AfterEach
  void close() {
    devices.close();
  }

  @Test
  void threeDevicesBecomeASiteAndKnowEachOther() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    Device c = devices.join("c", a);
    devices.until("all know all", () -> names(c).equals(List.of("a", "b", "c")));
    devices.until("all vote", () -> a.control().status().ledger().voters() == 3);
    SiteStatus status = a.control().status();
    assertThat(b.control().status().site()).isEqualTo(status.site());
    assertThat(status.devices()).allMatch(DeviceStatus::voter);
    assertThat(c.control().limits().bound(Limit.SILENCE_MILLIS).value())
        .as("what a new site is founded with, beside what each ledger begins with")
        .isEqualTo(4_000);
  }

  @Test
  void keysAreReadableForTheirOwnerAlone() throws Exception {
    devices.start("a");
    Path data = directory.resolve("a");
    for (String file : List.of("authority/key.pem", "identity/key.pem", "control/socket")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(file))))
          .as(file)
          .isEqualTo("rw-------");
    }
    for (String file : List.of("authority", "identity", "control")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(file))))
          .as(file)
          .isEqualTo("rwx------");
    }
  }

  /** The scripts in the ledger's log have passwords, and umasks differ. */
  @Test
  void aDirectoryThatOthersMayEnterIsClosedToThemAndThatIsSaid() throws Exception {
    Path data = Files.createDirectories(directory.resolve("a"));
    Files.createDirectory(data.resolve("lost+found"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    devices.start("a");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data)))
        .isEqualTo("rwx------");
    assertThat(devices.said("a WARNING other users could enter " + data)).isEqualTo(1);
  }

  @Test
  void aDirectoryThatOthersMayEnterAndThatHasTheirFilesIsRefused() throws Exception {
    Path data = Files.createDirectories(directory.resolve("a"));
    Files.writeString(data.resolve("notes.txt"), "mine");
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThatThrownBy(() -> devices.start("a"))
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("files of others (notes.txt)");
    assertThat(data).isDirectoryContaining(file -> file.endsWith("notes.txt"));
    assertThat(data.resolve("ledger")).doesNotExist();
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
    devices.start("a");
  }

  @Test
  void aSiteComesBackAfterAllHaveStopped() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    Device c = devices.join("c", a);
    a.control().drain("c");
    String site = a.control().status().site();
    devices.close(a);
    devices.close(b);
    devices.close(c);
    Device again = devices.start("b");
    devices.start("c");
    devices.start("a");
    assertThat(again.control().status().site()).isEqualTo(site);
    devices.untilLed(again);
    devices.until(
        "it knows that c is drained",
        () ->
            again.control().status().devices().stream()
                .map(DeviceStatus::state)
                .toList()
                .equals(List.of(DeviceState.ACTIVE, DeviceState.ACTIVE, DeviceState.DRAINING)));
    again.control().undrain("c");
  }

  @Test
  void aDirectoryIsOfOneProcess() throws Exception {
    devices.start("a");
    assertThatThrownBy(() -> devices.start("a"))
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("another process runs the device");
  }

  @Test
  void aTokenLetsOneDeviceInAndNoOther() throws Exception {
    Device a = devices.start("a");
    JoinToken token = a.control().token(Duration.ofMinutes(5));
    devices.join("b", token);
    assertThatThrownBy(() -> devices.join("c", token))
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("has been used by another device");
    assertThat(names(a)).containsExactly("a", "b");
    assertThat(devices.said("refused 127.0.0.1")).isPositive();
  }

  @Test
  void aTokenOutlivesTheProcessThatMadeItAndThenEnds() throws Exception {
    Device a = devices.start("a");
    JoinToken ended = a.control().token(Duration.ofMillis(1));
    JoinToken token = a.control().token(Duration.ofMinutes(5));
    devices.close(a);
    Device again = devices.start("a");
    assertThatThrownBy(() -> devices.join("b", ended)).hasMessageContaining("the token has ended");
    devices.join("b", token);
    assertThat(names(again)).containsExactly("a", "b");
    byte[] secret = Base64.getUrlDecoder().decode(token.text().substring(6, 26));
    try (Stream<Path> files = Files.walk(directory.resolve("a"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
        assertThat(bytes.contains(new String(secret, StandardCharsets.ISO_8859_1)))
            .as("only hashes are kept, also in %s", file)
            .isFalse();
      }
    }
  }

  @Test
  void aTokenOfAnotherSiteIsRefusedByTheNewcomerItself() throws Exception {
    Device a = devices.start("a");
    Device other = devices.start("other");
    JoinToken token = other.control().token(Duration.ofMinutes(5));
    JoinToken wrong =
        new JoinToken(token.text(), a.options().enrolmentAddress(), token.endsAtMillis());
    assertThatThrownBy(() -> devices.join("b", wrong))
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("the token is of another site");
    devices.join("b", token);
  }

  @Test
  void aTokenThatWasCutOffIsSaidToBe() throws Exception {
    Device a = devices.start("a");
    JoinToken token = a.control().token(Duration.ofMinutes(5));
    JoinToken cut =
        new JoinToken(
            token.text().substring(0, token.text().length() - 1),
            token.address(),
            token.endsAtMillis());
    assertThatThrownBy(() -> devices.join("b", cut)).hasMessageContaining("not complete");
  }

  @Test
  void aClockThatIsFarOffIsSaidAndTheTokenStaysGood() throws Exception {
    Device a = devices.start("a");
    JoinToken token = a.control().token(Duration.ofMinutes(5));
    InstantSource wrong = () -> Instant.parse("1970-01-01T00:00:00Z");
    assertThatThrownBy(() -> devices.join("b", token, wrong))
        .hasMessageContaining("the newcomer's clock says 1970-01-01")
        .hasMessageContaining("the token is still good");
    devices.join("b", token);
  }

  /** No battery for the clock, no network to set it by: it begins long before the certificate. */
  @Test
  void aDeviceWhoseClockWasLostComesBack() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    devices.close(b);
    Device back = devices.start("b", () -> Instant.parse("1970-01-01T00:00:00Z"));
    devices.untilLed(back);
    a.control().drain("b");
    devices.until(
        "and is kept up to date",
        () ->
            back.control().status().devices().stream()
                .anyMatch(device -> device.state() == DeviceState.DRAINING));
  }

  @Test
  void aNameThatIsTakenIsRefusedAndTheTokenStaysGood() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    JoinToken token = a.control().token(Duration.ofMinutes(5));
    try (Devices others = new Devices(directory.resolve("others"))) {
      assertThatThrownBy(() -> others.join("b", token))
          .hasMessageContaining("a device called b is in the site already");
    }
    devices.join("c", token);
    devices.until("b hears of c", () -> names(b).contains("c"));
  }

  /** A directory that is left behind would decide name and address of the next attempt. */
  @Test
  void aJoinThatWasRefusedLeavesNothingBehind() throws Exception {
    Device a = devices.start("a");
    JoinToken token = a.control().token(Duration.ofMinutes(5));
    Path there = Files.createDirectories(directory.resolve("others/there"));
    try (Devices others = new Devices(directory.resolve("others"))) {
      assertThat(failure(() -> others.join("a", token))).isEqualTo(FailureCode.NAME_TAKEN);
      assertThat(directory.resolve("others/a")).doesNotExist();
      JoinToken nowhere =
          new JoinToken(token.text(), "127.0.0.1:" + Devices.freePorts(), token.endsAtMillis());
      assertThat(failure(() -> others.join("there", nowhere)))
          .isEqualTo(FailureCode.CONNECTION_FAILED);
      assertThat(there).as("it was there before").isEmptyDirectory();
      others.join("there", token);
    }
    assertThat(names(a)).containsExactly("a", "there");
  }

  @Test
  void anAddressThatAnotherDeviceHasIsRefusedWithACodeOfItsOwn() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    devices.join("other", a);
    devices.close(b);
    devices.untilLed(a);
    JoinToken token = a.control().token(Duration.ofMinutes(5));
    DeviceOptions taken = devices.options("b");
    DeviceOptions asked =
        DeviceOptions.of(
            directory.resolve("c"), "c", taken.host(), taken.port() + 1, taken.directory());
    assertThat(failure(() -> devices.join(asked, token)))
        .as("the device that has it is down, so the port is free")
        .isEqualTo(FailureCode.ADDRESS_IN_USE);
    assertThat(directory.resolve("c")).doesNotExist();
    devices.join("c", token);
  }

  /** It would be let in, and could not come. */
  @Test
  void aDeviceWhosePortIsTakenDoesNotAskToBeLetIn() throws Exception {
    Device a = devices.start("a");
    JoinToken token = a.control().token(Duration.ofMinutes(5));
    JoinToken cut =
        new JoinToken(token.text().substring(0, 20), token.address(), token.endsAtMillis());
    for (int port : List.of(devices.options("b").port(), devices.options("b").enrolmentPort())) {
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        assertThat(failure(() -> devices.join("b", token))).isEqualTo(FailureCode.ADDRESS_IN_USE);
        assertThat(failure(() -> devices.join("b", cut)))
            .as("what was typed is looked at first")
            .isEqualTo(FailureCode.USAGE);
      }
    }
    assertThat(names(a)).containsExactly("a");
    devices.join("b", token);
  }

  /** Two that are started at once may both have found the same ports free. */
  @Test
  void theFirstDeviceOfASiteTakesOtherPortsUntilItHasListened() throws Exception {
    DeviceOptions taken = devices.options("a");
    try (ServerSocket _ = new ServerSocket(taken.port(), 1, InetAddress.getLoopbackAddress())) {
      assertThat(failure(() -> devices.start("a"))).isEqualTo(FailureCode.ADDRESS_IN_USE);
    }
    int free = Devices.freePorts();
    Device a = devices.start("a", _ -> at(taken, taken.name(), free));
    assertThat(a.control().status().devices())
        .singleElement()
        .satisfies(device -> assertThat(device.address()).isEqualTo(Devices.HOST + ":" + free));
    devices.join("b", a);
    devices.close(a);
    assertThat(failure(() -> devices.start("a", _ -> taken)))
        .as("others know where it is")
        .isEqualTo(FailureCode.DIRECTORY_NOT_USABLE);
    try (ServerSocket _ = new ServerSocket(free, 1, InetAddress.getLoopbackAddress())) {
      assertThat(failure(() -> devices.start("a", _ -> at(taken, taken.name(), free))))
          .isEqualTo(FailureCode.CONNECTION_FAILED);
    }
  }

  /** It binds that port later, when the ledger has begun already. */
  @Test
  void theFirstDeviceOfASiteTakesOtherPortsWhereTheNextOneIsTaken() throws Exception {
    DeviceOptions taken = devices.options("a");
    try (ServerSocket _ =
        new ServerSocket(taken.enrolmentPort(), 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> devices.start("a"))
          .isInstanceOfSatisfying(
              SiteException.class,
              thrown -> assertThat(thrown.code()).isEqualTo(FailureCode.ADDRESS_IN_USE))
          .hasMessageContaining("cannot listen at " + taken.enrolmentAddress());
    }
    assertThat(taken.data()).doesNotExist();
    // As one leaves it that is killed then.
    try (DeviceDirectory killed = DeviceDirectory.take(taken.data(), (_, _) -> {})) {
      killed.write(DeviceDirectory.Settings.of(taken, Optional.empty()));
    }
    assertThat(Device.mayTakeOtherPorts(taken.data())).isTrue();
    devices.start("a", _ -> at(taken, taken.name(), Devices.freePorts()));
    assertThat(Device.mayTakeOtherPorts(taken.data())).isFalse();
  }

  // Else nothing could start there before this process ends.
  @Test
  void aDirectoryThatCannotBeEmptiedIsFreeAgain() throws Exception {
    Path data = directory.resolve("a");
    DeviceDirectory given = DeviceDirectory.take(data, (_, _) -> {});
    given.forget();
    Path elsewhere = Files.move(data, directory.resolve("b"));
    given.close();
    DeviceDirectory.take(elsewhere, (_, _) -> {}).close();
  }

  /** Whoever finds a device's directory takes it for a device. */
  @Test
  void aFirstStartThatFailsLeavesNothingBehind() throws Exception {
    Path data = directory.resolve("x/y/a");
    DeviceOptions wanted =
        DeviceOptions.of(data, "a", Devices.HOST, Devices.freePorts(), directory);
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      LoopbackAddress taken = new LoopbackAddress(Devices.HOST, socket.getLocalPort());
      List<DeviceOptions> failing =
          List.of(
              at(wanted, "a", taken.port()),
              wanted.withMetrics(Optional.of(taken)),
              wanted.withConsole(Optional.of(new ConsoleAddress(taken, true))));
      for (DeviceOptions options : failing) {
        assertThatThrownBy(() -> devices.start("a", _ -> options))
            .isInstanceOf(SiteException.class)
            .hasMessageContaining("cannot listen ");
        assertThat(directory.resolve("x")).doesNotExist();
      }
      Files.createDirectories(data.resolve("history/job"));
      Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
      for (DeviceOptions options : failing) {
        assertThatThrownBy(() -> devices.start("a", _ -> options))
            .isInstanceOf(SiteException.class);
        try (Stream<Path> left = Files.list(data)) {
          assertThat(left).containsExactly(data.resolve("history"));
        }
        assertThat(data.resolve("history/job")).exists();
      }
      // Where any port will do, another one is found.
      devices.start("a", _ -> wanted.withConsole(Optional.of(new ConsoleAddress(taken, false))));
    }
  }

  @Test
  void theFirstDeviceOfASiteTakesAnotherHostAndNameUntilItHasListened() throws Exception {
    DeviceOptions options = devices.options("a");
    DeviceOptions foreign =
        DeviceOptions.of(options.data(), "a", "203.0.113.9", options.port(), options.directory());
    assertThat(failure(() -> devices.start("a", _ -> foreign)))
        .as("an address of another machine")
        .isEqualTo(FailureCode.ADDRESS_IN_USE);
    Device device = devices.start("a", _ -> at(options, "other", options.port()));
    assertThat(names(device)).containsExactly("other");
  }

  private static DeviceOptions at(DeviceOptions options, String name, int port) {
    return DeviceOptions.of(options.data(), name, options.host(), port, options.directory());
  }

  @Test
  void twoThatJoinAtOnceDoNotGetTheSameAddress() throws Exception {
    Device a = devices.start("a");
    List<JoinToken> tokens =
        List.of(a.control().token(Duration.ofMinutes(5)), a.control().token(Duration.ofMinutes(5)));
    int port = Devices.freePorts();
    List<Future<Device>> joins = new ArrayList<>();
    int refused = 0;
    try (ExecutorService both = Executors.newFixedThreadPool(2)) {
      for (int i = 0; i < 2; i++) {
        String name = "n" + i;
        JoinToken token = tokens.get(i);
        DeviceOptions options =
            DeviceOptions.of(directory.resolve(name), name, Devices.HOST, port, directory);
        joins.add(both.submit(() -> devices.join(options, token)));
      }
      for (Future<Device> join : joins) {
        try {
          join.get();
        } catch (ExecutionException e) {
          assertThat(e.getCause())
              .isInstanceOfSatisfying(
                  SiteException.class,
                  thrown -> assertThat(thrown.code()).isEqualTo(FailureCode.ADDRESS_IN_USE));
          refused++;
        }
      }
    }
    assertThat(refused).isEqualTo(1);
    assertThat(names(a)).hasSize(2);
  }

  @Test
  void whoJoinsAtTheLedgersPortIsToldTheRightOne() throws Exception {
    Device a = devices.start("a");
    JoinToken token = a.control().token(Duration.ofMinutes(5));
    JoinToken wrong = new JoinToken(token.text(), a.options().address(), token.endsAtMillis());
    assertThatThrownBy(() -> devices.join("b", wrong))
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("sedge device join " + a.options().enrolmentAddress());
    devices.join("b", token);
  }

  /** The newcomer has heard nothing of the place that was kept for it. */
  @Test
  void aJoinThatWasCutOffMayBeRepeatedUnderAnotherName() throws Exception {
    Device a = devices.start("a");
    JoinToken token = a.control().token(Duration.ofMinutes(5));
    Path identity = Files.createDirectories(directory.resolve("b/identity"));
    EnrolmentClient.join(
        token.address(),
        TokenText.parse(token.text()),
        identity,
        devices.options("b"),
        Format.NEWEST,
        InstantSource.system(),
        new EnrolmentClient.Joining() {
          @Override
          public void asked() {}

          @Override
          public void keep(Invitation invitation) {}
        });
    assertThat(names(a)).containsExactly("a", "b");
    Files.delete(identity.resolve("certificate.pem"));
    DeviceOptions other =
        DeviceOptions.of(directory.resolve("b"), "c", Devices.HOST, Devices.freePorts(), directory);
    devices.join(other, token);
    assertThat(names(a)).containsExactly("a", "c");
  }

  @Test
  void aJoinThatWasCutOffBeforeItsEndIsTakenUpAgain() throws Exception {
    Device a = devices.start("a");
    JoinToken token = a.control().token(Duration.ofMinutes(5));
    devices.close(devices.join("b", token));
    Path data = directory.resolve("b");
    Files.delete(data.resolve("identity/certificate.pem"));
    assertThat(failure(() -> devices.start("b"))).isEqualTo(FailureCode.DIRECTORY_NOT_USABLE);
    Device again = devices.join("b", token);
    devices.until("it is back", () -> names(again).equals(List.of("a", "b")));
  }

  @Test
  void anyDeviceHandsOutTokensThroughTheOneThatHasTheAuthority() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    devices.until("b knows a", () -> names(b).contains("a"));
    Device c = devices.join("c", b);
    devices.until("c is in", () -> names(c).size() == 3);
  }

  @Test
  void aDeviceThatWasRemovedStopsAndItsNameIsFree() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    Device c = devices.join("c", a);
    a.control().removeDevice("c", false);
    assertThat(failure(c::await)).isEqualTo(FailureCode.SHUT_OUT);
    devices.close(c);
    devices.until("b hears of it", () -> names(b).equals(List.of("a", "b")));
    try (Devices others = new Devices(directory.resolve("others"))) {
      Device fresh = others.join("c", a);
      others.until("the new one is in", () -> names(fresh).size() == 3);
    }
  }

  @Test
  void whoIsAskedToRemoveItselfOrTheOnlyAuthorityRefuses() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    devices.until("b knows that a has the authority", () -> names(b).contains("a"));
    assertThat(failure(() -> a.control().removeDevice("a", false))).isEqualTo(FailureCode.NOT_NOW);
    devices.until(
        "b knows that a has the authority",
        () -> failure(() -> b.control().removeDevice("a", false)) == FailureCode.NOT_NOW);
    assertThat(failure(() -> a.control().drain("nobody"))).isEqualTo(FailureCode.UNKNOWN_NAME);
    assertThat(names(a)).containsExactly("a", "b");
  }

  @Test
  void certificatesAreRenewedWhileTheSiteRuns() throws Exception {
    devices.withValidity(Duration.ofSeconds(6));
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    devices.until(
        "both have renewed theirs twice",
        () ->
            List.of("a ", "b ").stream()
                .allMatch(
                    name ->
                        devices.reports().stream()
                                .filter(line -> line.startsWith(name))
                                .filter(line -> line.contains("the certificate was renewed"))
                                .count()
                            >= 2));
    b.control().drain("a");
    devices.untilLed(a);
  }

  @Test
  void aDeviceWhoseCertificateHasEndedRenewsItAndComesBack() throws Exception {
    devices.withValidity(Duration.ofSeconds(20));
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    devices.close(b);
    devices.close(a);
    Instant later = Instant.now().plus(Duration.ofDays(400));
    Instant began = Instant.now();
    InstantSource clock = () -> later.plus(Duration.between(began, Instant.now()));
    devices.start("a", clock);
    Device back = devices.start("b", clock);
    devices.until("b has renewed", () -> devices.renewals("b") > 0);
    devices.untilLed(back);
    back.control().drain("b");
  }
}
