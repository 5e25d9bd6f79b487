package io.sedge.site.internal.membership;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.identity.DeviceIdentity;
import io.sedge.identity.Enrolment;
import io.sedge.identity.EnrolmentClient;
import io.sedge.identity.Registrar;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Format;
import io.sedge.ledger.Limit;
import io.sedge.ledger.SiteState;
import io.sedge.replication.LedgerMember;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobListener;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What a device sees to while it runs, in a thread of its own: it looks, {@link #LOOK_MILLIS} apart
 * at least and more seldom where the ledger stays as it is, whether its certificate is to be
 * renewed, whether somebody was expelled whose connections are to end, whether it is itself still
 * of the site, whether somebody gives it the authority, whether the ledger knows it as it is,
 * whether a device lacks secrets, and whether the site's certificate at a center is to be renewed.
 */
public final class DeviceMaintenance implements AutoCloseable {
  static final long LOOK_MILLIS = 500;

  /** What a new site begins with, before it has a device. */
  private static final Command FOUNDING =
      new Command.SetLimits(Map.of(Limit.SILENCE_MILLIS, 4_000L));

  /** And once it has one: there is no older version that could read what a new site has. */
  private static final Command FORMAT = new Command.RaiseFormat(Format.NEWEST);

  /** So far apart where all is well and nobody changes anything. */
  private static final long REST_MILLIS = 5_000;

  /** Without a leader, or a place in the ledger: five seconds, and each five seconds after that. */
  private static final int LOOKS_BEFORE_ASKING = 10;

  /**
   * A renewal that failed is tried again after this, or a tenth of what is left if that is less.
   */
  private static final Duration LONGEST_RETRY = Duration.ofHours(1);

  private static final Duration SHORTEST_RETRY = Duration.ofSeconds(1);

  private static final Duration END_PATIENCE = Duration.ofSeconds(10);

  private final DeviceOptions options;
  private final LedgerMember member;
  private final LedgerMembership membership;
  private final DeviceIdentity identity;
  private final Enrolment enrolment;
  private final DeviceCommands commands;
  private final SecretStore secrets;
  private final CenterRenewal center;
  private final InstantSource clock;
  private final JobListener listener;
  private final Consumer<SiteException> onShutOut;
  private final List<Runnable> further = new CopyOnWriteArrayList<>();
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Thread thread;
  private Instant renewAfter = Instant.MIN;
  private @Nullable CompletableFuture<Answer> registering;

  /** The ledger's next entry. */
  private @Nullable CompletableFuture<Void> entry;

  private final Semaphore entries = new Semaphore(0);

  /** The offer that this look has tried. */
  private Optional<String> tried = Optional.empty();

  private boolean registered;
  private int silent;

  /**
   * @param onShutOut called once, if this device was expelled or removed
   */
  public DeviceMaintenance(
      DeviceOptions options,
      LedgerMember member,
      DeviceIdentity identity,
      Enrolment enrolment,
      DeviceCommands commands,
      SecretStore secrets,
      CenterRenewal center,
      InstantSource clock,
      JobListener listener,
      Consumer<SiteException> onShutOut) {
    this.options = options;
    this.member = member;
    this.membership = new LedgerMembership(member, options.name());
    this.identity = identity;
    this.enrolment = enrolment;
    this.commands = commands;
    this.secrets = secrets;
    this.center = center;
    this.clock = clock;
    this.listener = listener;
    this.onShutOut = onShutOut;
    this.thread = Thread.ofPlatform().daemon().name("sedge-upkeep").unstarted(this::run);
  }

  /** Sees to one more thing with each look, from the next one on. */
  public void alsoSeeTo(Runnable duty) {
    further.add(duty);
  }

  /** Begins. */
  public void start() {
    thread.start();
  }

  /** One of the things that are seen to. */
  @FunctionalInterface
  private interface Duty {
    void see() throws SiteException;
  }

  private void run() {
    try {
      long known;
      do {
        known = member.read(SiteState::appliedIndex);
        see(identity.trust()::endConnections);
        see(this::endIfShutOut);
        see(this::takeAuthorityIfOffered);
        see(this::seeToRegistration);
        see(this::askWhetherStillOfTheSite);
        see(this::renewIfDue);
        see(secrets::look);
        see(center::look);
        for (Runnable duty : further) {
          see(duty::run);
        }
      } while (!awaitNext(known));
    } catch (SiteException e) {
      onShutOut.accept(
          new SiteException(
              FailureCode.SHUT_OUT,
              "device %s is not of this site any more: %s. To join again it needs an empty data directory"
                  .formatted(options.name(), e.getMessage()),
              e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until there may be something to see to: what others do is an entry of the ledger.
   *
   * @param known the ledger's last entry when the last look began
   * @return whether the device is being closed
   */
  private boolean awaitNext(long known) throws InterruptedException {
    boolean renews = identity.isToBeRenewed(clock.instant().plusMillis(REST_MILLIS));
    boolean waits = silent > 0 || tried.isPresent() || isRegistering() || !secrets.isSettled();
    boolean calm = registered && !waits && !renews;
    if (entry == null || entry.isDone()) {
      entry = member.readAt(known + 1, SiteState::appliedIndex).thenRun(entries::release);
    }
    boolean closed = ending.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    if (!closed && calm && entries.tryAcquire(REST_MILLIS - LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      entries.drainPermits();
    }
    return closed;
  }

  /** A fault in one must keep neither the others nor the next look from being done. */
  private void see(Duty duty) throws SiteException {
    try {
      duty.see();
    } catch (RuntimeException e) {
      listener.report(Severity.ERROR, "a fault in Sedge while looking after the device: " + e);
    }
  }

  private void endIfShutOut() throws SiteException {
    if (isShutOut()) {
      throw new SiteException(FailureCode.SHUT_OUT, "it was removed or expelled");
    }
  }

  private boolean isShutOut() {
    return member.isRemoved() || member.read(this::isShutOut);
  }

  private boolean isShutOut(SiteState state) {
    return state
        .device(options.name())
        .map(device -> device.state() == DeviceState.EXPELLED)
        .orElse(registered);
  }

  /**
   * Tries once what the ledger says was offered: whether it has the authority or not, the device
   * tells the ledger what it is then, without the offer.
   */
  private void takeAuthorityIfOffered() {
    Optional<String> address = offer();
    tried = Optional.empty();
    if (address.isEmpty() || isRegistering()) {
      return;
    }
    tried = address;
    try {
      enrolment.takeFrom(address.get());
    } catch (SiteException e) {
      warn(
          "fetching the certificate authority, which was offered at %s: %s"
              .formatted(address.get(), e.getMessage()));
    }
  }

  private Optional<String> offer() {
    return membership.device(options.name()).flatMap(LedgerMembership::offer);
  }

  private boolean isRegistering() {
    return registering != null && !registering.isDone();
  }

  /**
   * Tells the ledger what this process was started with, and what it was given since. Only a device
   * that has its place there does: one that was removed meanwhile must not come back by itself. An
   * offer that has come since this look began would be lost with that: the next look tries it.
   */
  private void seeToRegistration() {
    Command.RegisterDevice registration =
        LedgerMembership.registration(
            options, identity.keyFingerprint(), enrolment.registrar().isPresent());
    boolean known = membership.device(options.name()).isPresent();
    if (membership.isDone(registration)) {
      registered = true;
    } else if (!isRegistering() && offer().equals(tried) && (known || isFirst())) {
      registering =
          known
              ? member.submit(registration)
              : member
                  .submit(FOUNDING)
                  .thenCompose(_ -> member.submit(registration))
                  .thenCompose(_ -> member.submit(FORMAT));
    }
  }

  /** Whether there is nobody else who could have given it a place. */
  private boolean isFirst() {
    return enrolment.registrar().isPresent() && member.members().size() == 1;
  }

  /**
   * A member that was removed is not told: it only hears nothing any more. So one that hears of no
   * leader, or does not find itself in the ledger, asks those who may have let it in.
   */
  private void askWhetherStillOfTheSite() throws SiteException {
    boolean fine = member.leader().isPresent() && membership.device(options.name()).isPresent();
    silent = fine ? 0 : silent + 1;
    if (silent % LOOKS_BEFORE_ASKING != LOOKS_BEFORE_ASKING - 1) {
      return;
    }
    for (String address : commands.authorities()) {
      try {
        EnrolmentClient.admit(address, identity, member.self());
      } catch (SiteException e) {
        if (e.code() == FailureCode.SHUT_OUT) {
          throw e;
        }
        warn("asking " + address + " whether this device is still of its site: " + e.getMessage());
      }
    }
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
    try {
      renew();
    } catch (SiteException e) {
      warn(
          "renewing the certificate, which ends at %s: %s"
              .formatted(identity.certificate().getNotAfter(), e.getMessage()));
    }
  }

  private void renew() throws SiteException {
    Optional<Registrar> own = enrolment.registrar();
    if (own.isPresent()) {
      try {
        own.get().renewOwn(options.host());
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

  private void warn(String failure) {
    listener.report(Severity.WARNING, failure);
  }

  @Override
  public void close() {
    ending.countDown();
    thread.interrupt();
    try {
      if (!thread.join(END_PATIENCE)) {
        warn("the device's upkeep has not ended within " + END_PATIENCE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
