package io.sedge.center.store;

import io.sedge.center.store.StoreException.Reason;
import io.sedge.center.store.internal.Database;
import io.sedge.center.store.internal.OrderRows;
import io.sedge.uplink.Order;
import io.sedge.uplink.OrderBody;
import io.sedge.uplink.OrderPoll;
import io.sedge.uplink.OrderState;
import io.sedge.uplink.SiteCondition;
import io.sedge.uplink.UplinkException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * What the center asks of its sites: for each site a list of orders with ascending numbers. A site
 * asks for what follows the last one that its ledger has, so an order that got lost on its way is
 * sent again, and its id tells the site if it had it. Any thread.
 *
 * <p>Numbers and ledgers go back where one of the two was put back from a backup:
 *
 * <pre>
 *   seen                                       means                  what is done
 *   the site has a number that was not given,  the center was put     orders that wait get numbers
 *   or another id under it                     back                   above the site's
 *   the site's ledger, or the number that it   the site was put back  what was sent and has no
 *   has, is behind what it told before, twice                         outcome is UNKNOWN, and is
 *                                                                     not sent again
 *   the site has another ledger                it was made anew       orders that wait are cancelled
 * </pre>
 */
public final class Orders {
  /** How many orders of a site may wait to be sent. */
  public static final int MAX_WAITING = 256;

  /** How many orders of a site are kept when they have ended; the oldest go. */
  public static final int MAX_KEPT = 10_000;

  /** The longest life of an order that ends. */
  public static final Duration MAX_LIFE = Duration.ofDays(7);

  private static final Duration KEEP = Duration.ofMinutes(1);

  private final Database database;
  private final InstantSource clock;
  private final Consumer<String> log;

  /** Sites whose last poll was behind; one that comes late on its way must not count. */
  private final Set<String> suspects = ConcurrentHashMap.newKeySet();

  /** What sites have told of themselves; one entry for each site that has enrolled. */
  private final Map<String, Told> told = new ConcurrentHashMap<>();

  /** When that was written last. */
  private final Map<String, Instant> kept = new ConcurrentHashMap<>();

  private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();

  Orders(Database database, InstantSource clock, Consumer<String> log) {
    this.database = database;
    this.clock = clock;
    this.log = log;
  }

  /** Calls somebody with a site's name whenever an order is given to it. */
  public void whenGiven(Consumer<String> listener) {
    listeners.add(listener);
  }

  /**
   * Gives an order, durably, with an entry in the audit log.
   *
   * @param by who gives it
   * @param life how long it may be done; empty for an order that does not end
   * @throws StoreException UNKNOWN_SITE; REVOKED; BUSY if {@value #MAX_WAITING} wait; TOO_LARGE
   */
  public GivenOrder give(String site, OrderBody body, String by, Optional<Duration> life)
      throws StoreException {
    byte[] bytes = body.bytes();
    if (bytes.length > Order.MAX_BODY_BYTES) {
      throw new StoreException(
          Reason.TOO_LARGE,
          "an order of %,d bytes; %,d are allowed".formatted(bytes.length, Order.MAX_BODY_BYTES));
    }
    Instant now = Instant.ofEpochMilli(clock.millis());
    GivenOrder given =
        database.write(
            handle ->
                new OrderRows(handle, database.dialect(), now, site)
                    .give(
                        new GivenOrder(
                            UUID.randomUUID(),
                            site,
                            0,
                            body.kind(),
                            bytes,
                            by,
                            now,
                            life.map(now::plus),
                            OrderState.QUEUED,
                            "",
                            now),
                        body.toString()));
    listeners.forEach(listener -> listener.accept(site));
    return given;
  }

  /**
   * Takes what a site says, and answers with the orders that follow, which are SENT from then on.
   *
   * @throws StoreException UNKNOWN_SITE, STORE_UNAVAILABLE
   */
  public List<Order> poll(String site, OrderPoll poll) throws StoreException {
    Instant now = Instant.ofEpochMilli(clock.millis());
    boolean keeps = poll.asks() && isToBeKept(site, now);
    OrderRows.Polled polled =
        database.write(
            handle ->
                new OrderRows(handle, database.dialect(), now, site)
                    .poll(poll, suspects.contains(site), keeps));
    if (polled.suspect()) {
      suspects.add(site);
    } else if (poll.asks()) {
      suspects.remove(site);
    }
    poll.condition().ifPresent(condition -> told.put(site, new Told(now, condition)));
    if (keeps) {
      kept.put(site, now);
    }
    polled.said().ifPresent(log);
    return polled.orders();
  }

  /** Once a minute; a clock that was put back counts as a minute too. */
  private boolean isToBeKept(String site, Instant now) {
    Instant before = kept.get(site);
    return before == null || Duration.between(before, now).abs().compareTo(KEEP) >= 0;
  }

  /**
   * Orders of a kind of a site, the latest first.
   *
   * @throws StoreException UNKNOWN_SITE
   */
  public List<GivenOrder> list(String site, String kind, int limit) throws StoreException {
    return database.write(handle -> rows(handle, site).list(kind, limit));
  }

  /** An order of a site. */
  public Optional<GivenOrder> find(String site, UUID id) throws StoreException {
    return database.write(handle -> rows(handle, site).find(id));
  }

  /**
   * Takes an order back that was not sent.
   *
   * @return it as it is then: CANCELLED, or what it was if it is too late; empty if there is none
   * @throws StoreException UNKNOWN_SITE
   */
  public Optional<GivenOrder> cancel(String site, UUID id, String by) throws StoreException {
    return database.write(handle -> rows(handle, site).cancel(id, by));
  }

  private OrderRows rows(org.jdbi.v3.core.Handle handle, String site) {
    return new OrderRows(handle, database.dialect(), Instant.ofEpochMilli(clock.millis()), site);
  }

  /**
   * How a site was when it last said so.
   *
   * @param at by the center's clock
   */
  public record Told(Instant at, SiteCondition condition) {}

  /** How a site was when it last said so; empty if it never did, or this version cannot read it. */
  public Optional<Told> condition(String site) throws StoreException {
    Told last = told.get(site);
    if (last != null) {
      return Optional.of(last);
    }
    Optional<Map.Entry<Long, byte[]>> found = database.read(handle -> OrderRows.told(handle, site));
    try {
      return found.isEmpty()
          ? Optional.empty()
          : Optional.of(
              new Told(
                  Instant.ofEpochMilli(found.get().getKey()),
                  SiteCondition.read(found.get().getValue())));
    } catch (UplinkException _) {
      // A center of a later version has kept it, and was put back to this one.
      return Optional.empty();
    }
  }
}
