package io.sedge.site.internal.membership;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.replication.LedgerMember;
import io.sedge.site.DeviceOptions;
import io.sedge.site.FailureCode;
import io.sedge.site.JobListener;
import io.sedge.site.SiteException;
import io.sedge.site.internal.identity.DeviceIdentity;
import io.sedge.site.internal.identity.EnrolmentClient;
import io.sedge.site.internal.identity.EnrolmentServer;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * What a device sees to while it runs, in a thread of its own: it looks {@link #LOOK_MILLIS} apart
 * whether its certificate is to be renewed, whether somebody was expelled whose connections are to
 * end, whether it is itself still of the site, and whether the ledger knows it as it is.
 */
public final class Upkeep implements AutoCloseable {
  static final long LOOK_MILLIS = 500;

  /** A renewal that failed is tried again after this, or a tenth of what is left if that is less. */
  private static final Duration LONGEST_RETRY = Duration.ofHours(1);

  private static final Duration SHORTEST_RETRY = Duration.ofSeconds(1);

  private final DeviceOptions options;
  private final LedgerMember member;
  private final LedgerMembership membership;
  private final DeviceIdentity identity;
  private final Optional<EnrolmentServer> enrolment;
  private final DeviceCommands commands;
  private final InstantSource clock;
  private final JobListener listener;
  private final Consumer<SiteException> onShutOut;
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Thread thread;
  private Instant renewAfter = Instant.MIN;
  private boolean registered;
  private String lastFailure = "";

  /**
   * @param onShutOut called once, if this device was expelled or removed
   */
  public Upkeep(
      DeviceOptions options,
      LedgerMember member,
      DeviceIdentity identity,
      Optional<EnrolmentServer> enrolment,
      DeviceCommands commands,
      InstantSource clock,
      JobListener listener,
      Consumer<SiteException> onShutOut) {
    this.options = options;
    this.member = member;
    this.membership = new LedgerMembership(member);
    this.identity = identity;
    this.enrolment = enrolment;
    this.commands = commands;
    this.clock = clock;
    this.listener = listener;
    this.onShutOut = onShutOut;
    this.thread = Thread.ofPlatform().daemon().name("sedge-upkeep").unstarted(this::run);
  }

  /** Begins. */
  public void start() {
    thread.start();
  }

  private void run() {
    try {
      do {
        identity.gate().endConnections();
        if (isShutOut()) {
          onShutOut.accept(
              new SiteException(
                  FailureCode.SHUT_OUT,
                  "device %s is no longer of this site: it was removed or expelled. To join again it needs an empty data directory"
                      .formatted(options.name())));
          return;
        }
        if (!registered) {
          attempt("telling the site of this device", this::register);
        }
        renewIfDue();
      } while (!ending.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isShutOut() {
    return member.isRemoved()
        || membership
            .device(options.name())
            .filter(device -> device.state() == DeviceState.EXPELLED)
            .isPresent();
  }

  private void register() throws SiteException {
    Optional<Device> known = membership.device(options.name());
    if (known.isEmpty() && member.leader().isEmpty()) {
      return; // Nobody to tell yet.
    }
    membership.register(options, identity.keyFingerprint(), enrolment.isPresent());
    registered = true;
  }

  private void renewIfDue() {
    Instant now = clock.instant();
    if (!identity.isToBeRenewed(now) || now.isBefore(renewAfter)) {
      return;
    }
    Duration left = Duration.between(now, identity.certificate().getNotAfter().toInstant());
    Duration retry = left.dividedBy(10);
    retry = retry.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : retry;
    retry = retry.compareTo(SHORTEST_RETRY) < 0 ? SHORTEST_RETRY : retry;
    renewAfter = now.plus(retry);
    attempt(
        "renewing the certificate, which ends at " + identity.certificate().getNotAfter(),
        this::renew);
  }

  private void renew() throws SiteException {
    if (enrolment.isPresent()) {
      try {
        enrolment.get().renewOwn(options.host());
      } catch (IOException | GeneralSecurityException e) {
        throw new SiteException(FailureCode.DIRECTORY_NOT_USABLE, e.toString(), e);
      }
    } else {
      renewAtAnAuthority();
    }
    listener.report(
        Severity.INFO,
        "the certificate was renewed; it is valid until "
            + identity.certificate().getNotAfter().toInstant());
  }

  private void renewAtAnAuthority() throws SiteException {
    SiteException last =
        new SiteException(
            FailureCode.NO_AUTHORITY, "no device that has the certificate authority is known");
    for (String address : commands.authorities()) {
      try {
        EnrolmentClient.renew(address, identity, options.host());
        return;
      } catch (SiteException e) {
        last = e;
      }
    }
    throw last;
  }

  private interface Attempt {
    void run() throws SiteException;
  }

  /** Says what failed, once until it is something else or done. */
  private void attempt(String doing, Attempt attempt) {
    try {
      attempt.run();
      lastFailure = "";
    } catch (SiteException e) {
      String failure = doing + ": " + e.getMessage();
      if (!failure.equals(lastFailure)) {
        lastFailure = failure;
        listener.report(Severity.WARNING, failure);
      }
    }
  }

  @Override
  public void close() {
    ending.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
