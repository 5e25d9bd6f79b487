package io.sedge.site;

import static io.sedge.site.testkit.Devices.failure;
import static io.sedge.site.testkit.Devices.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.JoinToken;
import io.sedge.site.api.SiteException;
import io.sedge.site.testkit.Devices;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A site whose first device goes: who lets others in then, and who does not. */
@Timeout(600)
class AuthorityTest {
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

  private static List<String> holders(Device device) throws SiteException {
    return device.control().status().devices().stream()
        .filter(DeviceStatus::authority)
        .map(DeviceStatus::name)
        .toList();
  }

  private void copyAuthority(String from, String to) throws IOException {
    Path target = Files.createDirectories(directory.resolve(to).resolve("authority"));
    for (String file : List.of("key.pem", "certificate.pem")) {
      Files.copy(directory.resolve(from).resolve("authority").resolve(file), target.resolve(file));
    }
  }

  /** The whole life of a site must not hang on the disk of its first device. */
  @Test
  void theFirstDeviceIsReplaceable() throws Exception {
    devices.withValidity(Duration.ofSeconds(12));
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    devices.join("c", a);
    a.control().giveAuthority("b");
    assertThat(holders(a)).containsExactly("a", "b");
    devices.close(a);
    devices.untilLed(b);
    long renewed = devices.renewals("c");
    Device d = devices.join("d", b);
    devices.until("the newcomer is in", () -> names(d).size() == 4);
    devices.until(
        "certificates are renewed",
        () -> devices.renewals("c") > renewed && devices.renewals("d") > 0);
    b.control().removeDevice("a", false);
    devices.until("it is gone everywhere", () -> names(d).equals(List.of("b", "c", "d")));
    devices.until("it votes no more anywhere", () -> b.control().status().ledger().voters() == 3);
    Device back = devices.start("a");
    assertThat(failure(back::await))
        .as("having the authority makes it no device of the site")
        .isEqualTo(FailureCode.SHUT_OUT);
  }

  @Test
  void whatIsGivenIsKeptForItsOwnerAloneSaidOnBothAndOutlivesTheProcess() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    a.control().giveAuthority("b");
    a.control().giveAuthority("b");
    assertThat(devices.reports())
        .filteredOn(line -> line.contains("authority"))
        .containsExactlyInAnyOrder(
            "a INFO the certificate authority is given to device b",
            "b INFO this device has the site's certificate authority from now on, in "
                + directory.resolve("b/authority"));
    assertThat(permissions("b/authority")).isEqualTo("rwx------");
    assertThat(permissions("b/authority/key.pem")).isEqualTo("rw-------");
    JoinToken token = b.control().token(Duration.ofMinutes(5));
    assertThat(token.address()).isEqualTo(b.options().enrolmentAddress());
    devices.close(b);
    Device again = devices.start("b");
    devices.untilLed(a, again);
    devices.until("both have it", () -> holders(again).equals(List.of("a", "b")));
    devices.join("c", token);
  }

  private String permissions(String file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(file)));
  }

  @Test
  void itIsGivenToNoDeviceThatWasExpelledIsStoppedOrIsUnknown() throws Exception {
    Device a = devices.start("a");
    devices.join("b", a);
    Device c = devices.join("c", a);
    devices.join("d", a);
    a.control().expel("b", false);
    assertThat(failure(() -> a.control().giveAuthority("b"))).isEqualTo(FailureCode.SHUT_OUT);
    devices.close(c);
    devices.until("c is known to be away", () -> !isUp(a, "c"));
    assertThat(failure(() -> a.control().giveAuthority("c"))).isEqualTo(FailureCode.NOT_NOW);
    assertThat(failure(() -> a.control().giveAuthority("x"))).isEqualTo(FailureCode.UNKNOWN_NAME);
    assertThat(holders(a)).containsExactly("a");
    assertThat(directory.resolve("b/authority")).doesNotExist();
    assertThat(directory.resolve("c/authority")).doesNotExist();
  }

  @Test
  void onlyADeviceThatHasItIsAskedToGiveIt() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    devices.join("c", a);
    devices.until("b knows c", () -> names(b).contains("c"));
    assertThatThrownBy(() -> b.control().giveAuthority("c"))
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("it is given on a device that has it: a");
  }

  /** Otherwise the device could not be started again. */
  @Test
  void aDeviceThatCannotListenDoesNotKeepItAndMayBeGivenItLater() throws Exception {
    Device a = devices.start("a");
    devices.close(devices.join("b", a));
    try (ServerSocket _ =
        new ServerSocket(
            devices.options("b").enrolmentPort(), 1, InetAddress.getLoopbackAddress())) {
      devices.untilLed(devices.start("b"));
      devices.until("a sees that b is up", () -> isUp(a, "b"));
      assertThat(devices.said("b WARNING the other devices cannot ask this one")).isEqualTo(1);
      assertThatThrownBy(() -> a.control().giveAuthority("b"))
          .hasMessageContaining("could not use it");
    }
    assertThat(devices.said("cannot listen for newcomers")).isPositive();
    assertThat(directory.resolve("b/authority/key.pem")).doesNotExist();
    assertThat(holders(a)).containsExactly("a");
    a.control().giveAuthority("b");
    assertThat(holders(a)).containsExactly("a", "b");
  }

  @Test
  void aSiteGoesOnWithoutTheAuthorityAndWithItAgainFromABackup() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    Device c = devices.join("c", a);
    a.control().token(Duration.ofMinutes(5));
    devices.close(a);
    devices.until(
        "the others know that it is the only one",
        () -> failure(() -> b.control().removeDevice("a", false)) == FailureCode.NOT_NOW);
    b.control().removeDevice("a", true);
    devices.until("c hears of it", () -> names(c).equals(List.of("b", "c")));
    assertThat(b.control().status().ledger().voters()).isEqualTo(2);
    assertThat(holders(b)).isEmpty();
    assertThat(failure(() -> b.control().token(Duration.ofMinutes(5))))
        .isEqualTo(FailureCode.NO_AUTHORITY);
    devices.close(b);
    copyAuthority("a", "b");
    Device again = devices.start("b");
    devices.untilLed(again, c);
    devices.until("it is known", () -> holders(c).equals(List.of("b")));
    Device d = devices.join("d", again);
    devices.until("the newcomer is in", () -> names(d).equals(List.of("b", "c", "d")));
  }

  /** Whoever is down may never come back. */
  @Test
  void aDeviceThatIsDownDoesNotCountAsOneThatHasTheAuthority() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    Device c = devices.join("c", a);
    a.control().giveAuthority("b");
    devices.close(b);
    devices.until("c sees that b is down", () -> !isUp(c, "b"));
    assertThatThrownBy(() -> c.control().removeDevice("a", false))
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("no other device with the certificate authority is up");
    assertThat(failure(() -> c.control().expel("a", false))).isEqualTo(FailureCode.NOT_NOW);
    devices.start("b");
    devices.until("c sees that b is up", () -> isUp(c, "b"));
    c.control().removeDevice("a", false);
    assertThat(holders(c)).containsExactly("b");
  }

  private static boolean isUp(Device asked, String name) throws SiteException {
    return asked.control().status().devices().stream()
        .anyMatch(device -> device.name().equals(name) && device.alive());
  }

  /** Whoever made it may be down when the newcomer comes. */
  @Test
  void aTokenIsGoodAtEveryDeviceThatHasTheAuthorityAndOnce() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    devices.join("c", a);
    a.control().giveAuthority("b");
    JoinToken token = a.control().token(Duration.ofMinutes(5));
    devices.close(a);
    devices.untilLed(b);
    JoinToken elsewhere =
        new JoinToken(token.text(), b.options().enrolmentAddress(), token.endsAtMillis());
    devices.join("d", elsewhere);
    Device again = devices.start("a");
    devices.untilLed(again);
    devices.until("a knows of it", () -> names(again).contains("d"));
    assertThatThrownBy(() -> devices.join("e", token))
        .hasMessageContaining("has been used by another device");
    assertThatThrownBy(() -> devices.join("e", elsewhere))
        .hasMessageContaining("has been used by another device");
  }

  @Test
  void aDeviceWithoutItSaysThatItCannotLetOthersIn() throws Exception {
    Device a = devices.start("a");
    Device b = devices.join("b", a);
    JoinToken token = a.control().token(Duration.ofMinutes(5));
    JoinToken elsewhere =
        new JoinToken(token.text(), b.options().enrolmentAddress(), token.endsAtMillis());
    assertThat(failure(() -> devices.join("c", elsewhere))).isEqualTo(FailureCode.NO_AUTHORITY);
    devices.join("c", token);
  }

  /** It would be good for nothing, and hashes of tokens are no business of a backup. */
  @Test
  void theTokensFileOfAVersionBeforeIsRemoved() throws Exception {
    devices.close(devices.start("a"));
    Path file = directory.resolve("a/authority/tokens");
    Files.writeString(file, "00 0 - 00\n");
    devices.start("a");
    assertThat(file).doesNotExist();
  }

  @Test
  void theAuthorityOfAnotherSiteIsRefused() throws Exception {
    Device a = devices.start("a");
    devices.close(devices.join("b", a));
    Device other = devices.start("other");
    other.control().token(Duration.ofMinutes(5));
    copyAuthority("other", "b");
    assertThatThrownBy(() -> devices.start("b"))
        .isInstanceOf(SiteException.class)
        .hasMessageContaining("is of another site's authority");
  }
}
