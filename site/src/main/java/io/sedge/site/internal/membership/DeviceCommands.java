package io.sedge.site.internal.membership;

import io.sedge.ledger.Command;
import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.site.FailureCode;
import io.sedge.site.JoinToken;
import io.sedge.site.SiteException;
import io.sedge.site.internal.identity.DeviceIdentity;
import io.sedge.site.internal.identity.EnrolmentClient;
import io.sedge.site.internal.identity.EnrolmentServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What {@link io.sedge.site.SiteControl} says of devices and tokens, done on the ledger. */
public final class DeviceCommands {
  private final LedgerMembership membership;
  private final DeviceIdentity identity;
  private final Optional<EnrolmentServer> enrolment;
  private final Optional<String> through;

  /**
   * @param enrolment if this device has the authority
   * @param through the address through which this device joined
   */
  public DeviceCommands(
      LedgerMembership membership,
      DeviceIdentity identity,
      Optional<EnrolmentServer> enrolment,
      Optional<String> through) {
    this.membership = membership;
    this.identity = identity;
    this.enrolment = enrolment;
    this.through = through;
  }

  /** See {@link io.sedge.site.SiteControl#drain}. */
  public void drain(String name) throws SiteException {
    notExpelled(name);
    set(name, DeviceState.DRAINING, "draining device " + name);
  }

  /** See {@link io.sedge.site.SiteControl#undrain}. */
  public void undrain(String name) throws SiteException {
    notExpelled(name);
    set(name, DeviceState.ACTIVE, "using device %s again".formatted(name));
  }

  /** See {@link io.sedge.site.SiteControl#removeDevice}. */
  public void remove(String name) throws SiteException {
    if (membership.device(name).isEmpty() && !membership.membersOf(name).isEmpty()) {
      membership.removeMember(name); // What a removal that failed has left.
      return;
    }
    Device device = notExpelled(name);
    notOneself(name, "removed");
    notTheLastAuthority(device, "removed");
    if (membership.hasTasks(name)) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "device %s still has tasks: drain it first (`sedge device drain %s`), and wait until `sedge site status` shows none on it"
              .formatted(name, name));
    }
    membership.submit(new Command.RemoveDevice(name), "removing device " + name);
    membership.removeMember(name);
  }

  /** See {@link io.sedge.site.SiteControl#expel}. */
  public void expel(String name) throws SiteException {
    Device device = known(name);
    notOneself(name, "expelled");
    notTheLastAuthority(device, "expelled");
    set(name, DeviceState.EXPELLED, "expelling device " + name);
    membership.removeMember(name);
  }

  /** See {@link io.sedge.site.SiteControl#token}. */
  public JoinToken token(Duration validFor) throws SiteException {
    if (enrolment.isPresent()) {
      return enrolment.get().token(validFor);
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

  /** Where the authority is asked: those that the ledger knows, else where this one joined. */
  public List<String> authorities() {
    List<String> known = membership.authorities();
    return known.isEmpty() ? through.stream().toList() : known;
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

  private void notTheLastAuthority(Device device, String what) throws SiteException {
    String own = device.labels().getOrDefault(LedgerMembership.ENROLMENT, "");
    if (!own.isEmpty() && membership.authorities().size() < 2) {
      throw new SiteException(
          FailureCode.NOT_NOW,
          "device %s is the only one with the certificate authority, so it cannot be %s: copy its directory `authority` to another device first, and start that one again"
              .formatted(device.name(), what));
    }
  }
}
