package io.sedge.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.identity.message.Frames;
import io.sedge.replication.Invitation;
import io.sedge.replication.Member;
import io.sedge.site.Device;
import io.sedge.site.api.JoinToken;
import io.sedge.site.api.LeftOutPage;
import io.sedge.site.api.LogPage;
import io.sedge.site.api.ModelDrift;
import io.sedge.site.api.SiteException;
import io.sedge.site.testkit.Devices;
import io.sedge.task.FailureCode;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who is let in where certificates are handed out, and to the ledger. */
@Timeout(120)
class EnrolmentSecurityTest {
  private static final int REFUSAL_MILLIS = 60_000;

  @TempDir Path directory;
  private Devices devices;
  private Device a;

  @BeforeEach
  void start() throws Exception {
    devices = new Devices(directory);
    a = devices.start("a");
  }

  @AfterEach
  void close() {
    devices.close();
  }

  private DeviceIdentity identity(String name) throws Exception {
    return DeviceIdentity.open(directory.resolve(name).resolve("identity"), InstantSource.system());
  }

  private static SSLContext context(DeviceIdentity identity) throws Exception {
    return TlsContexts.of(identity.keyManager(), identity.trust());
  }

  /** Trusts the site, and shows nothing. */
  private SSLContext withoutCertificate() throws Exception {
    return TlsContexts.of(null, identity("a").trust());
  }

  private SSLSocket connect(SSLContext context, int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    SSLSocket tls = TlsContexts.clientSide(context, socket, Devices.HOST);
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {"h2"});
    tls.setSSLParameters(parameters);
    tls.setSoTimeout(REFUSAL_MILLIS);
    return tls;
  }

  /** With TLS 1.3 a client learns with its first read whether its certificate was taken. */
  private boolean isRefused(SSLContext context, int port, int millis) throws IOException {
    try (SSLSocket socket = connect(context, port)) {
      socket.startHandshake();
      socket.setSoTimeout(millis);
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  private boolean isRefused(SSLContext context, int port) throws IOException {
    return isRefused(context, port, REFUSAL_MILLIS);
  }

  private boolean isLetIn(SSLContext context, int port) throws IOException {
    return !isRefused(context, port, 1_000);
  }

  private int ledgerPort() {
    return a.options().port();
  }

  private int enrolmentPort() {
    return a.options().enrolmentPort();
  }

  private static EnrolmentRequest readLog() {
    return new EnrolmentRequest.ReadLog(new LogQuery("", "", LogPage.MAX_CHARACTERS));
  }

  private EnrolmentAnswer ask(SSLContext context, EnrolmentRequest request) throws IOException {
    return ask(context, enrolmentPort(), request);
  }

  private EnrolmentAnswer ask(SSLContext context, int port, EnrolmentRequest request)
      throws IOException {
    try (SSLSocket socket = connect(context, port)) {
      Frames frames =
          new Frames(socket.getInputStream(), socket.getOutputStream(), request.maxAnswerBytes());
      frames.write(request);
      return frames.read(EnrolmentAnswer.class);
    }
  }

  @Test
  void aDeviceOfTheSiteIsLetInAndAStrangersIsNot() throws Exception {
    devices.close(devices.join("b", a));
    devices.close(devices.start("stranger"));
    for (int port : List.of(ledgerPort(), enrolmentPort())) {
      assertThat(isLetIn(context(identity("b")), port)).as("b at %d", port).isTrue();
      DeviceIdentity stranger = identity("stranger");
      SSLContext trusting = TlsContexts.of(stranger.keyManager(), identity("a").trust());
      assertThat(isRefused(trusting, port)).as("a stranger at %d", port).isTrue();
      assertThat(isRefused(context(stranger), port))
          .as("nor does a stranger trust this site")
          .isTrue();
    }
    assertThat(isRefused(withoutCertificate(), ledgerPort())).isTrue();
    devices.until(
        "refusals are said once", () -> devices.said("no TLS connection of this site") == 1);
    for (String reason :
        List.of("its certificate is not of this site", "it showed no certificate")) {
      devices.until(
          reason, () -> devices.said("a WARNING ledger: refused 127.0.0.1: " + reason) == 1);
    }
  }

  @Test
  void withoutACertificateOneMayJoinAndNothingElse() throws Exception {
    KeyPair keys = Pem.newKeys();
    byte[] request = SigningRequest.create("a", keys);
    for (EnrolmentRequest other :
        List.of(
            new EnrolmentRequest.Renew(request, Devices.HOST),
            new EnrolmentRequest.Admit("a-00000000", "127.0.0.1:1", true),
            new EnrolmentRequest.MakeToken(60_000),
            new EnrolmentRequest.TakeAuthority(),
            readLog(),
            new EnrolmentRequest.ReadLeftOut("plant"),
            new EnrolmentRequest.ReadBundle())) {
      assertThat(ask(withoutCertificate(), other))
          .isInstanceOfSatisfying(
              EnrolmentAnswer.Refused.class,
              refused -> assertThat(refused.code()).isEqualTo(FailureCode.JOIN_REFUSED));
    }
    assertThat(
            ask(
                withoutCertificate(),
                new EnrolmentRequest.Join(
                    new byte[16], request, "127.0.0.1:1", Map.of(), System.currentTimeMillis(), 0)))
        .isInstanceOfSatisfying(
            EnrolmentAnswer.Refused.class,
            refused -> assertThat(refused.message()).contains("not one of this site's"));
    assertThat(a.control().status().devices()).hasSize(1);
  }

  /** It listens as those do that let others in; what it has said is for devices of its site. */
  @Test
  void aDeviceWithoutTheAuthorityTellsItsLogToDevicesOfItsSiteAndDoesNothingElse()
      throws Exception {
    Device second = devices.join("b", a);
    devices.close(devices.join("c", a));
    devices.close(devices.start("stranger"));
    int port = second.options().enrolmentPort();
    SSLContext c = context(identity("c"));
    assertThat(ask(c, port, readLog()))
        .isInstanceOfSatisfying(
            EnrolmentAnswer.LogRead.class,
            read -> assertThat(read.page().lines()).as("what b said as it joined").isNotEmpty());
    assertThat(ask(c, port, new EnrolmentRequest.ReadLeftOut("plant")))
        .isEqualTo(new EnrolmentAnswer.LeftOutRead(LeftOutPage.NOTHING));
    assertThat(ask(c, port, new EnrolmentRequest.ReadBundle()))
        .isInstanceOfSatisfying(
            EnrolmentAnswer.BundleRead.class, read -> assertThat(read.zip()).startsWith('P', 'K'));
    assertThat(ask(withoutCertificate(), port, readLog()))
        .isInstanceOfSatisfying(
            EnrolmentAnswer.Refused.class,
            refused -> assertThat(refused.code()).isEqualTo(FailureCode.JOIN_REFUSED));
    SSLContext stranger = TlsContexts.of(identity("stranger").keyManager(), identity("a").trust());
    assertThatThrownBy(() -> ask(stranger, port, readLog())).isInstanceOf(IOException.class);
    assertThat(ask(context(anotherOne("c")), port, readLog()))
        .as("another key under a name that the site has")
        .isInstanceOfSatisfying(
            EnrolmentAnswer.Refused.class,
            refused -> assertThat(refused.code()).isEqualTo(FailureCode.SHUT_OUT));
    for (EnrolmentRequest other :
        List.of(
            new EnrolmentRequest.Renew(identity("c").signingRequest(), Devices.HOST),
            new EnrolmentRequest.Admit("c-00000000", "127.0.0.1:1", true),
            new EnrolmentRequest.MakeToken(60_000),
            new EnrolmentRequest.TakeAuthority())) {
      assertThat(ask(c, port, other))
          .isInstanceOfSatisfying(
              EnrolmentAnswer.Refused.class,
              refused -> assertThat(refused.code()).isEqualTo(FailureCode.NO_AUTHORITY));
    }
    a.control().expel("c", false);
    devices.until(
        "b hears of it and refuses",
        () ->
            ask(c, port, readLog()) instanceof EnrolmentAnswer.Refused refused
                && refused.code() == FailureCode.SHUT_OUT);
    assertThat(ask(c, port, new EnrolmentRequest.ReadLeftOut("plant")))
        .isInstanceOf(EnrolmentAnswer.Refused.class);
    assertThat(ask(c, port, new EnrolmentRequest.ReadBundle()))
        .isInstanceOf(EnrolmentAnswer.Refused.class);
  }

  /** A certificate that has ended is good for another one, and for nothing else. */
  @Test
  void whoseCertificateHasEndedIsNotToldTheLog() throws Exception {
    devices.close(devices.join("b", a));
    Path old = directory.resolve("old");
    Files.createDirectories(old);
    Files.copy(directory.resolve("b/identity/key.pem"), old.resolve("key.pem"));
    Authority authority = Authority.open(directory.resolve("a/authority"));
    Instant then = InstantSource.system().instant().minus(Duration.ofDays(2));
    DeviceIdentity.write(
        old,
        authority.certificate(),
        authority.sign(
            "b",
            Pem.readKeys(old.resolve("key.pem")).getPublic(),
            List.of(Devices.HOST),
            then,
            Duration.ofDays(1)));
    DeviceIdentity ended = DeviceIdentity.open(old, InstantSource.system());
    SSLContext context = TlsContexts.of(ended.keyManager(), identity("a").trust());
    assertThat(ask(context, readLog()))
        .isInstanceOfSatisfying(
            EnrolmentAnswer.Refused.class,
            refused -> assertThat(refused.message()).contains("the certificate has ended"));
  }

  /** Not for the asking, nor under another name or with another key: only whom a person named. */
  @Test
  void theAuthorityIsGivenToWhomItWasOfferedAndNobodyElse() throws Exception {
    devices.join("b", a);
    devices.join("c", a);
    devices.close();
    try (Enrolment enrolment = enrolmentOfRegistered()) {
      enrolment.open();
      Registrar registrar = enrolment.registrar().orElseThrow();
      assertIsOfferedNothing(identity("b"), "b");
      registrar.offer("b", identity("b").keyFingerprint());
      assertIsOfferedNothing(identity("c"), "c");
      assertIsOfferedNothing(anotherOne("b"), "b");
      assertThat(ask(context(identity("b")), new EnrolmentRequest.TakeAuthority()))
          .isInstanceOf(EnrolmentAnswer.AuthorityGiven.class);
      assertIsOfferedNothing(identity("b"), "b");
    }
  }

  private void assertIsOfferedNothing(DeviceIdentity asking, String name) throws Exception {
    String reason = "nobody has offered device %s the certificate authority here".formatted(name);
    long before = devices.said("refused 127.0.0.1: " + reason);
    assertThat(ask(context(asking), new EnrolmentRequest.TakeAuthority()))
        .isInstanceOfSatisfying(
            EnrolmentAnswer.Refused.class,
            refused -> assertThat(refused.message()).isEqualTo(reason));
    assertThat(devices.said("refused 127.0.0.1: " + reason)).isEqualTo(before + 1);
  }

  /** A device of that name whose certificate the authority made too, for a key of its own. */
  private DeviceIdentity anotherOne(String name) throws Exception {
    Path other = directory.resolve("other-" + name);
    DeviceIdentity.found(
        other,
        Authority.open(directory.resolve("a/authority")),
        name,
        List.of(Devices.HOST),
        InstantSource.system().instant(),
        Duration.ofDays(1));
    return DeviceIdentity.open(other, InstantSource.system());
  }

  /** That of the device a, at a ledger that knows whoever asks; each refusal is said. */
  private Enrolment enrolmentOfRegistered() throws Exception {
    Membership everybody =
        new Membership() {
          @Override
          public void addToken(String hash, Instant end, Instant now) {}

          @Override
          public void checkToken(String hash, String key, Instant now) {}

          @Override
          public Invitation enrol(String token, Newcomer newcomer, Instant now) {
            throw new AssertionError(newcomer);
          }

          @Override
          public void admit(String name, Member newcomer) {}

          @Override
          public Optional<String> ledgerAt(String address) {
            return Optional.empty();
          }

          @Override
          public boolean isRegistered(String name, String key) {
            return true;
          }
        };
    AtomicLong nanos = new AtomicLong();
    return new Enrolment(
        a.options(),
        directory.resolve("a/authority"),
        identity("a"),
        everybody,
        new Enrolment.Log() {
          @Override
          public LogPage page(LogQuery query) {
            return new LogPage(List.of(), "", false);
          }

          @Override
          public LeftOutPage leftOut(String job) {
            return LeftOutPage.NOTHING;
          }

          @Override
          public List<ModelDrift> drifts(String job) {
            return List.of();
          }
        },
        () -> "a bundle".getBytes(StandardCharsets.UTF_8),
        new Enrolment.Files() {
          @Override
          public boolean offer(FileOffer file) {
            return false;
          }

          @Override
          public FilePart read(String sha256, long offset) {
            return FilePart.ABSENT;
          }
        },
        step -> {
          throw new AssertionError(step);
        },
        InstantSource.system(),
        () -> nanos.addAndGet(RefusalLog.QUIET_NANOS),
        devices.listener("a"));
  }

  /** Who has a certificate may have another one for the same name and key, and no other. */
  @Test
  void aCertificateIsRenewedForItsOwnNameAndKeyOnly() throws Exception {
    devices.close(devices.join("b", a));
    DeviceIdentity b = identity("b");
    for (byte[] request :
        List.of(
            SigningRequest.create("a", Pem.readKeys(directory.resolve("b/identity/key.pem"))),
            SigningRequest.create("b", Pem.newKeys()))) {
      assertThat(ask(context(b), new EnrolmentRequest.Renew(request, Devices.HOST)))
          .isInstanceOfSatisfying(
              EnrolmentAnswer.Refused.class,
              refused -> assertThat(refused.message()).contains("same name and key"));
    }
    assertThat(ask(context(b), new EnrolmentRequest.Renew(b.signingRequest(), Devices.HOST)))
        .isInstanceOf(EnrolmentAnswer.Renewed.class);
  }

  @Test
  void anExpelledDeviceIsShutOutOfTheLedgerIsToldSoAndCannotComeBack() throws Exception {
    Device second = devices.join("b", a);
    Device third = devices.join("c", a);
    devices.close(second);
    SSLContext b = context(identity("b"));
    try (SSLSocket open = connect(b, ledgerPort())) {
      open.startHandshake();
      open.getOutputStream()
          .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(endsWhenUsed(open)).as("the ledger speaks HTTP/2 with it").isFalse();
      assertThat(isLetIn(b, enrolmentPort())).isTrue();
      a.control().expel("b", false);
      devices.until("a connection that is open ends", () -> endsWhenUsed(open));
      assertThat(isRefused(b, ledgerPort())).as("with the same context: no resumption").isTrue();
      assertThat(isRefused(context(identity("b")), ledgerPort())).isTrue();
      String expelled =
          "a WARNING ledger: refused 127.0.0.1: its certificate is not taken: CN=b was expelled";
      devices.until("it is said once", () -> devices.said(expelled) == 1);
      assertIsToldToBeShutOut(identity("b"));
      devices.until("the others refuse it too", () -> !isLetIn(b, third.options().port()));
    }
    JoinToken token = a.control().token(Duration.ofMinutes(5));
    try (Devices others = new Devices(directory.resolve("others"))) {
      assertThatThrownBy(() -> others.join("b", token))
          .as("its name")
          .isInstanceOf(SiteException.class)
          .hasMessageContaining("was expelled");
    }
    byte[] request =
        SigningRequest.create("new-name", Pem.readKeys(directory.resolve("b/identity/key.pem")));
    assertThat(
            ask(
                withoutCertificate(),
                new EnrolmentRequest.Join(
                    TokenText.parse(token.text()).secret(),
                    request,
                    "127.0.0.1:1",
                    Map.of(),
                    System.currentTimeMillis(),
                    0)))
        .as("its key, under another name")
        .isInstanceOfSatisfying(
            EnrolmentAnswer.Refused.class,
            refused -> assertThat(refused.code()).isEqualTo(FailureCode.SHUT_OUT));
  }

  /** Its certificate is valid for months to come, and its disk may be sold. */
  @Test
  void aRemovedDeviceIsShutOutAtOnceAndItsNameIsFree() throws Exception {
    Device second = devices.join("b", a);
    Device third = devices.join("c", a);
    SSLContext b = context(identity("b"));
    try (SSLSocket open = connect(b, ledgerPort())) {
      open.startHandshake();
      open.getOutputStream()
          .write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(endsWhenUsed(open)).as("the ledger speaks HTTP/2 with it").isFalse();
      a.control().removeDevice("b", false);
      devices.until("a connection that is open ends", () -> endsWhenUsed(open));
      assertThat(isRefused(b, ledgerPort())).isTrue();
      devices.until("the others refuse it too", () -> !isLetIn(b, third.options().port()));
      assertIsToldToBeShutOut(identity("b"));
    }
    assertThat(Devices.failure(second::await)).isEqualTo(FailureCode.SHUT_OUT);
    devices.close(second);
    try (Devices others = new Devices(directory.resolve("others"))) {
      assertThat(others.join("b", a).control().status().devices()).hasSize(3);
    }
  }

  /** The vote of the one that goes is needed for its going. */
  @Test
  void aSiteOfTwoGoesOnAfterOneIsRemoved() throws Exception {
    devices.join("b", a);
    devices.until("both vote", () -> a.control().status().ledger().voters() == 2);
    a.control().removeDevice("b", false);
    assertThat(a.control().status().ledger().voters()).isEqualTo(1);
    a.control().drain("a");
  }

  /** Where newcomers are let in it hears why, whatever it asks for. */
  private void assertIsToldToBeShutOut(DeviceIdentity expelled) throws Exception {
    SSLContext context = context(expelled);
    for (EnrolmentRequest request :
        List.of(
            new EnrolmentRequest.Admit("b-1", "127.0.0.1:1", false),
            new EnrolmentRequest.Renew(expelled.signingRequest(), Devices.HOST),
            new EnrolmentRequest.MakeToken(60_000),
            new EnrolmentRequest.TakeAuthority(),
            readLog(),
            new EnrolmentRequest.ReadLeftOut("plant"),
            new EnrolmentRequest.ReadBundle())) {
      assertThat(ask(context, request))
          .isInstanceOfSatisfying(
              EnrolmentAnswer.Refused.class,
              refused -> assertThat(refused.code()).isEqualTo(FailureCode.SHUT_OUT));
    }
  }

  /** Sends an empty SETTINGS frame of HTTP/2, which is acknowledged by whoever listens. */
  private static boolean endsWhenUsed(SSLSocket socket) {
    try {
      socket.getOutputStream().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
      socket.setSoTimeout(200);
      byte[] buffer = new byte[256];
      int count = 0;
      while (count >= 0) {
        count = socket.getInputStream().read(buffer);
      }
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void noiseIsRefusedSaidOnceWithTheAddressAndTheDeviceGoesOn() throws Exception {
    byte[] random = new byte[50_000];
    new Random(7).nextBytes(random);
    for (int i = 0; i < 5; i++) {
      for (byte[] noise :
          List.of("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII), random)) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), enrolmentPort())) {
          socket.setSoTimeout(REFUSAL_MILLIS);
          socket.getOutputStream().write(noise);
          assertThat(socket.getInputStream().readAllBytes().length).isLessThan(100);
        } catch (IOException e) {
          assertThat(e).as("closed by the device").isNotInstanceOf(SocketTimeoutException.class);
        }
      }
    }
    assertThat(devices.said("refused 127.0.0.1: no TLS connection of this site")).isEqualTo(1);
    assertThat(devices.join("b", a).control().status().devices()).hasSize(2);
  }

  @Test
  void malformedAndOversizedFramesAreRefusedAndTheDeviceGoesOn() throws Exception {
    for (int length : List.of(Integer.MAX_VALUE, -1, 0, EnrolmentRequest.MAX_BYTES + 1)) {
      assertThat(answerToFrame(length, new byte[0])).as("length %d", length).isEqualTo(-1);
    }
    for (String text :
        List.of("{", "[]", "null", "{\"type\":\"no such\"}", "{\"type\":\"join\"}", "\u0000")) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      assertThat(answerToFrame(bytes.length, bytes)).as(text).isEqualTo(-1);
    }
    assertThat(devices.said("refused 127.0.0.1: a frame")).isEqualTo(1);
    assertThat(devices.join("b", a).control().status().devices()).hasSize(2);
  }

  /** The first byte of the answer; -1 for none. */
  private int answerToFrame(int length, byte[] bytes) throws Exception {
    try (SSLSocket socket = connect(withoutCertificate(), enrolmentPort())) {
      DataOutputStream output = new DataOutputStream(socket.getOutputStream());
      output.writeInt(length);
      output.write(bytes);
      output.flush();
      return socket.getInputStream().read();
    } catch (SSLException e) {
      return -1;
    }
  }

  /**
   * Connections that say nothing, as many as there may be; then nobody else gets in for a while.
   */
  @Test
  @Tag("long")
  void whoSendsNothingIsCutOff() throws Exception {
    List<Socket> silent = new ArrayList<>();
    try {
      for (int i = 0; i < EnrolmentServer.MAX_CONNECTIONS; i++) {
        silent.add(new Socket(InetAddress.getLoopbackAddress(), enrolmentPort()));
      }
      devices.until("one more is refused", () -> !isLetIn(withoutCertificate(), enrolmentPort()));
      devices.until("they are cut off", () -> devices.said("sent no request within 10 s") == 1);
      devices.until("others are heard", () -> isLetIn(withoutCertificate(), enrolmentPort()));
    } finally {
      for (Socket socket : silent) {
        socket.close();
      }
    }
  }

  @Test
  void addressesAreForgottenAndTriesComeBack() {
    long[] now = {0};
    Rates rates = new Rates(() -> now[0]);
    for (int i = 0; i < Rates.BURST; i++) {
      assertThat(rates.mayTry("x")).isTrue();
      rates.refused("x");
    }
    assertThat(rates.mayTry("x")).isFalse();
    assertThat(rates.mayTry("y")).isTrue();
    now[0] += Rates.REFILL_NANOS;
    assertThat(rates.mayTry("x")).isTrue();
    rates.refused("x");
    assertThat(rates.mayTry("x")).isFalse();
    for (int i = 0; i < Rates.MAX_ADDRESSES; i++) {
      assertThat(rates.mayTry("other" + i)).isTrue();
    }
    assertThat(rates.mayTry("x")).as("so much is remembered, and no more").isTrue();
  }

  @Test
  void refusalsAreSaidOnceAMinuteAndCounted() {
    long[] now = {0};
    List<String> said = new ArrayList<>();
    RefusalLog log = new RefusalLog((_, message) -> said.add(message), () -> now[0]);
    for (int i = 0; i < 10; i++) {
      log.refused("10.0.0.9", "frame", "a frame\u001b[2J of 9 bytes");
    }
    now[0] += RefusalLog.QUIET_NANOS;
    log.refused("10.0.0.9", "frame", "a frame");
    assertThat(said)
        .containsExactly(
            "refused 10.0.0.9: a frame·[2J of 9 bytes",
            "refused 10.0.0.9: a frame (9 more of that since it was last said)");
    assertThat(log.refusals()).isEqualTo(11);
  }
}
