package io.sedge.site.internal.downlink;

import io.sedge.ledger.Secret;
import io.sedge.ledger.SiteState;
import io.sedge.replication.LedgerMember;
import io.sedge.site.internal.membership.SecretStore;
import io.sedge.task.JobException;
import io.sedge.task.JobListener;
import io.sedge.uplink.SiteCondition;
import io.sedge.uplink.SiteCredential;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the site's center for orders, on the device that leads the ledger, while the site has a
 * center. Else nothing runs. One thread looks; asking has threads of its own.
 */
public final class Downlink implements AutoCloseable {
  private final String self;
  private final LedgerMember member;
  private final SecretStore secrets;
  private final OrderTaker taker;
  private final Supplier<SiteCondition> condition;
  private final InstantSource clock;
  private final JobListener listener;

  /** The version of the credential that is asked with; 0 for none. */
  private long known;

  private @Nullable OrderLoop loop;

  /**
   * @param self the name of this device
   * @param condition how the site is
   */
  public Downlink(
      String self,
      LedgerMember member,
      SecretStore secrets,
      OrderTaker taker,
      Supplier<SiteCondition> condition,
      InstantSource clock,
      JobListener listener) {
    this.self = self;
    this.member = member;
    this.secrets = secrets;
    this.taker = taker;
    this.condition = condition;
    this.clock = clock;
    this.listener = listener;
  }

  /** Begins or ends asking where that is due. */
  public synchronized void look() {
    long version =
        member.isLeader()
            ? member.read(SiteState::secrets).stream()
                .filter(secret -> secret.name().equals(SiteCredential.SECRET))
                .mapToLong(Secret::version)
                .findFirst()
                .orElse(0)
            : 0;
    if (version == known && (loop == null || loop.isAlive())) {
      return;
    }
    end();
    Optional<SiteCredential> credential = version == 0 ? Optional.empty() : read();
    if (credential.isPresent()) {
      known = version;
      loop = new OrderLoop(self, credential.get(), member, taker, condition, clock, listener);
      loop.start();
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

  private void end() {
    known = 0;
    if (loop != null) {
      loop.close();
      loop = null;
    }
  }

  @Override
  public synchronized void close() {
    end();
  }
}
