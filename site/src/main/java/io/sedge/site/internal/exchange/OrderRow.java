package io.sedge.site.internal.exchange;

import io.sedge.connector.Awaited;
import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Order;
import io.sedge.ledger.OrderState;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.SiteState;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The row of an order that is being delivered. What is said of it goes to the ledger at once. A
 * clock that was put back since the row was read counts as time that is over.
 */
final class OrderRow implements Awaited {
  /** Clocks of a site may differ by so much without harm. */
  private static final long CLOCK_STEP_MILLIS = 60_000;

  private static final long AGAIN_MILLIS = 200;
  private static final int MOST_TRIES = 50;

  private final Ledger ledger;
  private final Order order;
  private final Order.Row row;
  private final InstantSource clock;
  private final long readNanos = System.nanoTime();
  private final long leftMillis;

  /** Whether its sink has said more than that it has the row. */
  private volatile boolean said;

  OrderRow(Ledger ledger, Order order, Order.Row row, InstantSource clock) {
    this.ledger = ledger;
    this.order = order;
    this.row = row;
    this.clock = clock;
    long now = clock.millis();
    // What took the order had a clock too; if this one is far behind it, nobody knows.
    this.leftMillis = now < order.atMillis() - CLOCK_STEP_MILLIS ? 0 : row.untilMillis() - now;
  }

  long sequence() {
    return row.sequence();
  }

  boolean isAllowed(SiteState state) {
    return state.allowances().stream()
        .anyMatch(
            allowance ->
                allowance.job().equals(row.job()) && allowance.table().equals(row.table()));
  }

  @Override
  public boolean isOver() {
    long waited = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - readNanos);
    return waited >= leftMillis || clock.millis() >= row.untilMillis();
  }

  /** Its sink has it, as far as the sink can say. */
  void written() {
    if (!said) {
      settle(OrderState.WRITTEN, "");
    }
  }

  @Override
  public void confirmed() {
    settle(OrderState.CONFIRMED, "");
  }

  @Override
  public void failed(String why) {
    settle(OrderState.FAILED, why);
  }

  @Override
  public void expired(String detail) {
    settle(OrderState.EXPIRED, detail);
  }

  private void settle(OrderState state, String detail) {
    said = true;
    String cut = detail.substring(0, Math.min(detail.length(), Order.MAX_DETAIL));
    submit(new Command.SettleOrder(order.id(), state, cut, clock.millis()), MOST_TRIES);
  }

  /** What there is no room for is said again: else an order would be taken for written. */
  private void submit(Command command, int tries) {
    var _ =
        ledger
            .submit(command)
            .thenAccept(
                answer -> {
                  if (answer instanceof Answer.Refused(Refusal reason, long _)
                      && reason == Refusal.BUSY
                      && tries > 1) {
                    CompletableFuture.delayedExecutor(AGAIN_MILLIS, TimeUnit.MILLISECONDS)
                        .execute(() -> submit(command, tries - 1));
                  }
                });
  }
}
