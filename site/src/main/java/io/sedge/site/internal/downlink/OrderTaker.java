package io.sedge.site.internal.downlink;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Order;
import io.sedge.ledger.OrderState;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.SiteState;
import io.sedge.task.JobListener;
import io.sedge.uplink.AlarmOrder;
import io.sedge.uplink.JobOrder;
import io.sedge.uplink.OrderBody;
import io.sedge.uplink.TableCommand;
import io.sedge.uplink.UplinkException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Takes orders one after the other. What becomes of an order, and the row that it makes, are one
 * entry of the ledger: whoever leads next finds both or neither. An order that the ledger has is
 * never taken again, whatever number it comes with.
 *
 * <p>A new kind of order is a case of {@link #decide}. Orders that do more than add a row must do
 * it in a way that can be repeated before they are taken: the leader may end in between.
 */
public final class OrderTaker {
  private static final long PATIENCE_SECONDS = 30;

  /** After the end of a command whoever writes it has so long to say so. */
  private static final Duration TO_BE_SAID = Duration.ofMinutes(1);

  private final Ledger ledger;
  private final TableCommands commands;
  private final JobOrders jobs;
  private final AlarmOrders alarms;
  private final InstantSource clock;
  private final JobListener listener;

  public OrderTaker(
      Ledger ledger,
      TableCommands commands,
      JobOrders jobs,
      AlarmOrders alarms,
      InstantSource clock,
      JobListener listener) {
    this.ledger = ledger;
    this.commands = commands;
    this.jobs = jobs;
    this.alarms = alarms;
    this.clock = clock;
    this.listener = listener;
  }

  /**
   * Takes an order; returns when the ledger has it.
   *
   * @param untilMillis when its time is over, by this device's clock; {@link Long#MAX_VALUE} if it
   *     has no end
   * @return false if the ledger had it already
   * @throws TimeoutException if the ledger does not answer, and may have taken the order; or if it
   *     cannot be decided now
   */
  public boolean take(io.sedge.uplink.Order order, long untilMillis)
      throws TimeoutException, InterruptedException {
    if (isKnown(order)) {
      return false;
    }
    Decision decision = decide(order, untilMillis);
    if (Thread.interrupted()) {
      // What was decided while this ended is of no worth; the order comes again.
      throw new InterruptedException();
    }
    Answer answer = submit(order, decision);
    if (answer instanceof Answer.Refused refused && decision.row().isPresent()) {
      Optional<String> why = why(refused, decision.row().get());
      if (why.isPresent()) {
        decision = Decision.refused(why.get());
        answer = submit(order, decision);
      }
    }
    if (answer instanceof Answer.Refused refused) {
      throw new TimeoutException(
          "order %d is not taken by the ledger: %s".formatted(order.number(), refused.reason()));
    }
    listener.report(
        Severity.INFO,
        "order %d of the center, %s, given by %s: %s%s"
            .formatted(
                order.number(),
                order.kind(),
                order.givenBy(),
                decision.state(),
                decision.detail().isEmpty() ? "" : ": " + decision.detail()));
    return true;
  }

  /**
   * Ends commands whose time has been over for a while, and of which nobody says what became of
   * them: their jobs were paused, or their sinks do not end.
   */
  public void expire() throws InterruptedException {
    long late = clock.millis() - TO_BE_SAID.toMillis();
    for (Order order : ledger.read(SiteState::orders)) {
      if (order.state() == OrderState.ACCEPTED
          && order.row().filter(row -> row.untilMillis() < late).isPresent()) {
        expire(order);
      }
    }
  }

  private void expire(Order order) throws InterruptedException {
    String detail = "the job has not said in time whether it has written it";
    Command command =
        new Command.SettleOrder(order.id(), OrderState.EXPIRED, detail, clock.millis());
    try {
      var _ = ledger.submit(command).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException _) {
      // It is looked again.
    } catch (ExecutionException e) {
      throw new IllegalStateException("the ledger failed: " + e.getCause(), e);
    }
  }

  private boolean isKnown(io.sedge.uplink.Order order) {
    return ledger.read(SiteState::orders).stream().anyMatch(known -> known.id().equals(order.id()));
  }

  private Decision decide(io.sedge.uplink.Order order, long untilMillis) throws TimeoutException {
    if (clock.millis() >= untilMillis) {
      return Decision.expired("its time was over when it arrived");
    }
    try {
      Optional<OrderBody> body = OrderBody.read(order.kind(), order.body());
      return body.isEmpty()
          ? Decision.refused(
              "this version of Sedge does not know orders of kind '%s': upgrade the site"
                  .formatted(order.kind()))
          : switch (body.get()) {
            case TableCommand command -> commands.decide(command, untilMillis);
            case JobOrder job -> jobs.decide(job);
            case AlarmOrder alarm -> alarms.decide(alarm, order.givenBy());
          };
    } catch (UplinkException e) {
      return Decision.refused(String.valueOf(e.getMessage()));
    }
  }

  private Answer submit(io.sedge.uplink.Order order, Decision decision)
      throws TimeoutException, InterruptedException {
    String detail = decision.detail();
    Command command =
        new Command.TakeOrder(
            order.number(),
            order.id(),
            decision.state(),
            detail.length() > Order.MAX_DETAIL ? detail.substring(0, Order.MAX_DETAIL) : detail,
            clock.millis(),
            decision.row());
    try {
      return ledger.submit(command).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the ledger failed: " + e.getCause(), e);
    }
  }

  /** Why the row of an order is not taken, if that will not pass by itself. */
  private Optional<String> why(Answer.Refused refused, Command.NewRow row) {
    return switch (refused.reason()) {
      case UNKNOWN_JOB, NOT_NOW ->
          Optional.of("the job was stopped or replaced, or the table is not allowed any more");
      case OUTBOX_FULL ->
          Optional.of("the outbox of the site is full: rows of its jobs are not delivered");
      case TOO_LARGE ->
          Optional.of(
              refused.value() == Order.MAX_OPEN
                  ? "%d orders are not done yet".formatted(Order.MAX_OPEN)
                  : "its row is too large for the ledger, which takes %,d bytes"
                      .formatted(refused.value()));
      case TOO_OFTEN ->
          ledger
              .read(state -> TableCommands.allowance(state, row.job(), row.table()))
              .map(TableCommands::tooOften);
      case Refusal _ -> Optional.empty();
    };
  }
}
