package io.sedge.site.internal.membership;

import io.sedge.identity.DeviceIdentity;
import io.sedge.identity.testkit.FakeEnrolment;
import io.sedge.ledger.Format;
import io.sedge.ledger.SiteState;
import io.sedge.replication.LedgerMember;
import io.sedge.replication.MemberOptions;
import io.sedge.site.Device;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.testkit.Devices;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nothing that a member does may end what a device sees to: its renewals, and who is expelled. */
@Timeout(180)
class DeviceMaintenanceTest {
  @TempDir Path directory;
  private Devices devices;

  @BeforeEach
  void make() {
    devices = new Devices(directory).withValidity(Duration.ofSeconds(12));
  }

  @AfterEach
  void close() {
    devices.close();
  }

  private void untilRenewedAgain(String name) throws Exception {
    long before = devices.renewals(name);
    devices.until("a certificate is renewed again", () -> devices.renewals(name) > before);
  }

  /** Joins as b, and offers c the authority where b itself answers. */
  private void offerToC(Device a, FakeEnrolment.Answer answer, Check check) throws Exception {
    Device c = devices.join("c", a);
    devices.close(devices.join("b", a));
    DeviceIdentity b = DeviceIdentity.open(directory.resolve("b/identity"), InstantSource.system());
    try (FakeEnrolment fake = FakeEnrolment.start(b.tls(), answer);
        LedgerMember member = LedgerMember.open(member(devices.options("b"), b))) {
      LedgerMembership membership = new LedgerMembership(member, "b");
      devices.until("b knows c", () -> membership.device("c").isPresent());
      membership.offer(membership.device("c").orElseThrow(), fake.address());
      check.of(c, fake);
    }
  }

  private interface Check {
    void of(Device c, FakeEnrolment fake) throws Exception;
  }

  private MemberOptions member(DeviceOptions options, DeviceIdentity identity) {
    return MemberOptions.of(
        options.data().resolve("ledger"),
        options.name(),
        options.host(),
        options.port(),
        Optional.of(identity.tls()),
        (_, _) -> {});
  }

  @Test
  void aNewSiteHasTheFormatOfItsVersion() throws Exception {
    Device a = devices.start("a");
    devices.until("a is registered", () -> !a.control().status().devices().isEmpty());
    var _ = a.control().token(Duration.ofMinutes(1)); // An entry that comes after it.
    devices.close(a);
    DeviceIdentity identity =
        DeviceIdentity.open(directory.resolve("a/identity"), InstantSource.system());
    try (LedgerMember member = LedgerMember.open(member(devices.options("a"), identity))) {
      devices.until("its ledger is read", () -> member.read(SiteState::format) == Format.NEWEST);
    }
  }

  @Test
  void anOfferThatIsAnsweredWithoutAKeyIsRefusedAndRenewalsGoOn() throws Exception {
    offerToC(
        devices.start("a"),
        FakeEnrolment.json("{\"type\":\"authority\"}"),
        (_, fake) -> {
          devices.until(
              "c says what is wrong",
              () ->
                  devices.said(
                          "fetching the certificate authority, which was offered at "
                              + fake.address())
                      == 1);
          untilRenewedAgain("c");
        });
  }

  @Test
  void aDeviceThatWaitsForAnAnswerCanBeClosed() throws Exception {
    AtomicBoolean asked = new AtomicBoolean();
    offerToC(
        devices.start("a"),
        output -> {
          asked.set(true);
          FakeEnrolment.trickle().to(output);
        },
        (c, _) -> {
          devices.until("c has asked", asked::get);
          devices.close(c);
        });
  }

  @Test
  void aFaultIsSaidAndTheNextLookIsDoneAllTheSame() throws Exception {
    AtomicBoolean faulty = new AtomicBoolean();
    InstantSource clock =
        () -> {
          if (Thread.currentThread().getName().equals("sedge-upkeep")
              && faulty.compareAndSet(true, false)) {
            throw new IllegalStateException("no clock");
          }
          return Instant.now();
        };
    devices.start("a", clock);
    faulty.set(true);
    devices.until("the fault is said", () -> devices.said("no clock") > 0);
    untilRenewedAgain("a");
  }
}
