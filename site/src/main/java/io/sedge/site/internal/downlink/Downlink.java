package io.sedge.site.internal.downlink;

import io.sedge.ledger.Secret;
import io.sedge.ledger.SiteState;
import io.sedge.replication.LedgerMember;
import io.sedge.site.internal.membership.SecretStore;
import io.sedge.task.JobException;
import io.sedge.task.JobListener;
import io.sedge.uplink.SiteCondition;
import io.sedge.uplink.SiteCredential;
import io.sedge.uplink.TopicRoute;
import io.sedge.uplink.UplinkClient;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the site's center for orders, and tells it of alarms, on the device that leads the ledger,
 * while the site has a center. Else nothing runs. One thread looks; asking and telling have threads
 * of their own.
 */
public final class Downlink implements AutoCloseable {
  private final String self;
  private final LedgerMember member;
  private final SecretStore secrets;
  private final OrderTaker taker;
  private final Questions questions;
  private final Supplier<SiteCondition> condition;
  private final InstantSource clock;
  private final JobListener listener;

  /** The version of the credential that is asked with; 0 for none. */
  private long known;

  private @Nullable Asking asking;

  /**
   * @param self the name of this device
   * @param condition how the site is
   */
  public Downlink(
      String self,
      LedgerMember member,
      SecretStore secrets,
      OrderTaker taker,
      Questions questions,
      Supplier<SiteCondition> condition,
      InstantSource clock,
      JobListener listener) {
    this.self = self;
    this.member = member;
    this.secrets = secrets;
    this.taker = taker;
    this.questions = questions;
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
    if (version == known && (asking == null || asking.isAlive())) {
      if (asking != null) {
        asking.alarms().look();
      }
      return;
    }
    end();
    Optional<String> text = version == 0 ? Optional.empty() : read();
    if (text.flatMap(TopicRoute::find).isPresent()) {
      known = version; // Topics give no orders.
      return;
    }
    Optional<SiteCredential> credential = text.flatMap(Downlink::credential);
    if (credential.isPresent()) {
      known = version;
      asking = begin(credential.get());
    }
  }

  /** What runs while there is a center, over one client. */
  private record Asking(UplinkClient client, OrderLoop orders, AlarmTelling alarms)
      implements AutoCloseable {
    boolean isAlive() {
      return orders.isAlive() && alarms.isAlive();
    }

    @Override
    public void close() {
      client.close();
      orders.close();
      alarms.close();
    }
  }

  private Asking begin(SiteCredential credential) {
    UplinkClient client = client(credential);
    Majority majority = new Majority(self, member, clock);
    AlarmTelling alarms = new AlarmTelling(client, member, majority, clock, listener);
    OrderLoop orders =
        new OrderLoop(
            credential.center(),
            client,
            member,
            majority,
            taker,
            questions,
            condition,
            alarms::again,
            clock,
            listener);
    alarms.start();
    orders.start();
    return new Asking(client, orders, alarms);
  }

  private static UplinkClient client(SiteCredential credential) {
    try {
      return UplinkClient.of(credential);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a credential that was read: " + e.getMessage(), e);
    }
  }

  private Optional<String> read() {
    try {
      return Optional.of(secrets.value(SiteCredential.SECRET));
    } catch (JobException _) {
      // This device was not given it yet: the tables that need it say so.
      return Optional.empty();
    }
  }

  private static Optional<SiteCredential> credential(String text) {
    try {
      return Optional.of(SiteCredential.parse(text));
    } catch (GeneralSecurityException _) {
      // A value that a person has set by hand: the tables that need it say so.
      return Optional.empty();
    }
  }

  private void end() {
    known = 0;
    if (asking != null) {
      asking.close();
      asking = null;
    }
  }

  @Override
  public synchronized void close() {
    end();
  }
}
