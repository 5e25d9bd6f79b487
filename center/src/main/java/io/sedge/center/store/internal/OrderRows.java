package io.sedge.center.store.internal;

import io.sedge.center.store.AuditLog;
import io.sedge.center.store.GivenOrder;
import io.sedge.center.store.Orders;
import io.sedge.center.store.Site;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.uplink.Order;
import io.sedge.uplink.OrderAnswer;
import io.sedge.uplink.OrderOutcome;
import io.sedge.uplink.OrderPoll;
import io.sedge.uplink.OrderState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;

/** Orders of a site, in one transaction. See {@link Orders} for what is done when. */
public final class OrderRows {
  /** A clock that was put back by more makes it unknown how old an order is. */
  private static final Duration CLOCK_STEP = Duration.ofMinutes(1);

  private static final String WAITING = "('QUEUED', 'SENT')";
  private static final String OPEN = "('QUEUED', 'SENT', 'UNKNOWN', 'ACCEPTED', 'WRITTEN')";

  private final Handle handle;
  private final Dialect dialect;
  private final Instant now;
  private final String site;

  public OrderRows(Handle handle, Dialect dialect, Instant now, String site) {
    this.handle = handle;
    this.dialect = dialect;
    this.now = now;
    this.site = site;
  }

  /**
   * What came of a poll.
   *
   * @param suspect whether it was behind the one before, for the first time
   * @param said for people
   */
  public record Polled(List<Order> orders, boolean suspect, Optional<String> said) {}

  /** Where a site is with its orders. */
  private record Place(String ledger, long last, long applied, long index) {}

  /** The site's place, made if there is none; others that want it wait. */
  private Place place(String ledger) {
    Place none = new Place(ledger, 0, 0, 0);
    return handle
        .createQuery(
            "SELECT * FROM sedge_order_site WHERE site = :site%s".formatted(dialect.lockSuffix()))
        .bind("site", site)
        .map(
            (row, _) ->
                new Place(
                    row.getString("ledger"),
                    row.getLong("last"),
                    row.getLong("applied"),
                    row.getLong("ledger_index")))
        .findOne()
        .orElseGet(
            () -> {
              handle
                  .createUpdate(
                      "INSERT INTO sedge_order_site (site, ledger, last, applied, ledger_index)"
                          + " VALUES (:site, :ledger, 0, 0, 0)")
                  .bind("site", site)
                  .bind("ledger", ledger)
                  .execute();
              return none;
            });
  }

  private void set(Place place) {
    handle
        .createUpdate(
            "UPDATE sedge_order_site SET ledger = :ledger, last = :last, applied = :applied,"
                + " ledger_index = :index WHERE site = :site")
        .bind("site", site)
        .bind("ledger", place.ledger())
        .bind("last", place.last())
        .bind("applied", place.applied())
        .bind("index", place.index())
        .execute();
  }

  private record Known(String ledger, Site.State state) {}

  private Known known() throws StoreException {
    return handle
        .createQuery("SELECT ledger, state FROM sedge_site WHERE name = :site")
        .bind("site", site)
        .map(
            (row, _) ->
                new Known(row.getString("ledger"), Site.State.valueOf(row.getString("state"))))
        .findOne()
        .orElseThrow(
            () ->
                new StoreException(Reason.UNKNOWN_SITE, "no site is called '%s'".formatted(site)));
  }

  /**
   * Adds an order with the next number.
   *
   * @param text what it is, for the audit log
   */
  public GivenOrder give(GivenOrder order, String text) throws StoreException {
    Known known = known();
    if (known.state() == Site.State.REVOKED) {
      throw new StoreException(Reason.REVOKED, "site %s is shut out".formatted(site));
    }
    Place place = settled(place(known.ledger()), known.ledger());
    expire();
    int waiting = waiting(0).size();
    if (waiting >= Orders.MAX_WAITING) {
      throw new StoreException(
          Reason.BUSY,
          "%d orders for site %s wait, which is as many as may".formatted(waiting, site));
    }
    long number = place.last() + 1;
    set(new Place(known.ledger(), number, place.applied(), place.index()));
    handle
        .createUpdate(
            "INSERT INTO sedge_order (id, site, ledger, number, kind, body, given_by, given_at,"
                + " expires_at, state, detail, state_at) VALUES (:id, :site, :ledger, :number,"
                + " :kind, :body, :by, :at, :expires, :state, '', :at)")
        .bind("id", order.id().toString())
        .bind("site", site)
        .bind("ledger", known.ledger())
        .bind("number", number)
        .bind("kind", order.kind())
        .bind("body", order.body())
        .bind("by", order.givenBy())
        .bind("at", order.givenAt().toEpochMilli())
        .bind("expires", order.expiresAt().map(Instant::toEpochMilli).orElse(null))
        .bind("state", order.state().name())
        .execute();
    prune();
    audit(order.givenBy(), order.kind(), "%s: %s".formatted(order.id(), text));
    return find(order.id()).orElseThrow();
  }

  private void audit(String who, String what, String detail) {
    RegistryRows.audit(
        handle, now.toEpochMilli(), AuditLog.MAX_ENTRIES, List.of(who, what, site, detail));
  }

  private void prune() {
    handle
        .createUpdate(
            "DELETE FROM sedge_order WHERE site = :site AND state NOT IN "
                + OPEN
                + " AND number <= (SELECT last FROM sedge_order_site WHERE site = :site) - :kept")
        .bind("site", site)
        .bind("kept", Orders.MAX_KEPT)
        .execute();
  }

  /** A site that was made anew gets nothing that was for the one before. */
  private Place settled(Place place, String ledger) {
    if (place.ledger().equals(ledger)) {
      return place;
    }
    change("state IN " + OPEN, OrderState.CANCELLED, "the site was made anew").execute();
    Place fresh = new Place(ledger, place.last(), 0, 0);
    set(fresh);
    return fresh;
  }

  private Update change(String which, OrderState state, String detail) {
    return handle
        .createUpdate(
            "UPDATE sedge_order SET state = :state, detail = :detail, state_at = :at"
                + " WHERE site = :site AND "
                + which)
        .bind("state", state.name())
        .bind("detail", detail)
        .bind("at", now.toEpochMilli())
        .bind("site", site);
  }

  /** Orders that were not sent and are too old, or whose age cannot be known. */
  private void expire() {
    if (waiting(0).isEmpty()) {
      return; // Nothing is written for a look.
    }
    change(
            "state = 'QUEUED' AND expires_at IS NOT NULL"
                + " AND (expires_at <= :at OR given_at > :at + :step)",
            OrderState.EXPIRED,
            "the site did not ask in time")
        .bind("step", CLOCK_STEP.toMillis())
        .execute();
  }

  /**
   * See {@link Orders#poll}.
   *
   * @param suspected whether the site's last poll was behind
   * @param keeps whether what the site tells of itself is to be kept; else only what it must
   */
  public Polled poll(OrderPoll poll, boolean suspected, boolean keeps) throws StoreException {
    Known known = known();
    Place place = settled(place(known.ledger()), known.ledger());
    for (OrderOutcome outcome : poll.outcomes()) {
      take(outcome);
    }
    if (!poll.asks()) {
      return new Polled(List.of(), false, Optional.empty());
    }
    boolean behind = poll.index() < place.index() || poll.after() < place.applied();
    if (behind && !suspected) {
      return new Polled(List.of(), true, Optional.empty());
    }
    Optional<String> said = behind ? Optional.of(putBack(place, poll)) : Optional.empty();
    long last = place.last();
    if (isForked(place, poll)) {
      last = renumber(Math.max(last, poll.after()));
      said =
          Optional.of(
              "site %s has an order %d that this center has not given: the center was put back from a backup, or the site had another. Orders go on with number %d"
                  .formatted(site, poll.after(), last + 1));
    }
    if (keeps || behind || last != place.last() || poll.after() != place.applied()) {
      set(new Place(known.ledger(), last, poll.after(), poll.index()));
      poll.condition().ifPresent(condition -> tell(condition.bytes()));
    }
    return new Polled(send(poll.after()), false, said);
  }

  private String putBack(Place place, OrderPoll poll) {
    int unknown =
        change("state = 'SENT'", OrderState.UNKNOWN, "the site was put back to an older state")
            .execute();
    return "site %s was put back to an older state: its ledger was at entry %d and order %d, and is at %d and %d. Orders are not sent again; of %d it is not known whether they were done"
        .formatted(site, place.index(), place.applied(), poll.index(), poll.after(), unknown);
  }

  /** Whether the site's last order is none of this list. */
  private boolean isForked(Place place, OrderPoll poll) {
    if (poll.after() > place.last()) {
      return true;
    }
    return handle
        .createQuery("SELECT id FROM sedge_order WHERE site = :site AND number = :number")
        .bind("site", site)
        .bind("number", poll.after())
        .mapTo(String.class)
        .findOne()
        .filter(id -> !id.equals(poll.lastId().toString()))
        .isPresent();
  }

  /** Gives orders that wait other numbers; the last one. */
  private long renumber(long last) {
    long number = last;
    for (GivenOrder order : waiting(0)) {
      handle
          .createUpdate("UPDATE sedge_order SET number = :number WHERE id = :id")
          .bind("number", ++number)
          .bind("id", order.id().toString())
          .execute();
    }
    return number;
  }

  private List<GivenOrder> waiting(long after) {
    return handle
        .createQuery(
            "SELECT * FROM sedge_order WHERE site = :site AND number > :after AND state IN "
                + WAITING
                + " ORDER BY number LIMIT :limit")
        .bind("site", site)
        .bind("after", after)
        .bind("limit", Orders.MAX_WAITING)
        .map((row, _) -> order(row))
        .list();
  }

  private List<Order> send(long after) {
    List<Order> sent = new ArrayList<>();
    long bytes = 0;
    for (GivenOrder order : waiting(after)) {
      long life = life(order);
      if (life < 0) {
        // It was sent, and the site's ledger does not have it.
        change("id = :id", OrderState.EXPIRED, "the site did not take it in time")
            .bind("id", order.id().toString())
            .execute();
        continue;
      }
      bytes += order.body().length;
      if (sent.size() == OrderAnswer.MAX_ORDERS
          || (bytes > OrderAnswer.MAX_BODIES_BYTES && !sent.isEmpty())) {
        break;
      }
      change("state = 'QUEUED' AND id = :id", OrderState.SENT, "")
          .bind("id", order.id().toString())
          .execute();
      sent.add(
          new Order(
              order.number(),
              order.id(),
              order.kind(),
              order.body(),
              order.givenBy(),
              order.givenAt().toEpochMilli(),
              life));
    }
    return sent;
  }

  /** How long it may still be done; 0 if it does not end, -1 if its time is over. */
  private long life(GivenOrder order) {
    if (order.expiresAt().isEmpty()) {
      return 0;
    }
    if (order.givenAt().isAfter(now.plus(CLOCK_STEP))) {
      return -1;
    }
    Instant begin = order.givenAt().isAfter(now) ? order.givenAt() : now;
    long left = Duration.between(begin, order.expiresAt().get()).toMillis();
    return left > 0 ? left : -1;
  }

  /** A site says the same until it is told that it was heard, and may say it too late. */
  private void take(OrderOutcome outcome) {
    Optional<GivenOrder> order = find(outcome.id());
    if (order.isPresent() && outcome.state().follows(order.get().state())) {
      change("id = :id", outcome.state(), outcome.detail())
          .bind("id", outcome.id().toString())
          .execute();
    }
  }

  private void tell(byte[] condition) {
    handle
        .createUpdate("UPDATE sedge_order_site SET told = :told, told_at = :at WHERE site = :site")
        .bind("told", condition)
        .bind("at", now.toEpochMilli())
        .bind("site", site)
        .execute();
  }

  /** What a site told last, and when. */
  public static Optional<Map.Entry<Long, byte[]>> told(Handle handle, String site) {
    return handle
        .createQuery(
            "SELECT told, told_at FROM sedge_order_site WHERE site = :site AND told IS NOT NULL")
        .bind("site", site)
        .map((row, _) -> Map.entry(row.getLong("told_at"), row.getBytes("told")))
        .findOne();
  }

  /** The latest first. */
  public List<GivenOrder> list(String kind, int limit) throws StoreException {
    var _ = known();
    expire();
    return handle
        .createQuery(
            "SELECT * FROM sedge_order WHERE site = :site AND kind = :kind"
                + " ORDER BY number DESC LIMIT :limit")
        .bind("site", site)
        .bind("kind", kind)
        .bind("limit", limit)
        .map((row, _) -> order(row))
        .list();
  }

  public Optional<GivenOrder> find(UUID id) {
    expire();
    return handle
        .createQuery("SELECT * FROM sedge_order WHERE site = :site AND id = :id")
        .bind("site", site)
        .bind("id", id.toString())
        .map((row, _) -> order(row))
        .findOne();
  }

  /** See {@link Orders#cancel}. */
  public Optional<GivenOrder> cancel(UUID id, String by) throws StoreException {
    var _ = place(known().ledger()); // A poll may be sending it.
    int cancelled =
        change("state = 'QUEUED' AND id = :id", OrderState.CANCELLED, "by " + by)
            .bind("id", id.toString())
            .execute();
    Optional<GivenOrder> order = find(id);
    if (cancelled > 0 && order.isPresent()) {
      audit(by, order.get().kind() + " cancel", id.toString());
    }
    return order;
  }

  private static GivenOrder order(ResultSet row) throws SQLException {
    long expires = row.getLong("expires_at");
    boolean ends = !row.wasNull();
    return new GivenOrder(
        UUID.fromString(row.getString("id")),
        row.getString("site"),
        row.getLong("number"),
        row.getString("kind"),
        row.getBytes("body"),
        row.getString("given_by"),
        Instant.ofEpochMilli(row.getLong("given_at")),
        ends ? Optional.of(Instant.ofEpochMilli(expires)) : Optional.empty(),
        OrderState.valueOf(row.getString("state")),
        row.getString("detail"),
        Instant.ofEpochMilli(row.getLong("state_at")));
  }
}
