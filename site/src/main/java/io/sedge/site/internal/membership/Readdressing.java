package io.sedge.site.internal.membership;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.identity.Authority;
import io.sedge.identity.DeviceIdentity;
import io.sedge.replication.LedgerException;
import io.sedge.replication.LedgerMember;
import io.sedge.replication.MemberOptions;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobListener;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Gives the only device of a site another address while it is stopped: in its certificate, in the
 * ledger's list of members, and last in its directory. Each can be done again, so that it may be
 * repeated after a crash. What the ledger says of the device follows when that is started.
 */
public final class Readdressing {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long LOOK_MILLIS = 20;

  private final DeviceOptions options;
  private final InstantSource clock;
  private final JobListener listener;

  /**
   * @param options the device's directory, its name, and the address that it is to have
   */
  public Readdressing(DeviceOptions options, InstantSource clock, JobListener listener) {
    this.options = options;
    this.clock = clock;
    this.listener = listener;
  }

  /** See {@link io.sedge.site.Device#readdress}. */
  public void carryOut() throws SiteException {
    if (DeviceDirectory.settings(options.data()).isEmpty()) {
      throw new SiteException(
          FailureCode.DIRECTORY_NOT_USABLE,
          "no device has %s as its directory: name one with --data".formatted(options.data()));
    }
    try (DeviceDirectory directory = DeviceDirectory.take(options.data(), listener)) {
      carryOut(directory, DeviceDirectory.settings(options.data()).orElseThrow());
    } catch (IOException | GeneralSecurityException e) {
      throw new SiteException(
          FailureCode.DIRECTORY_NOT_USABLE,
          "the identity in %s cannot be used: %s".formatted(options.data(), e.getMessage()),
          e);
    }
  }

  private void carryOut(DeviceDirectory directory, DeviceDirectory.Settings settings)
      throws SiteException, IOException, GeneralSecurityException {
    if (!DeviceIdentity.existsIn(directory.identity())
        || !LedgerMember.existsIn(directory.ledger())) {
      throw refused("it has not been let into a site yet: begin or join one with --listen");
    }
    if (!Authority.existsIn(directory.authority())) {
      throw refused("it does not have the certificate authority, " + elsewhere());
    }
    DeviceIdentity identity = DeviceIdentity.open(directory.identity(), clock);
    try (LedgerMember member = LedgerMember.open(member(directory, identity))) {
      if (member.members().size() != 1) {
        throw refused("its site has other devices, which know its address, " + elsewhere());
      }
      awaitLeading(member);
      identity.readdress(
          Authority.open(directory.authority()),
          List.of(options.host()),
          clock.instant(),
          options.certificateValidity());
      member.readdress();
    } catch (LedgerException e) {
      throw new SiteException(FailureCode.CONNECTION_FAILED, String.valueOf(e.getMessage()), e);
    }
    directory.write(settings.at(options.host(), options.port(), options.enrolmentPort()));
  }

  private MemberOptions member(DeviceDirectory directory, DeviceIdentity identity) {
    return MemberOptions.of(
        directory.ledger(),
        options.name(),
        options.host(),
        options.port(),
        Optional.of(identity.tls()),
        (severity, message) -> listener.report(Severity.valueOf(severity.name()), message));
  }

  private String elsewhere() {
    return "so have another device remove it (`sedge device remove %s`), and let it join anew at %s, with an empty directory"
        .formatted(options.name(), options.address());
  }

  private SiteException refused(String why) {
    return new SiteException(
        FailureCode.NOT_NOW,
        "device %s is not given the address %s: %s"
            .formatted(options.name(), options.address(), why));
  }

  private void awaitLeading(LedgerMember member) throws SiteException {
    long begin = System.nanoTime();
    while (!member.isLeader()) {
      if (System.nanoTime() - begin > PATIENCE.toNanos()) {
        throw new SiteException(
            FailureCode.NO_MAJORITY,
            "the ledger in %s does not begin to work".formatted(options.data()));
      }
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SiteException(FailureCode.NOT_NOW, "it was stopped meanwhile", e);
      }
    }
  }
}
