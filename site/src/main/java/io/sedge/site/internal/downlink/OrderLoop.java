package io.sedge.site.internal.downlink;

import io.sedge.connector.Backoff;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Order;
import io.sedge.ledger.SiteState;
import io.sedge.task.JobListener;
import io.sedge.uplink.OrderAnswer;
import io.sedge.uplink.OrderOutcome;
import io.sedge.uplink.OrderPoll;
import io.sedge.uplink.Question;
import io.sedge.uplink.SiteCondition;
import io.sedge.uplink.TableCommand;
import io.sedge.uplink.UplinkClient;
import io.sedge.uplink.UplinkException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Asks for orders, one request after the other, each of which the center may keep back for {@link
 * #WAIT}; tells on a second thread what becomes of orders meanwhile. At rest that is a request each
 * twenty seconds. While the center is away, pauses grow to a minute.
 *
 * <p>Before each request the ledger is asked whether a majority follows this device still, so that
 * a leader that was cut off asks for nothing.
 */
final class OrderLoop implements AutoCloseable {
  private static final Duration WAIT = Duration.ofSeconds(20);

  /** An answer that came sooner and had nothing is not followed by a question at once. */
  private static final long PAUSE_MILLIS = 1_000;

  /** After each order: a center that gives too many must not fill the ledger's log with them. */
  private static final long PACE_MILLIS = 20;

  /** For how long the end of the threads is waited for. */
  private static final Duration END = Duration.ofSeconds(1);

  private static final int ANSWERED_AT_ONCE = 2;

  /** Questions that wait for those before; further ones get no answer. */
  private static final int MAX_QUESTIONS = 8;

  private static final Backoff PAUSES =
      new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), RandomGenerator.getDefault());

  /** How often it is looked what has become of orders that are not done. */
  private static final Backoff LOOKS =
      Backoff.steady(Duration.ofMillis(100), Duration.ofSeconds(2));

  private final String center;
  private final UplinkClient client;
  private final Ledger ledger;
  private final Majority majority;
  private final OrderTaker taker;
  private final Questions questions;
  private final Supplier<SiteCondition> condition;
  private final InstantSource clock;
  private final JobListener listener;
  private final Untold untold = new Untold();
  private final Semaphore taken = new Semaphore(0);
  private final Thread asking;
  private final Thread telling;
  private final Runnable back;

  /**
   * Answers questions while orders are asked for, on threads that are there while there are some.
   */
  private final ThreadPoolExecutor answering =
      new ThreadPoolExecutor(
          ANSWERED_AT_ONCE,
          ANSWERED_AT_ONCE,
          1,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(MAX_QUESTIONS),
          Thread.ofVirtual().name("sedge-answers-", 0).factory());

  /** What was said last of the center; of the thread that asks. */
  private String said = "";

  /**
   * @param center its address, for people
   * @param client asks it; closed by somebody else, which ends what is under way
   * @param back is told whenever the center answers again after it did not
   */
  OrderLoop(
      String center,
      UplinkClient client,
      Ledger ledger,
      Majority majority,
      OrderTaker taker,
      Questions questions,
      Supplier<SiteCondition> condition,
      Runnable back,
      InstantSource clock,
      JobListener listener) {
    this.center = center;
    this.client = client;
    this.ledger = ledger;
    this.majority = majority;
    this.taker = taker;
    this.questions = questions;
    this.back = back;
    this.condition = condition;
    this.clock = clock;
    this.listener = listener;
    this.answering.allowCoreThreadTimeOut(true);
    this.asking = Thread.ofVirtual().name("sedge-orders").unstarted(this::ask);
    this.telling = Thread.ofVirtual().name("sedge-outcomes").unstarted(this::tell);
  }

  void start() {
    asking.start();
    telling.start();
  }

  boolean isAlive() {
    return asking.isAlive() && telling.isAlive();
  }

  private void ask() {
    int failures = 0;
    try {
      while (!Thread.currentThread().isInterrupted()) {
        try {
          askOnce();
          if (failures > 0) {
            back.run();
          }
          failures = 0;
          say(Severity.INFO, "", "the center at %s is asked for orders again");
        } catch (UplinkException e) {
          failures++;
          say(Severity.WARNING, String.valueOf(e.getMessage()), "orders of the center at %s");
        } catch (TimeoutException e) {
          failures++;
          say(Severity.WARNING, String.valueOf(e.getMessage()), "orders of the center at %s wait");
        }
        if (failures > 0) {
          TimeUnit.NANOSECONDS.sleep(PAUSES.delay(failures).toNanos());
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      listener.report(Severity.ERROR, "a fault in Sedge while asking the center for orders: " + e);
    }
  }

  /** Says what has changed. */
  private void say(Severity severity, String what, String about) {
    if (!what.equals(said)) {
      String text = about.formatted(center);
      listener.report(severity, what.isEmpty() ? text : text + ": " + what);
      said = what;
    }
  }

  /** What is asked for. */
  private record View(Optional<Order> last, List<Order> orders) {}

  private void askOnce() throws UplinkException, TimeoutException, InterruptedException {
    long index = majority.index();
    View view = ledger.read(state -> new View(state.lastOrder(), state.orders()));
    List<OrderOutcome> outcomes = untold.among(view.orders());
    boolean more = outcomes.size() == OrderPoll.MAX_OUTCOMES;
    OrderPoll poll =
        new OrderPoll(
            OrderPoll.Wants.ORDERS_AND_QUESTIONS,
            index,
            view.last().map(Order::number).orElse(0L),
            view.last().map(Order::id).orElse(OrderPoll.NO_ID),
            more ? 0 : (int) WAIT.toMillis(),
            outcomes,
            Optional.of(condition.get()));
    long begin = System.nanoTime();
    OrderAnswer answer = client.ask(poll);
    untold.tell(outcomes);
    answer.questions().forEach(this::take);
    taken.release(); // The center is there: what could not be told may be told now.
    long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    long now = clock.millis();
    long way = Math.max(0, took - answer.heldMillis());
    boolean fresh = false;
    for (io.sedge.uplink.Order order : answer.orders()) {
      if (!order.kind().equals(TableCommand.KIND)) {
        // It is done before the ledger has it. Others may have led meanwhile, and done it and later
        // ones: then the ledger has it.
        var _ = majority.index();
      }
      if (taker.take(
          order, order.lifeMillis() == 0 ? Long.MAX_VALUE : now + order.lifeMillis() - way)) {
        fresh = true;
      } else {
        // A center that was put back has forgotten what it was told.
        untold.forget(order.id());
      }
      taken.release();
      TimeUnit.MILLISECONDS.sleep(PACE_MILLIS);
    }
    if (!fresh && !more && took < PAUSE_MILLIS) {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }

  private void take(Question question) {
    long taken = System.nanoTime();
    try {
      answering.execute(() -> answer(question, taken));
    } catch (RejectedExecutionException _) {
      listener.report(
          Severity.WARNING,
          "a question of the center is not answered: too many wait, or this device does not lead"
              + " any more");
    }
  }

  private void answer(Question question, long taken) {
    if (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - taken) >= question.lifeMillis()) {
      return; // Nobody waits for it any more.
    }
    try {
      client.answer(question.id(), questions.answer(question));
    } catch (UplinkException e) {
      listener.report(
          Severity.WARNING,
          "an answer to %s does not reach the center: %s"
              .formatted(question.askedBy(), e.getMessage()));
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void tell() {
    try {
      int idle = 0;
      int failures = 0;
      while (!Thread.currentThread().isInterrupted()) {
        taker.expire();
        List<Order> orders = ledger.read(SiteState::orders);
        List<OrderOutcome> outcomes = untold.among(orders);
        if (outcomes.isEmpty()) {
          failures = 0;
          idle++;
          if (orders.stream().noneMatch(order -> order.state().isOpen())) {
            taken.acquire();
            idle = 0;
          }
        } else if (tells(outcomes)) {
          failures = 0;
          idle = 0;
        } else {
          failures++;
        }
        taken.drainPermits();
        Duration pause = failures > 0 ? PAUSES.delay(failures) : LOOKS.delay(idle + 1);
        if (taken.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS)) {
          idle = 0;
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      listener.report(Severity.ERROR, "a fault in Sedge while telling the center of orders: " + e);
    }
  }

  /** Whether the center has heard it; why not is said by the thread that asks. */
  private boolean tells(List<OrderOutcome> outcomes) throws InterruptedException {
    try {
      var _ = client.ask(OrderPoll.telling(outcomes));
      untold.tell(outcomes);
      return true;
    } catch (UplinkException _) {
      return false;
    }
  }

  /** Ends what is under way; waits for a moment until that is so. */
  @Override
  public void close() {
    asking.interrupt();
    telling.interrupt();
    var _ = answering.shutdownNow();
    try {
      if (!asking.join(END) || !telling.join(END)) {
        listener.report(
            Severity.WARNING, "an order of the center is still under way while asking ends");
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
