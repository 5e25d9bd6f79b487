package io.sedge.connector.jdbc.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.Outage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Brings what is outgoing to the database, on a thread of its own that alone uses the connection.
 * When something fails, a new link is opened, and what is not known to be there is written again. A
 * failure for good is that another sink has taken over, that writing was tried often enough, or,
 * before the first link could be opened, what a person must put right.
 */
final class Courier {
  private final SinkSettings settings;
  private final ConnectorContext context;
  private final Outgoing outgoing;
  private final Optional<Delivered> delivered;
  private final RowWriter.Refusals refusals;
  private final Outage outage;
  private final Thread thread;

  /** Opened, or failed before. */
  private final CountDownLatch settled = new CountDownLatch(1);

  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile @Nullable Link link;
  private volatile @Nullable ConnectorException failure;
  private int failures;

  Courier(
      SinkSettings settings, Delivery delivery, Outgoing outgoing, RowWriter.Refusals refusals) {
    this.settings = settings;
    this.context = settings.context();
    this.outgoing = outgoing;
    // Without a writer, rows of a key may be written again: they stay the same.
    boolean kept =
        settings.exactlyOnce() && (delivery.writer().isPresent() || !settings.isUpsert());
    this.delivered = kept ? Optional.of(new Delivered(settings, delivery)) : Optional.empty();
    this.refusals = refusals;
    this.outage = new Outage(settings.subject(), context);
    this.thread =
        Thread.ofPlatform().name("jdbc-sink-" + settings.table().name()).daemon().start(this::run);
  }

  /** Why writing has failed for good, if it has. */
  @Nullable ConnectorException failure() {
    return failure;
  }

  /** What fails now, if anything does. */
  Optional<String> reason() {
    return outage.reason();
  }

  /**
   * Waits for the database to be ready.
   *
   * @return whether it is
   */
  boolean awaitOpened() throws InterruptedException {
    return settled.await(settings.patience().toMillis(), TimeUnit.MILLISECONDS) && failure == null;
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
      } catch (SQLException e) {
        ended = failed(e);
      } catch (RuntimeException | Error e) {
        ended =
            fail(Failures.external("%s: writing fails: %s".formatted(settings.subject(), e), e));
      }
    }
  }

  /** Works until there is nothing more to do; then true. */
  private boolean attempt() throws InterruptedException, SQLException {
    try (Link opened = new Link(settings, delivered, refusals)) {
      link = opened;
      outgoing.settle(opened.found());
      if (settled.getCount() > 0) {
        settled.countDown();
        outage.ended();
      }
      for (List<Shipment> next = outgoing.await(); !next.isEmpty(); next = outgoing.await()) {
        opened.write(next);
        failures = 0;
        outage.ended();
        outgoing.settle(next.getLast().last());
        context.wakeUp();
      }
      opened.end();
      return true;
    }
  }

  /** Whether it has ended. */
  private boolean failed(SQLException e) {
    String reason = Failures.explain(e);
    failures++;
    boolean opening = settled.getCount() > 0;
    boolean often =
        settings.maxRetries().isPresent() && failures > settings.maxRetries().getAsInt();
    if ((opening && Failures.isLasting(e)) || (!opening && often)) {
      return fail(Failures.external("%s: %s".formatted(settings.subject(), reason), e));
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

  /** Writes what is left, for as long as the patience lasts, then ends. */
  void close(Duration patience) {
    outgoing.close();
    join(patience);
    stop();
  }

  /** Writes nothing more. */
  void stop() {
    stopped.countDown();
    Link open = link;
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
