package io.sedge.site.internal.membership;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.identity.SigningRequest;
import io.sedge.ledger.Secret;
import io.sedge.ledger.SiteState;
import io.sedge.replication.LedgerMember;
import io.sedge.site.api.SiteException;
import io.sedge.task.JobException;
import io.sedge.task.JobListener;
import io.sedge.uplink.SiteCredential;
import io.sedge.uplink.UplinkClient;
import io.sedge.uplink.UplinkException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Renews the certificate by which the site reports to a center, when a third of its life is left.
 * The device that leads the ledger does it, and the others get it with the site's secrets. One
 * thread looks; asking the center is done by another, so that the look does not wait for it.
 */
public final class CenterRenewal {
  private static final Duration RETRY = Duration.ofHours(1);

  private final LedgerMember member;
  private final SecretStore secrets;
  private final InstantSource clock;
  private final JobListener listener;

  /** The version of the secret that {@link #due} is of; 0 for none. */
  private long known;

  private Instant due = Instant.MAX;

  /** Before that nothing is tried again. */
  private Instant triedUntil = Instant.MIN;

  private @Nullable Thread renewing;

  public CenterRenewal(
      LedgerMember member, SecretStore secrets, InstantSource clock, JobListener listener) {
    this.member = member;
    this.secrets = secrets;
    this.clock = clock;
    this.listener = listener;
  }

  /** Begins to renew it where that is due. */
  void look() {
    Optional<Secret> secret =
        member.read(SiteState::secrets).stream()
            .filter(candidate -> candidate.name().equals(SiteCredential.SECRET))
            .findFirst();
    if (secret.isEmpty() || !member.isLeader()) {
      known = 0;
      return;
    }
    if (secret.get().version() != known) {
      known = secret.get().version();
      due = read().map(CenterRenewal::renewAt).orElse(Instant.MAX);
      // Where this device's clock is far ahead, a new certificate is due at once: not so often.
      due = due.isBefore(triedUntil) ? triedUntil : due;
    }
    if (clock.instant().isAfter(due) && (renewing == null || !renewing.isAlive())) {
      triedUntil = clock.instant().plus(RETRY);
      due = triedUntil;
      renewing = Thread.ofVirtual().name("sedge-center-renewal").start(this::renew);
    }
  }

  private Optional<SiteCredential> read() {
    try {
      return Optional.of(SiteCredential.parse(secrets.value(SiteCredential.SECRET)));
    } catch (JobException | GeneralSecurityException _) {
      // A value that a person has set by hand, or that this device was not given yet: the tables
      // that need it say so.
      return Optional.empty();
    }
  }

  private static Instant renewAt(SiteCredential credential) {
    Instant begin = credential.certificate().getNotBefore().toInstant();
    return credential.endsAt().minus(Duration.between(begin, credential.endsAt()).dividedBy(3));
  }

  private void renew() {
    try {
      String text = secrets.value(SiteCredential.SECRET);
      SiteCredential credential = SiteCredential.parse(text);
      try (UplinkClient client = UplinkClient.of(credential)) {
        byte[] request = SigningRequest.create(credential.site(), credential.keys());
        SiteCredential renewed = credential.renewed(client.renew(request));
        if (!secrets.value(SiteCredential.SECRET).equals(text)) {
          return; // Somebody has had the site report anew meanwhile.
        }
        secrets.set(SiteCredential.SECRET, renewed.text());
        listener.report(
            Severity.INFO,
            "the certificate by which this site reports to %s is renewed"
                .formatted(credential.center()));
      }
    } catch (UplinkException | JobException | SiteException | GeneralSecurityException e) {
      listener.report(
          Severity.WARNING,
          "the certificate by which this site reports to its center is not renewed: %s; tried again in an hour"
              .formatted(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
