package io.sedge.replication;

import static io.sedge.replication.testkit.Members.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.Envelope;
import io.sedge.replication.testkit.Await;
import io.sedge.replication.testkit.Certificates;
import io.sedge.replication.testkit.Flood;
import io.sedge.replication.testkit.Members;
import io.sedge.replication.testkit.Stranger;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may talk to a member, and what it makes of what it is sent. */
class SecurityTest {
  @TempDir Path directory;
  private Certificates site;
  private Members members;

  @BeforeEach
  void make() throws Exception {
    site = new Certificates(directory, "site");
    members = new Members(directory).withTls(site.sign("member"));
  }

  @AfterEach
  void close() {
    members.close();
  }

  private static List<String> devices(LedgerMember member) {
    return member.read(state -> state.devices().stream().map(Device::name).toList());
  }

  private static byte[] command(String device) {
    return new Envelope(
            1, 1, 1, List.of(new Command.RegisterDevice(device, "stranger:1", Map.of())))
        .encode();
  }

  @Test
  void membersThatShowCertificatesOfTheSiteReplicate() throws Exception {
    LedgerMember first = members.found("a");
    LedgerMember second = members.join("b", first);
    LedgerMember third = members.join("c", first);
    done(third, new Command.RegisterDevice("one", "host:1", Map.of()));
    members.close(first);
    done(second, new Command.RegisterDevice("two", "host:1", Map.of()));
    assertThat(devices(members.leader())).containsExactly("one", "two");
  }

  /** The member's own certificate serves to show that the others are refused for what they lack. */
  @Test
  void plainTextNoCertificateAndAStrangersAreRefusedAndTheSiteGoesOn() throws Exception {
    LedgerMember first = members.found("a");
    int port = members.options("a").port();
    Stranger stranger = new Stranger(first, Members.HOST, port);
    assertThat(stranger.send(command("invited"), Optional.of(site.sign("client"))))
        .as("with a certificate of the site")
        .isTrue();
    assertThat(stranger.send(command("plain"), Optional.empty())).isFalse();
    Certificates other = new Certificates(directory, "other");
    assertThat(stranger.send(command("other"), Optional.of(other.sign("client")))).isFalse();
    assertThat(
            stranger.send(
                command("half"),
                Optional.of(new Tls(other.sign("half").keys(), site.sign("half").trust()))))
        .as("trusts the site, shows a certificate of another")
        .isFalse();
    for (byte[] noise :
        List.of(
            "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
            random(100_000))) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
          OutputStream output = socket.getOutputStream()) {
        output.write(noise);
      } catch (java.io.IOException e) {
        assertThat(e).as("closed by the member").isNotNull();
      }
    }
    done(first, new Command.RegisterDevice("after", "host:1", Map.of()));
    assertThat(devices(first)).containsExactly("after", "invited");
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(5).nextBytes(bytes);
    return bytes;
  }

  /** Who has a certificate may still send nonsense, by a fault or on purpose. */
  @Test
  void malformedAndOversizedCommandsAreRefusedAndTheSiteGoesOn() throws Exception {
    LedgerMember first = members.found("a");
    Stranger stranger = new Stranger(first, Members.HOST, members.options("a").port());
    Optional<Tls> certificate = Optional.of(site.sign("client"));
    byte[] later = command("later");
    later[0] = 7;
    for (byte[] bytes : List.of(new byte[0], new byte[] {1}, random(1_000), later)) {
      assertThat(stranger.send(bytes, certificate)).isFalse();
    }
    assertThat(stranger.send(new byte[(1 << 20) + 1], certificate)).isFalse();
    assertThat(stranger.send(new byte[6 << 20], certificate)).isFalse();
    done(first, new Command.RegisterDevice("after", "host:1", Map.of()));
    assertThat(devices(first)).containsExactly("after");
    assertThat(members.reports())
        .filteredOn(report -> report.contains("malformed"))
        .as("said once, the rest is counted")
        .hasSize(1);
  }

  @Test
  void aMemberWithAStrangersCertificateIsNotAdded() throws Exception {
    LedgerMember first = members.found("a");
    Certificates other = new Certificates(directory, "other");
    try (Members strangers =
        new Members(directory.resolve("strangers")).withTls(other.sign("member"))) {
      assertThatExceptionOfType(LedgerException.class)
          .isThrownBy(
              () -> first.add(strangers.start("x", first.invite()).self(), Duration.ofSeconds(3)));
    }
    done(first, new Command.RegisterDevice("after", "host:1", Map.of()));
    assertThat(first.members()).hasSize(1);
  }

  private List<String> refused() {
    return members.reports().stream().filter(report -> report.contains("refused ")).toList();
  }

  private Stranger stranger(LedgerMember member) {
    return new Stranger(member, Members.HOST, members.options("a").port());
  }

  /** Else nobody would know that somebody knocks. Each comes twice; what repeats is counted. */
  @Test
  void whoIsRefusedIsSaidOnceWithTheAddressAndTheReason() throws Exception {
    LedgerMember first = members.found("a");
    Stranger stranger = stranger(first);
    Tls client = site.sign("client");
    Tls other = new Certificates(directory, "other").sign("client");
    Optional<X509ExtendedKeyManager> own = Optional.of(client.keys());
    byte[] http = "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < 2; i++) {
      assertThat(stranger.isEndedAfter(http)).isTrue();
      assertThat(stranger.isEndedAfterHandshake(Optional.empty(), client.trust(), "h2")).isTrue();
      assertThat(stranger.isEndedAfterHandshake(Optional.of(other.keys()), client.trust(), "h2"))
          .isTrue();
      assertThat(stranger.isEndedAfterHandshake(own, client.trust(), "http/1.1")).isTrue();
      assertThat(stranger.isEndedAfterHandshake(own, other.trust(), "h2")).isTrue();
      assertThat(stranger.send(new byte[6 << 20], Optional.of(client))).isFalse();
    }
    Await.until(() -> "all are counted: " + members.reports(), () -> first.refusals() == 12);
    assertThat(refused())
        .satisfiesExactlyInAnyOrder(
            line -> assertThat(line).isEqualTo(said("it does not speak TLS")),
            line -> assertThat(line).isEqualTo(said("it showed no certificate")),
            line -> assertThat(line).isEqualTo(said("its certificate is not of this site")),
            line -> assertThat(line).isEqualTo(said("it does not speak HTTP/2")),
            line ->
                assertThat(line)
                    .isEqualTo(
                        said("it does not take this device's certificate: certificate_unknown")),
            line -> assertThat(line).startsWith(said("its call was ended: ")));
  }

  private static String said(String reason) {
    return "a WARNING ledger: refused 127.0.0.1: " + reason;
  }

  /** Whoever leaves in the middle of the handshake was not refused: members do when they end. */
  @Test
  void membersAndWhoLeavesByItselfAreNotSaidToBeRefused() throws Exception {
    LedgerMember first = members.found("a");
    LedgerMember second = members.join("b", first);
    members.close(second);
    second = members.open("b");
    try (Socket socket = stranger(first).connect()) {
      socket.getOutputStream().write(new byte[] {22, 3, 1});
    }
    done(second, new Command.RegisterDevice("one", "host:1", Map.of()));
    assertThat(stranger(first).isEndedAfter(new byte[100])).isTrue();
    Await.until("who came last is counted", () -> first.refusals() > 0);
    assertThat(refused()).containsExactly(said("it does not speak TLS"));
    assertThat(first.refusals()).isEqualTo(1);
    assertThat(second.refusals()).isZero();
  }

  /** That would cost a file descriptor each, for as long as they like. */
  @Test
  void connectionsThatSayNothingAreEnded() throws Exception {
    LedgerMember first = members.found("a");
    try (Socket silent = stranger(first).connect();
        Socket begun = stranger(first).connect()) {
      begun.getOutputStream().write(new byte[] {22, 3, 1, 2, 0, 1});
      assertThat(Stranger.isEnded(silent)).isTrue();
      assertThat(Stranger.isEnded(begun)).isTrue();
    }
    Await.until("both are counted", () -> first.refusals() == 2);
    assertThat(refused()).containsExactly(said("its TLS handshake was not done in time"));
  }

  /** The oldest have to go, so that those of the site get in. */
  @Test
  void manyThatSayNothingKeepNobodyOut() throws Exception {
    LedgerMember first = members.found("a");
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        silent.add(stranger(first).connect());
      }
      Await.until("some had to go", () -> first.refusals() >= 44);
      assertThat(Stranger.isEnded(silent.getFirst())).isTrue();
      assertThat(stranger(first).send(command("one"), Optional.of(site.sign("client")))).isTrue();
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
    assertThat(refused())
        .contains(said("more than 256 connections at once had not shown a certificate"));
  }

  /** Else one machine that connects all the time would keep slow devices out for as long. */
  @Test
  void whoConnectsAllTheTimeKeepsNobodyOut() throws Exception {
    LedgerMember first = members.found("a");
    Tls client = site.sign("client");
    try (Flood _ = new Flood(stranger(first), InetAddress.getByName("127.0.0.2"))) {
      Await.until("all places are taken", () -> first.refusals() > 0);
      try (Socket slow = stranger(first).connect()) {
        // A greeting may take some seconds: it is not the flood's speed that is tested.
        long before = first.refusals();
        Await.until("many had to go", () -> first.refusals() > before + 20);
        assertThat(stranger(first).isAnswered(slow, client)).as("who was there before").isTrue();
      }
      LedgerMember second = members.join("b", first);
      done(second, new Command.RegisterDevice("one", "host:1", Map.of()));
    }
    assertThat(refused())
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).startsWith("a WARNING ledger: refused 127.0.0.2: "));
  }
}
