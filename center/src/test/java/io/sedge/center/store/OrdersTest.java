package io.sedge.center.store;

import static io.sedge.center.store.StoreAssertions.refusedWith;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.center.store.StoreException.Reason;
import io.sedge.uplink.Order;
import io.sedge.uplink.OrderOutcome;
import io.sedge.uplink.OrderPoll;
import io.sedge.uplink.OrderState;
import io.sedge.uplink.SiteCondition;
import io.sedge.uplink.TableCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the center asks of a site, and how far that has come. */
class OrdersTest extends StoreTestBase {
  private static final Duration LIFE = Duration.ofSeconds(30);

  OrdersTest(TestDatabase database) {
    super(database);
  }

  /** A site's side: what its ledger has. */
  private static final class Ledger {
    long index = 100;
    final List<Order> taken = new ArrayList<>();

    OrderPoll poll(OrderOutcome... outcomes) {
      return new OrderPoll(
          OrderPoll.Wants.ORDERS,
          ++index,
          taken.isEmpty() ? 0 : taken.getLast().number(),
          taken.isEmpty() ? OrderPoll.NO_ID : taken.getLast().id(),
          0,
          List.of(outcomes),
          Optional.empty());
    }

    /** An order that it has is not taken again, whatever number it comes with. */
    void take(Order order) {
      if (taken.stream().noneMatch(known -> known.id().equals(order.id()))) {
        taken.add(order);
      }
    }

    Ledger backup() {
      Ledger copy = new Ledger();
      copy.index = index;
      copy.taken.addAll(taken);
      return copy;
    }
  }

  private static TableCommand command(int value) {
    return new TableCommand("press", "valve", Map.of("position", Integer.toString(value)));
  }

  private GivenOrder give(int value) throws StoreException {
    return store.orders().give(SITE, command(value), "anna", Optional.of(LIFE));
  }

  private OrderState state(GivenOrder order) throws StoreException {
    return store.orders().find(SITE, order.id()).orElseThrow().state();
  }

  private static OrderOutcome outcome(GivenOrder order, OrderState state) {
    return new OrderOutcome(order.id(), state, "", 5);
  }

  private List<Order> poll(Ledger ledger, OrderOutcome... outcomes) throws StoreException {
    List<Order> orders = store.orders().poll(SITE, ledger.poll(outcomes));
    orders.forEach(ledger::take);
    return orders;
  }

  @Test
  void anOrderIsSentUntilTheSiteHasItAndItsOutcomeIsKept() throws Exception {
    GivenOrder first = give(1);
    GivenOrder second = give(2);
    assertThat(first.number()).isEqualTo(1);
    assertThat(state(first)).isEqualTo(OrderState.QUEUED);
    Ledger ledger = new Ledger();
    // The answer is lost.
    assertThat(store.orders().poll(SITE, ledger.poll())).hasSize(2);
    assertThat(state(first)).isEqualTo(OrderState.SENT);
    reopen();
    List<Order> orders = poll(ledger);
    assertThat(orders).extracting(Order::id).containsExactly(first.id(), second.id());
    assertThat(TableCommand.read(orders.getLast().body())).isEqualTo(command(2));
    assertThat(orders.getFirst().givenBy()).isEqualTo("anna");
    assertThat(orders.getFirst().lifeMillis()).isEqualTo(LIFE.toMillis());
    assertThat(poll(ledger, outcome(first, OrderState.ACCEPTED))).isEmpty();
    assertThat(poll(ledger, outcome(first, OrderState.CONFIRMED))).isEmpty();
    // What was on its way for long, and what is said again.
    assertThat(poll(ledger, outcome(first, OrderState.WRITTEN))).isEmpty();
    assertThat(state(first)).isEqualTo(OrderState.CONFIRMED);
    assertThat(state(second)).isEqualTo(OrderState.SENT);
    assertThat(store.orders().list(SITE, TableCommand.KIND, 10))
        .extracting(GivenOrder::id)
        .containsExactly(second.id(), first.id());
    assertThat(said).isEmpty();
  }

  @Test
  void anOrderWhoseTimeIsOverIsNotSentWhateverTheClockDoes() throws Exception {
    GivenOrder queued = give(1);
    now = now.plusSeconds(10);
    Ledger ledger = new Ledger();
    Order sent = store.orders().poll(SITE, ledger.poll()).getFirst();
    assertThat(sent.lifeMillis()).isEqualTo(LIFE.minusSeconds(10).toMillis());
    now = now.plusSeconds(20);
    assertThat(poll(ledger)).isEmpty();
    assertThat(state(queued)).isEqualTo(OrderState.EXPIRED);
    GivenOrder second = give(2);
    // The center's clock is put back by a day: nobody knows how old the order is.
    now = now.minus(Duration.ofDays(1));
    assertThat(poll(ledger)).isEmpty();
    assertThat(state(second)).isEqualTo(OrderState.EXPIRED);
    // A second is no reason, but adds nothing to its life.
    GivenOrder third = give(3);
    now = now.minusSeconds(1);
    assertThat(poll(ledger).getFirst().lifeMillis()).isEqualTo(LIFE.toMillis());
    assertThat(state(third)).isEqualTo(OrderState.SENT);
  }

  @Test
  void anOrderMayBeTakenBackUntilItIsSent() throws Exception {
    GivenOrder first = give(1);
    assertThat(store.orders().cancel(SITE, first.id(), "bob").orElseThrow().state())
        .isEqualTo(OrderState.CANCELLED);
    GivenOrder second = give(2);
    Ledger ledger = new Ledger();
    assertThat(poll(ledger)).extracting(Order::id).containsExactly(second.id());
    assertThat(store.orders().cancel(SITE, second.id(), "bob").orElseThrow().state())
        .isEqualTo(OrderState.SENT);
    assertThat(store.orders().cancel(SITE, UUID.randomUUID(), "bob")).isEmpty();
    assertThat(store.audit().latest(3))
        .extracting(entry -> entry.who() + " " + entry.what())
        .containsExactly("anna command", "bob command cancel", "anna command");
  }

  /** Nobody writes that, so that looking does not write. */
  @Test
  void whatASiteNeverAnswersIsUnknownAndWhatItNeverAskedForIsExpired() throws Exception {
    Ledger ledger = new Ledger();
    GivenOrder sent = give(1);
    assertThat(store.orders().poll(SITE, ledger.poll())).hasSize(1);
    GivenOrder queued = give(2);
    now = now.plus(LIFE);
    assertThat(state(queued)).isEqualTo(OrderState.EXPIRED);
    assertThat(state(sent)).isEqualTo(OrderState.SENT);
    now = now.plusSeconds(60);
    assertThat(store.orders().list(SITE, TableCommand.KIND, 10))
        .extracting(GivenOrder::state)
        .containsExactly(OrderState.EXPIRED, OrderState.UNKNOWN);
    assertThat(store.orders().cancel(SITE, queued.id(), "bob").orElseThrow().state())
        .isEqualTo(OrderState.EXPIRED);
    poll(ledger, outcome(sent, OrderState.WRITTEN));
    assertThat(state(sent)).isEqualTo(OrderState.WRITTEN);
  }

  @Test
  void aLongOrderDoesNotFillTheAuditLog() throws Exception {
    store
        .orders()
        .give(
            SITE,
            new TableCommand("press", "valve", Map.of("position", "1".repeat(10_000))),
            "anna",
            Optional.of(LIFE));
    assertThat(store.audit().latest(1).getFirst().detail()).endsWith(" ...").hasSize(4_004);
  }

  @Test
  void aSiteThatIsNotThereGetsNoOrders() throws Exception {
    refusedWith(
        Reason.UNKNOWN_SITE,
        () -> store.orders().give("south", command(1), "anna", Optional.empty()));
    store.sites().revoke(SITE);
    refusedWith(Reason.REVOKED, () -> give(1)).hasMessage("site north is shut out");
  }

  @Test
  void ordersThatWaitAreBounded() throws Exception {
    for (int i = 0; i < Orders.MAX_WAITING; i++) {
      give(i);
    }
    refusedWith(Reason.BUSY, () -> give(0))
        .hasMessage("256 orders for site north wait, which is as many as may");
    now = now.plus(LIFE);
    give(0);
  }

  /** It has forgotten an order that it has done: that must not be done again. */
  @Test
  void aSiteThatWasPutBackIsNoticedAndGetsNothingTwice() throws Exception {
    Ledger ledger = new Ledger();
    GivenOrder before = give(1);
    poll(ledger);
    Ledger backup = ledger.backup();
    GivenOrder done = give(2);
    poll(ledger);
    poll(ledger, outcome(before, OrderState.DONE), outcome(done, OrderState.DONE));
    GivenOrder underWay = give(3);
    poll(ledger);
    poll(ledger);
    GivenOrder fresh = give(4);
    assertThat(poll(backup)).as("the first time it may be a late one").isEmpty();
    assertThat(said).isEmpty();
    assertThat(poll(backup)).extracting(Order::id).containsExactly(fresh.id());
    assertThat(said).singleElement().asString().contains("was put back to an older state");
    assertThat(state(done)).isEqualTo(OrderState.DONE);
    assertThat(state(underWay)).isEqualTo(OrderState.UNKNOWN);
    assertThat(poll(backup)).isEmpty();
    assertThat(said).hasSize(1);
  }

  /** A request that took a minute, and comes when the next one has been answered. */
  @Test
  void aPollThatComesLateChangesNothing() throws Exception {
    Ledger ledger = new Ledger();
    OrderPoll late = ledger.poll();
    give(1);
    poll(ledger);
    poll(ledger);
    assertThat(store.orders().poll(SITE, late)).isEmpty();
    poll(ledger);
    assertThat(store.orders().poll(SITE, late)).isEmpty();
    GivenOrder second = give(2);
    assertThat(store.orders().isSuspect(SITE)).isTrue();
    assertThat(store.orders().poll(SITE, late)).as("it is looked at once more").isEmpty();
    assertThat(poll(ledger)).extracting(Order::id).containsExactly(second.id());
    assertThat(store.orders().isSuspect(SITE)).isFalse();
    assertThat(said).isEmpty();
  }

  /** Its numbers go back: the site has orders that it does not know. */
  @Test
  void aCenterThatWasPutBackGoesOnAboveTheSitesNumbers() throws Exception {
    Ledger ledger = new Ledger();
    GivenOrder first = give(1);
    poll(ledger);
    for (int number = 2; number <= 4; number++) {
      ledger.taken.add(
          new Order(number, UUID.randomUUID(), TableCommand.KIND, new byte[0], "", 0, 0));
    }
    GivenOrder second = give(5);
    GivenOrder third = give(6);
    assertThat(second.number()).isEqualTo(2);
    List<Order> orders = poll(ledger);
    assertThat(orders).extracting(Order::id).containsExactly(first.id(), second.id(), third.id());
    assertThat(orders).extracting(Order::number).isSorted().allMatch(number -> number > 4);
    assertThat(said).singleElement().asString().contains("that this center has not given");
    assertThat(poll(ledger)).isEmpty();
  }

  @Test
  void aSiteThatWasMadeAnewGetsNoOrderOfTheOneBefore() throws Exception {
    GivenOrder order = give(1);
    store.sites().revoke(SITE);
    store.sites().enrol(SITE, "another ledger", "key-9");
    Ledger ledger = new Ledger();
    assertThat(poll(ledger)).isEmpty();
    assertThat(state(order)).isEqualTo(OrderState.CANCELLED);
    GivenOrder fresh = give(2);
    assertThat(poll(ledger)).extracting(Order::id).containsExactly(fresh.id());
  }

  @Test
  void howASiteIsIsKeptAlsoWhenTheCenterStartsAnew() throws Exception {
    assertThat(store.orders().condition(SITE)).isEmpty();
    SiteCondition condition =
        new SiteCondition(
            "a",
            List.of(new SiteCondition.OfDevice("a", "1.2", "ACTIVE", true, 7, 8, 9)),
            List.of(
                new SiteCondition.OfJob(
                    "press", 2, "RUNNING", "", 3, 3, 10.5, 0.25, 100, 4, 5, 6, 7)));
    OrderPoll poll =
        new OrderPoll(
            OrderPoll.Wants.ORDERS, 1, 0, OrderPoll.NO_ID, 0, List.of(), Optional.of(condition));
    store.orders().poll(SITE, poll);
    assertThat(store.orders().condition(SITE).orElseThrow().condition()).isEqualTo(condition);
    reopen();
    Orders.Told told = store.orders().condition(SITE).orElseThrow();
    assertThat(told.condition()).isEqualTo(condition);
    assertThat(told.at()).isEqualTo(now);
  }

  /** Answers get lost, sites and the center are put back: an id is taken once, in a known order. */
  @Test
  void whateverIsLostAndPutBackNoSiteTakesAnOrderTwice() throws Exception {
    long seed = System.nanoTime();
    System.err.println("seed " + seed);
    Random random = new Random(seed);
    Ledger ledger = new Ledger();
    Ledger backup = ledger.backup();
    List<UUID> done = new ArrayList<>();
    for (int step = 0; step < 300; step++) {
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> give(step);
        case 3 -> backup = ledger.backup();
        case 4 -> {
          if (random.nextInt(4) == 0) {
            // What it has done and not said is what cannot be known: here it has said all.
            store.orders().poll(SITE, telling(done));
            poll(ledger);
            ledger = backup.backup();
            poll(ledger);
          }
        }
        case 5 -> store.orders().poll(SITE, ledger.poll());
        default -> {
          for (Order order : store.orders().poll(SITE, ledger.poll())) {
            assertThat(order.number())
                .isGreaterThan(ledger.taken.isEmpty() ? 0 : ledger.taken.getLast().number());
            assertThat(done).doesNotContain(order.id());
            ledger.taken.add(order);
            done.add(order.id());
          }
        }
      }
    }
    assertThat(done).isNotEmpty();
  }

  private static OrderPoll telling(List<UUID> done) {
    List<UUID> last = done.subList(Math.max(0, done.size() - OrderPoll.MAX_OUTCOMES), done.size());
    return OrderPoll.telling(
        last.stream().map(id -> new OrderOutcome(id, OrderState.DONE, "", 0)).toList());
  }
}
