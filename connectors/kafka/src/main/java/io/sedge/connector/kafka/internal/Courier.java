package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Outage;
import io.sedge.connector.kafka.internal.Outgoing.Step;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Brings what is outgoing to the broker, on a thread of its own that alone uses the producer. When
 * something fails, a new carrier is opened, and what is not known to be durable is sent again. A
 * failure for good is that another sink has taken over, or, before the first carrier could be
 * opened, what a person must put right.
 */
final class Courier {
  private final String table;
  private final ConnectorContext context;
  private final String servers;
  private final Outgoing outgoing;
  private final Carrier.Opener opener;
  private final Outage outage;
  private final Thread thread;

  /** Opened, or failed before. */
  private final CountDownLatch settled = new CountDownLatch(1);

  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile @Nullable ConnectorException failure;

  Courier(
      String table,
      ConnectorContext context,
      String servers,
      Outgoing outgoing,
      Carrier.Opener opener,
      Outage outage) {
    this.table = table;
    this.context = context;
    this.servers = servers;
    this.outgoing = outgoing;
    this.opener = opener;
    this.outage = outage;
    this.thread = Thread.ofPlatform().name("kafka-sink-" + table).daemon().start(this::run);
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
      } catch (InterruptedException | InterruptException e) {
        ended = true;
      } catch (ConnectorException e) {
        ended = fail(e);
      } catch (KafkaException e) {
        ended = failed(e);
      } catch (RuntimeException | Error e) {
        ended = fail(Failures.external("table %s: writing fails: %s".formatted(table, e), e));
      }
    }
  }

  /** Works until there is nothing more to do; then true. */
  private boolean attempt() throws InterruptedException {
    try (Carrier carrier = opener.open()) {
      outgoing.rewind(carrier.found(), context.nanoTime());
      outage.ended();
      settled.countDown();
      boolean ended = false;
      while (!ended) {
        ended = step(carrier);
      }
      return true;
    }
  }

  /** Whether there is nothing more to do. */
  private boolean step(Carrier carrier) throws InterruptedException {
    try {
      switch (outgoing.next()) {
        case Step.Send(Shipment shipment) -> carrier.send(shipment);
        case Step.Commit(long last) -> {
          carrier.commit(last);
          outgoing.settle(last, context.nanoTime());
          outage.ended();
          context.wakeUp();
        }
        case Step.End() -> {
          return true;
        }
      }
    } catch (RefusedException e) {
      carrier.retract();
      outgoing.rewind(carrier.found(), context.nanoTime()); // The others are sent again.
    }
    return false;
  }

  /** Whether it has ended. */
  private boolean failed(KafkaException e) {
    Throwable cause = Failures.cause(e);
    String reason = Failures.explain(cause);
    if (Failures.isLasting(cause) && settled.getCount() > 0) {
      return fail(
          Failures.external("table %s: Kafka at %s: %s".formatted(table, servers, reason), cause));
    }
    return isStoppedWithin(outage.failed(reason));
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
    Closing.join(thread, patience);
  }

  /** Sends nothing more. */
  void stop() {
    stopped.countDown();
    thread.interrupt();
    Closing.join(thread, Duration.ofSeconds(2));
  }
}
