package io.sedge.connector.courier;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Outage;
import io.sedge.connector.courier.CourierSink.Route;
import io.sedge.connector.courier.Outgoing.Step;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Brings what is outgoing to the far end, on a thread of its own that alone uses the carrier. When
 * something fails, a new carrier is opened, and what is not known to be durable is sent again. A
 * failure for good is what a carrier says with a {@link ConnectorException}, that it was tried
 * often enough, or, before the first carrier could be opened, trouble that lasts.
 */
final class Courier<S extends Shipment> {
  private final Route<S> route;
  private final ConnectorContext context;
  private final Outgoing<S> outgoing;
  private final Outage outage;
  private final Thread thread;

  /** Opened, or failed before. */
  private final CountDownLatch settled = new CountDownLatch(1);

  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile @Nullable Carrier<S> carrier;
  private volatile @Nullable ConnectorException failure;
  private int failures;

  Courier(Route<S> route, Outgoing<S> outgoing, Outage outage) {
    this.route = route;
    this.context = route.context();
    this.outgoing = outgoing;
    this.outage = outage;
    this.thread = Thread.ofPlatform().name(route.thread()).daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Why writing has failed for good, if it has. */
  @Nullable ConnectorException failure() {
    return failure;
  }

  /**
   * Waits for the far end to be ready.
   *
   * @return whether it is
   */
  boolean awaitOpened(Duration patience) throws InterruptedException {
    return settled.await(patience.toMillis(), TimeUnit.MILLISECONDS) && failure == null;
  }

  /** The boundary of the thread. */
  private void run() {
    boolean ended = false;
    while (!ended) {
      try {
        ended = attempt();
      } catch (InterruptedException e) {
        ended = true;
      } catch (ConnectorException e) {
        ended = fail(e);
      } catch (Exception e) {
        // Some clients wrap an interrupt in an exception of their own.
        ended = Thread.currentThread().isInterrupted() || failed(e);
      } catch (Error e) {
        ended = fail(broken(e));
      }
    }
  }

  /** Works until there is nothing more to do; then true. */
  private boolean attempt() throws Exception {
    try (Carrier<S> opened = route.opener().open()) {
      carrier = opened;
      outgoing.rewind(opened.found());
      if (settled.getCount() > 0) {
        settled.countDown();
        succeeded();
      }
      boolean ended = false;
      while (!ended) {
        ended = step(opened);
      }
      opened.end();
      return true;
    }
  }

  /** Whether there is nothing more to do. */
  private boolean step(Carrier<S> opened) throws Exception {
    try {
      switch (outgoing.next()) {
        case Step.Send<S>(S shipment) -> opened.send(shipment);
        case Step.Commit<S>(long last) -> {
          opened.commit(last);
          outgoing.settle(last);
          succeeded();
          context.wakeUp();
        }
        case Step.End<S>() -> {
          return true;
        }
      }
    } catch (RefusedException e) {
      opened.retract();
      outgoing.rewind(opened.found()); // The others are sent again.
    }
    return false;
  }

  private void succeeded() {
    failures = 0;
    outage.ended();
  }

  /** Whether it has ended. */
  private boolean failed(Exception e) {
    if (stopped.getCount() == 0) {
      return true; // What was under way is broken off: that is no outage.
    }
    Optional<Trouble> found = route.diagnosis().of(e);
    if (found.isEmpty()) {
      return fail(broken(e));
    }
    Trouble trouble = found.get();
    failures++;
    boolean opening = settled.getCount() > 0;
    boolean often = route.maxRetries().isPresent() && failures > route.maxRetries().getAsInt();
    if (opening ? trouble.lasting() : often) {
      return fail(external("%s: %s".formatted(route.subject(), trouble.reason()), e));
    }
    Duration delay = outage.failed(trouble.reason());
    return isStoppedWithin(delay.compareTo(trouble.pause()) < 0 ? trouble.pause() : delay);
  }

  private ConnectorException broken(Throwable e) {
    return external("%s: writing fails: %s".formatted(route.subject(), e), e);
  }

  private static ConnectorException external(String message, Throwable cause) {
    return new ConnectorException(ConnectorException.Kind.EXTERNAL, message, cause);
  }

  private boolean fail(ConnectorException e) {
    failure = e;
    settled.countDown();
    context.wakeUp();
    return true;
  }

  private boolean isStoppedWithin(Duration delay) {
    try {
      return stopped.await(delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** Sends what is left, for as long as the patience lasts. */
  void close(Duration patience) {
    outgoing.close();
    join(patience);
  }

  /** Sends nothing more. */
  void stop() {
    stopped.countDown();
    Carrier<S> open = carrier;
    if (open != null && thread.isAlive()) {
      open.abort();
    }
    thread.interrupt();
    join(Duration.ofSeconds(2));
  }

  private void join(Duration patience) {
    try {
      var _ = thread.join(patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
