package io.sedge.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmBatch;
import io.sedge.alarm.AlarmEvent;
import io.sedge.alarm.AlarmPriority;
import io.sedge.alarm.AlarmReport;
import io.sedge.alarm.AlarmState;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.ledger.Allowance;
import io.sedge.ledger.Answer;
import io.sedge.ledger.CenterRight;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.OrderState;
import io.sedge.ledger.RowBlock;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.TaskId;
import io.sedge.site.internal.downlink.AlarmOrders;
import io.sedge.site.internal.downlink.JobOrders;
import io.sedge.site.internal.downlink.OrderTaker;
import io.sedge.site.internal.downlink.TableCommands;
import io.sedge.site.internal.membership.GivenJobs;
import io.sedge.uplink.AlarmOrder;
import io.sedge.uplink.Order;
import io.sedge.uplink.TableCommand;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Leaders of a site take orders and die at any moment: before the ledger has an order, after, and
 * without hearing of it. The center sends an order until it is told of it. One thread, a seed.
 */
class OrderSimulationTest {
  private static final Schema VALVE =
      Schema.builder()
          .add("position", Type.DOUBLE)
          .add("unit", Type.INT)
          .add("open", Type.BOOLEAN)
          .build();
  private static final long BEGIN = Instant.parse("2026-03-01T12:00:00Z").toEpochMilli();
  private static final TaskId DELIVERY = new TaskId("press", "delivery");
  private static final Allowance ALL = new Allowance("press", "valve", List.of(), 0, 0);

  private final SimulatedLedger ledger = new SimulatedLedger(new Random(1));
  private final List<String> said = new ArrayList<>();
  private long now = BEGIN;
  private final InstantSource clock = () -> Instant.ofEpochMilli(now);

  OrderSimulationTest() {
    ledger.apply(new Command.SubmitJob("press", "SELECT 1"));
  }

  /** What a leader sees of the ledger: what it gives is carried out at once, or never. */
  private final class Leader implements Ledger {
    private boolean loses;
    private boolean isDeaf;

    @Override
    public CompletableFuture<io.sedge.ledger.Answer> submit(Command command) {
      if (loses) {
        return CompletableFuture.failedFuture(new IllegalStateException("it has died"));
      }
      io.sedge.ledger.Answer answer = ledger.apply(command);
      return isDeaf
          ? CompletableFuture.failedFuture(new IllegalStateException("it has died"))
          : CompletableFuture.completedFuture(answer);
    }

    @Override
    public CompletableFuture<io.sedge.ledger.Answer> tell(Command command) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T> T read(Function<? super SiteState, ? extends T> query) {
      return query.apply(ledger.machine().state());
    }

    @Override
    public <T> CompletableFuture<T> readAt(
        long index, Function<? super SiteState, ? extends T> query) {
      throw new UnsupportedOperationException();
    }
  }

  /** No order of these tests is about jobs. */
  private static final JobOrders NO_JOBS =
      new JobOrders(
          new GivenJobs() {
            @Override
            public void check(String name, String script) {
              throw new AssertionError(name);
            }

            @Override
            public void deploy(String name, long version, String script) {
              throw new AssertionError(name);
            }

            @Override
            public void remove(String name) {
              throw new AssertionError(name);
            }
          });

  /** Carries out what is done to alarms as a device does. */
  private AlarmOrders alarms(Ledger leader) {
    return new AlarmOrders(
        leader,
        (event, targets, by, shelved, note) -> {
          long until = shelved.isZero() ? 0 : now + shelved.toMillis();
          AlarmAction action = new AlarmAction(event, targets, by, now, until, note);
          return leader.submit(new Command.ActOnAlarms(action)).join()
                  instanceof Answer.Done(long _, long changed)
              ? (int) changed
              : 0;
        });
  }

  private OrderTaker taker(Ledger leader) {
    return new OrderTaker(
        leader,
        new TableCommands(leader, _ -> Optional.of(Map.of("valve", VALVE)), _ -> Optional.empty()),
        NO_JOBS,
        alarms(leader),
        clock,
        (_, message) -> said.add(message));
  }

  private static Order order(long number, Map<String, String> values) {
    return order(number, "press", "valve", values);
  }

  private static Order order(long number, String job, String table, Map<String, String> values) {
    return new Order(
        number,
        UUID.randomUUID(),
        TableCommand.KIND,
        new TableCommand(job, table, values).bytes(),
        "anna",
        BEGIN,
        30_000);
  }

  private io.sedge.ledger.Order take(Order order) throws Exception {
    taker(new Leader()).take(order, now + 30_000);
    return known(order).orElseThrow();
  }

  private Optional<io.sedge.ledger.Order> known(Order order) {
    return ledger.machine().state().orders().stream()
        .filter(known -> known.id().equals(order.id()))
        .findFirst();
  }

  private List<Double> positions() {
    List<Double> positions = new ArrayList<>();
    for (RowBlock block :
        ledger.machine().state().rows("press", Channel.OUTBOX, 0, Integer.MAX_VALUE)) {
      assertThat(block.task().shard()).isEqualTo(io.sedge.ledger.Order.SHARD);
      positions.add(
          (Double)
              new RowsCodec(VALVE)
                  .decode(block.rows().count(), block.rows().bytes())
                  .column(0)
                  .value(0));
    }
    return positions;
  }

  private void allow(Allowance allowance) {
    ledger.apply(new Command.AllowTable(allowance));
  }

  private void assertRefused(Order order, String why) throws Exception {
    io.sedge.ledger.Order refused = take(order);
    assertThat(refused.state()).isEqualTo(OrderState.REFUSED);
    assertThat(refused.detail()).isEqualTo(why);
  }

  @Test
  void leadersThatDieAtAnyMomentWriteEachCommandOnce() throws Exception {
    long seed = System.nanoTime();
    System.err.println("seed " + seed);
    Random random = new Random(seed);
    allow(ALL);
    List<Double> expected = new ArrayList<>();
    Map<UUID, Integer> deaths = new HashMap<>();
    for (int number = 1; number <= 300; number++) {
      Order order = order(number, Map.of("position", Integer.toString(number)));
      expected.add((double) number);
      while (known(order).isEmpty() || random.nextInt(4) == 0) {
        Leader leader = new Leader();
        leader.loses = random.nextInt(3) == 0;
        leader.isDeaf = random.nextInt(3) == 0;
        try {
          taker(leader).take(order, now + 30_000);
        } catch (IllegalStateException _) {
          deaths.merge(order.id(), 1, Integer::sum);
        }
      }
      // As many sinks do, this one says no more than that the row is written.
      ledger.apply(new Command.SettleOrder(order.id(), OrderState.WRITTEN, "", clock.millis()));
    }
    assertThat(positions()).isEqualTo(expected);
    assertThat(deaths).isNotEmpty();
  }

  @Test
  void aCommandThatComesAgainUnderAnotherNumberIsNotWrittenAgain() throws Exception {
    allow(ALL);
    Order first = order(1, Map.of("position", "1"));
    take(first);
    take(
        new Order(
            9, first.id(), first.kind(), first.body(), first.givenBy(), BEGIN, first.lifeMillis()));
    assertThat(positions()).containsExactly(1.0);
    take(order(10, Map.of("position", "2")));
    assertThat(positions()).containsExactly(1.0, 2.0);
  }

  @Test
  void nothingIsWrittenThatNobodyHasAllowed() throws Exception {
    assertRefused(
        order(1, Map.of("position", "1")),
        "the site lets no center write to press.valve: its owner may type"
            + " `sedge site allow press.valve`");
    allow(ALL);
    take(order(2, Map.of("position", "2")));
    ledger.apply(new Command.DisallowTable("press", "valve"));
    assertThat(take(order(3, Map.of("position", "3"))).state()).isEqualTo(OrderState.REFUSED);
    assertThat(positions()).containsExactly(2.0);
  }

  @Test
  void whatIsNoRowOfTheTableOrOutOfRangeIsRefused() throws Exception {
    allow(
        new Allowance(
            "press",
            "valve",
            List.of(
                new Allowance.Column("position", "0", "100.5"),
                new Allowance.Column("open", "", "")),
            0,
            0));
    assertThat(take(order(1, Map.of("position", "100.5", "open", "true"))).state())
        .isEqualTo(OrderState.ACCEPTED);
    assertRefused(
        order(2, Map.of("position", "100.6")),
        "column `position` is 100.6; the site allows 0 to 100.5");
    assertRefused(
        order(3, Map.of("position", "-1e-9")),
        "column `position` is -0.0000000010; the site allows 0 to 100.5");
    assertThat(take(order(4, Map.of("position", "NaN"))).state()).isEqualTo(OrderState.REFUSED);
    assertThat(take(order(5, Map.of("position", "wide"))).state()).isEqualTo(OrderState.REFUSED);
    assertRefused(order(6, Map.of("unit", "7")), "the site lets no center set column `unit`");
    assertRefused(
        order(7, Map.of("speed", "7")),
        "table valve has no column `speed`; it has position, unit, open");
    assertRefused(order(8, Map.of("open", "yes")), "`open`: 'yes' is not a value of type BOOLEAN");
    assertRefused(order(9, "other", "valve", Map.of("position", "1")), notAllowed("other.valve"));
    assertThat(positions()).containsExactly(100.5);
  }

  private static String notAllowed(String table) {
    return "the site lets no center write to %s: its owner may type `sedge site allow %s`"
        .formatted(table, table);
  }

  @Test
  void noMoreIsWrittenThanTheRateAllowsWhateverTheClockDoes() throws Exception {
    allow(new Allowance("press", "valve", List.of(), 2, 60_000));
    take(order(1, Map.of("position", "1")));
    now += 30_000;
    take(order(2, Map.of("position", "2")));
    assertRefused(
        order(3, Map.of("position", "3")),
        "the site takes no more than 2 commands for press.valve in 60 s");
    now -= 3_600_000;
    assertThat(take(order(4, Map.of("position", "4"))).state()).isEqualTo(OrderState.REFUSED);
    now += 3_600_000 + 30_000;
    take(order(5, Map.of("position", "5")));
    assertThat(positions()).containsExactly(1.0, 2.0, 5.0);
  }

  /** What was taken is counted whatever becomes of the orders and of the job. */
  @Test
  void theRateHoldsForALeaderThatComesNextAndAJobThatIsMadeAnew() throws Exception {
    allow(new Allowance("press", "valve", List.of(), 2, 60_000));
    take(order(1, Map.of("position", "1")));
    Order second = order(2, Map.of("position", "2"));
    take(second);
    // A device whose clock is an hour behind says what has become of it.
    ledger.apply(new Command.SettleOrder(second.id(), OrderState.WRITTEN, "", now - 3_600_000));
    assertThat(take(order(3, Map.of("position", "3"))).state()).isEqualTo(OrderState.REFUSED);
    for (int number = 4; number < 4 + io.sedge.ledger.Order.MAX_ORDERS; number++) {
      assertRefused(
          order(number, "other", "valve", Map.of("position", "1")), notAllowed("other.valve"));
    }
    long version = ledger.machine().state().job("press").orElseThrow().version();
    ledger.apply(new Command.SetJobState("press", version, io.sedge.ledger.JobState.STOPPED, ""));
    ledger.apply(new Command.RemoveJob("press", true));
    ledger.apply(new Command.SubmitJob("press", "SELECT 1"));
    assertRefused(
        order(2_000, Map.of("position", "3")),
        "the site takes no more than 2 commands for press.valve in 60 s");
    assertThat(positions()).isEmpty();
  }

  @Test
  void whatIsTooOldOrOfALaterVersionHasAnOutcomeAndNoRow() throws Exception {
    allow(ALL);
    Order late = order(1, Map.of("position", "1"));
    taker(new Leader()).take(late, now);
    assertThat(known(late).orElseThrow().state()).isEqualTo(OrderState.EXPIRED);
    Order unknown =
        new Order(2, UUID.randomUUID(), "reboot", new byte[] {1}, "anna", BEGIN, 30_000);
    assertRefused(
        unknown, "this version of Sedge does not know orders of kind 'reboot': upgrade the site");
    Order damaged =
        new Order(3, UUID.randomUUID(), TableCommand.KIND, new byte[] {9}, "anna", BEGIN, 30_000);
    assertThat(take(damaged).state()).isEqualTo(OrderState.REFUSED);
    assertThat(positions()).isEmpty();
  }

  private void raise(AlarmEvent event) {
    AlarmReport report = new AlarmReport(event, "pump-2", now, 0, 81.5, "hot");
    AlarmBatch batch =
        new AlarmBatch("hot", AlarmPriority.HIGH, 0, 0, now, List.of(report), Map.of());
    long epoch = ledger.machine().state().task(DELIVERY).orElseThrow().epoch();
    assertThat(ledger.apply(new Command.ReportAlarms(DELIVERY, epoch, batch)).isDone()).isTrue();
  }

  private Order acknowledge(long number, long id, long raised) {
    AlarmOrder order =
        new AlarmOrder(
            AlarmEvent.ACKNOWLEDGE,
            List.of(new AlarmAction.Target(id, raised)),
            Duration.ZERO,
            "seen");
    return new Order(
        number, UUID.randomUUID(), AlarmOrder.KIND, order.bytes(), "anna", BEGIN, 600_000);
  }

  @Test
  void alarmsAreActedOnOnceTheOwnerAllowsItAndAsTheyWereSeen() throws Exception {
    ledger.apply(new Command.RegisterDevice("a", "", Map.of()));
    ledger.apply(new Command.AssignTask(DELIVERY, "a", 0));
    raise(AlarmEvent.RAISE);
    Alarm alarm = alarms().getFirst();
    assertRefused(
        acknowledge(1, alarm.id(), alarm.raised()),
        "the site lets no center act on its alarms: its owner may type `sedge site allow"
            + " --alarms`");
    ledger.apply(new Command.AllowCenter(CenterRight.ALARMS, true));
    raise(AlarmEvent.CLEAR);
    raise(AlarmEvent.RAISE);
    assertThat(take(acknowledge(2, alarm.id(), alarm.raised())).detail())
        .isEqualTo("0 of 1 alarms");
    assertThat(alarms().getFirst().state()).isEqualTo(AlarmState.UNACKNOWLEDGED);
    assertThat(take(acknowledge(3, alarm.id(), alarm.raised() + 1)).detail())
        .isEqualTo("1 of 1 alarms");
    Alarm seen = alarms().getFirst();
    assertThat(seen.state()).isEqualTo(AlarmState.ACKNOWLEDGED);
    assertThat(seen.by()).isEqualTo("anna at the center");
    assertThat(seen.note()).isEqualTo("seen");
  }

  private List<Alarm> alarms() {
    return ledger.machine().state().alarms().list();
  }

  /** The center would wait for it for ever. */
  @Test
  void aCommandToAJobThatIsPausedEndsSomeTimeAfterItsEnd() throws Exception {
    allow(ALL);
    Order order = order(1, Map.of("position", "1"));
    take(order);
    long version = ledger.machine().state().job("press").orElseThrow().version();
    ledger.apply(new Command.SetJobState("press", version, io.sedge.ledger.JobState.PAUSED, ""));
    now += 90_000;
    taker(new Leader()).expire();
    assertThat(known(order).orElseThrow().state()).isEqualTo(OrderState.ACCEPTED);
    now++;
    taker(new Leader()).expire();
    assertThat(known(order).orElseThrow().state()).isEqualTo(OrderState.EXPIRED);
    assertThat(known(order).orElseThrow().detail())
        .isEqualTo("the job has not said in time whether it has written it");
  }

  @Test
  void aJobThatDoesNotRunTakesNoCommand() throws Exception {
    allow(ALL);
    long version = ledger.machine().state().job("press").orElseThrow().version();
    ledger.apply(new Command.SetJobState("press", version, io.sedge.ledger.JobState.PAUSED, ""));
    assertRefused(order(1, Map.of("position", "1")), "job press is PAUSED");
  }

  @Test
  void aJobThatTheLeaderCannotCompileHoldsUpNoOtherOrder() throws Exception {
    allow(ALL);
    Leader leader = new Leader();
    OrderTaker taker =
        new OrderTaker(
            leader,
            new TableCommands(leader, _ -> Optional.empty(), _ -> Optional.of("there is no jar")),
            NO_JOBS,
            alarms(leader),
            clock,
            (_, message) -> said.add(message));
    Order order = order(1, Map.of("position", "1"));
    assertThat(taker.take(order, now + 30_000)).isTrue();
    assertThat(known(order).orElseThrow().detail())
        .isEqualTo(
            "the device that leads the site cannot compile job press, so it does not know its"
                + " tables: there is no jar");
    assertThat(taker.take(order, now + 30_000)).isFalse();
  }

  /** A leader that has been started just now: the center sends it again. */
  @Test
  void aJobThatIsNotCompiledYetIsAskedAgain() {
    allow(ALL);
    Leader leader = new Leader();
    OrderTaker taker =
        new OrderTaker(
            leader,
            new TableCommands(leader, _ -> Optional.empty(), _ -> Optional.empty()),
            NO_JOBS,
            alarms(leader),
            clock,
            (_, message) -> said.add(message));
    Order order = order(1, Map.of("position", "1"));
    assertThatThrownBy(() -> taker.take(order, now + 1)).isInstanceOf(TimeoutException.class);
    assertThat(known(order)).isEmpty();
  }
}
