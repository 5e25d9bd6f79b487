package io.sedge.site.internal.membership;

import io.sedge.identity.DeviceIdentity;
import io.sedge.identity.Enrolment;
import io.sedge.identity.EnrolmentClient;
import io.sedge.identity.Registrar;
import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.site.api.JoinToken;
import io.sedge.site.api.SiteException;
import io.sedge.site.api.SiteStatus;
import io.sedge.task.FailureCode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What {@link io.sedge.site.api.SiteControl} says of devices and tokens, done on the ledger. */
public final class DeviceCommands {
  /** For a device to fetch the authority, which takes it a second or so. */
  private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(30);

  private static final long LOOK_MILLIS = 50;

  private final LedgerMembership membership;
  private final DeviceIdentity identity;
  private final Enrolment enrolment;
  private final Optional<String> through;

  /**
   * @param enrolment whether this device has the authority
   * @param through the address through which this device joined
   */
  public DeviceCommands(
      LedgerMembership membership,
      DeviceIdentity identity,
      Enrolment enrolment,
      Optional<String> through) {
    this.membership = membership;
    this.identity = identity;
    this.enrolment = enrolment;
    this.through = through;
  }

  /** See {@link io.sedge.site.api.SiteControl#drain}. */
  public void drain(String name) throws SiteException {
    notExpelled(name);
    set(name, DeviceState.DRAINING, "draining device " + name);
  }

  /** See {@link io.sedge.site.api.SiteControl#undrain}. */
  public void undrain(String name) throws SiteException {
    notExpelled(name);
    set(name, DeviceState.ACTIVE, "using device %s again".formatted(name));
  }

  /**
   * See {@link io.sedge.site.api.SiteControl#removeDevice}.
   *
   * @param status of the site now: who has the authority, and is up
   */
  public void remove(String name, boolean loseAuthority, Supplier<SiteStatus> status)
      throws SiteException {
    if (membership.device(name).isEmpty() && !membership.membersOf(name).isEmpty()) {
      membership.removeMember(name); // What a removal that failed has left.
      return;
    }
    Device device = notExpelled(name);
    notOneself(name, "removed");
    if (!loseAuthority) {
      notTheLastAuthority(name, status.get(), "removed");
    }
    withoutTasks(name);
    drain(name); // From now on it is given none.
    withoutTasks(name);
    // While it has access: a site of two needs its vote for this.
    membership.removeMember(name);
    String key = device.labels().getOrDefault(LedgerMembership.KEY, "");
    membership.submit(new Command.RemoveDevice(name, key), "removing device " + name);
  }

  private void withoutTasks(String name) throws SiteException {
    if (membership.hasTasks(name)) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "device %s still has tasks: drain it first (`sedge device drain %s`), and wait until `sedge site status` shows none on it"
              .formatted(name, name));
    }
  }

  /**
   * See {@link io.sedge.site.api.SiteControl#expel}.
   *
   * @param status of the site now: who has the authority, and is up
   */
  public void expel(String name, boolean loseAuthority, Supplier<SiteStatus> status)
      throws SiteException {
    known(name);
    notOneself(name, "expelled");
    if (!loseAuthority) {
      notTheLastAuthority(name, status.get(), "expelled");
    }
    set(name, DeviceState.EXPELLED, "expelling device " + name);
    membership.removeMember(name);
  }

  /** See {@link io.sedge.site.api.SiteControl#token}. */
  public JoinToken token(Duration validFor) throws SiteException {
    Optional<Registrar> own = enrolment.registrar();
    if (own.isPresent()) {
      return own.get().token(validFor);
    }
    SiteException last =
        new SiteException(
            FailureCode.NO_AUTHORITY, "no device of this site has the certificate authority");
    for (String address : authorities()) {
      try {
        return EnrolmentClient.token(address, identity, validFor);
      } catch (SiteException e) {
        if (e.code() == FailureCode.USAGE) {
          throw e;
        }
        last =
            new SiteException(
                FailureCode.NO_AUTHORITY,
                "no device that has the certificate authority answers: " + e.getMessage(),
                e);
      }
    }
    throw last;
  }

  /**
   * Where others that have the authority are asked: those that the ledger knows; where it knows
   * none that has it, where this device joined.
   */
  public List<String> authorities() {
    List<Device> known = membership.authorities();
    return known.isEmpty()
        ? through.stream().toList()
        : known.stream()
            .filter(device -> !device.name().equals(identity.name()))
            .map(device -> device.labels().getOrDefault(LedgerMembership.ENROLMENT, ""))
            .toList();
  }

  /** See {@link io.sedge.site.api.SiteControl#giveAuthority}. */
  public void giveAuthority(String name) throws SiteException {
    Device device = notExpelled(name);
    if (LedgerMembership.hasAuthority(device)) {
      return;
    }
    Registrar own =
        enrolment
            .registrar()
            .orElseThrow(
                () ->
                    new SiteException(
                        FailureCode.NOT_NOW,
                        "device %s does not have the certificate authority, and it is given on a device that has it: %s"
                            .formatted(identity.name(), holders())));
    if (device.stopped()) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "device %s is stopped: start it, and give it the certificate authority then"
              .formatted(name));
    }
    own.offer(name, device.labels().getOrDefault(LedgerMembership.KEY, ""));
    boolean given = false;
    try {
      membership.offer(device, own.address());
      awaitAnswer(name);
    } finally {
      given = !own.withdraw(name);
    }
    if (membership.device(name).filter(LedgerMembership::hasAuthority).isPresent()) {
      return;
    }
    membership.withdraw(name);
    throw new SiteException(
        FailureCode.NOT_NOW,
        given
            ? "device %s was given the certificate authority and could not use it; its own log says why"
                .formatted(name)
            : "device %s has not fetched the certificate authority: is it up (`sedge site status`), and does it reach this one? Its own log says more"
                .formatted(name));
  }

  /** Until a device has the authority, has failed to fetch it, or does not seem to hear of it. */
  private void awaitAnswer(String name) throws SiteException {
    long begin = System.nanoTime();
    while (membership.device(name).flatMap(LedgerMembership::offer).isPresent()
        && System.nanoTime() - begin < ANSWER_PATIENCE.toNanos()) {
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SiteException(FailureCode.NOT_NOW, "the device was stopped meanwhile", e);
      }
    }
  }

  private String holders() {
    List<Device> known = membership.authorities();
    return known.isEmpty()
        ? "none has it now"
        : known.stream().map(Device::name).collect(Collectors.joining(", "));
  }

  private void set(String name, DeviceState state, String doing) throws SiteException {
    membership.submit(new Command.SetDeviceState(name, state), doing);
  }

  private Device known(String name) throws SiteException {
    Optional<Device> device = membership.device(name);
    if (device.isEmpty()) {
      throw new SiteException(
          FailureCode.UNKNOWN_NAME,
          "there is no device called %s; there are: %s"
              .formatted(
                  name,
                  membership.devices().stream()
                      .map(Device::name)
                      .collect(Collectors.joining(", "))));
    }
    return device.get();
  }

  private Device notExpelled(String name) throws SiteException {
    Device device = known(name);
    if (device.state() == DeviceState.EXPELLED) {
      throw new SiteException(
          FailureCode.SHUT_OUT,
          "device %s was expelled; that cannot be undone. The machine may join under another --name, with an empty directory"
              .formatted(name));
    }
    return device;
  }

  private void notOneself(String name, String what) throws SiteException {
    if (name.equals(identity.name())) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "device %s was asked to be %s itself: ask another device of the site (--data there)"
              .formatted(name, what));
    }
  }

  private static void notTheLastAuthority(String name, SiteStatus status, String what)
      throws SiteException {
    if (status.isLastAuthority(name)) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "device %s is not %s, since no other device with the certificate authority is up: start one that has it, or give it to another one first, by `sedge device authority --to NAME` on %s. If that is not possible any more, --lose-authority does without"
              .formatted(name, what, name));
    }
  }
}
