package io.sedge.connector.center;

import io.sedge.connector.Backoff;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.uplink.RowBlock;
import io.sedge.uplink.StreamOpened;
import io.sedge.uplink.StreamOpening;
import io.sedge.uplink.UplinkException;
import io.sedge.uplink.UplinkException.Reason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sends the blocks of a queue in order, on a virtual thread that waits for them. What the center
 * refuses is tried again, after ever longer pauses: nothing that a center says ends a job. There is
 * one exception: a center that does not know the site may know it by another credential, which the
 * job gets when its tables are opened anew.
 */
final class Sender {
  private static final Backoff PAUSES =
      new Backoff(Duration.ofMillis(500), Duration.ofSeconds(30), RandomGenerator.getDefault());

  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(3);

  /** How long a credential that is not taken is kept. */
  private static final long REOPEN_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final String table;
  private final StreamOpening opening;
  private final boolean urgent;
  private final Link link;
  private final BlockQueue queue;
  private final ConnectorContext context;
  private final Thread thread;
  private volatile @Nullable ConnectorException failure;
  private final AtomicLong sentBytes = new AtomicLong();

  /** What the center calls these rows, -1 where it must be asked; of the thread alone. */
  private long stream = -1;

  /** Written by the thread alone. */
  private volatile @Nullable Outage outage;

  Sender(
      String table,
      StreamOpening opening,
      boolean urgent,
      Link link,
      BlockQueue queue,
      ConnectorContext context) {
    this.table = table;
    this.opening = opening;
    this.urgent = urgent;
    this.link = link;
    this.queue = queue;
    this.context = context;
    this.thread = Thread.ofVirtual().name("sedge-center-" + table).start(this::run);
  }

  /** Why nothing will be sent any more; null while that is not so. */
  @Nullable ConnectorException failure() {
    return failure;
  }

  /** Of what the center has taken, as it went over the link. */
  long sentBytes() {
    return sentBytes.get();
  }

  private void run() {
    try {
      List<RowBlock> blocks = queue.await(link.requestBytes());
      while (!blocks.isEmpty() && failure == null) {
        sendOrPause(blocks);
        blocks = queue.await(link.requestBytes());
      }
    } catch (InterruptedException _) {
      // It was closed.
    } catch (RuntimeException e) {
      fail("a fault in Sedge: " + e, e);
    } finally {
      if (!queue.isClosed() && failure == null) {
        fail("sending has ended", new IllegalStateException("an error"));
      }
      link.close();
    }
  }

  /** Blocks that the center does not take stay in the queue, and may have gone after the pause. */
  private void sendOrPause(List<RowBlock> blocks) throws InterruptedException {
    try {
      send(blocks);
      if (outage != null) {
        outage = null;
        context.report(
            Severity.INFO,
            "table %s: the center at %s takes rows again".formatted(table, link.center()));
      }
    } catch (UplinkException e) {
      queue.failed();
      context.wakeUp(); // What was dropped with them has made room.
      if (queue.isClosed()) {
        throw new InterruptedException("what waits is sent by another sink");
      }
      Outage present = outage == null ? new Outage(context.nanoTime()) : outage;
      outage = present;
      present.met(e);
    }
  }

  private void send(List<RowBlock> blocks) throws UplinkException, InterruptedException {
    if (stream < 0) {
      StreamOpened opened = link.open(urgent, opening);
      stream = opened.id();
    }
    try {
      sentBytes.addAndGet(link.send(urgent, stream, blocks));
    } catch (UplinkException e) {
      if (!e.reason().isPassing()) {
        // It may be another center's by now.
        stream = -1;
      }
      throw e;
    }
    queue.sent();
    context.wakeUp();
  }

  private void fail(String message, Exception cause) {
    failure =
        new ConnectorException(
            ConnectorException.Kind.EXTERNAL, "table %s: %s".formatted(table, message), cause);
    context.wakeUp();
  }

  /** Sends what waits, unless the center is away or takes long. */
  void close() {
    queue.close();
    if (outage != null) {
      thread.interrupt();
    }
    try {
      if (!thread.join(CLOSE_PATIENCE)) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }

  /** From the first refusal until rows are taken again. */
  private final class Outage {
    private final long beginNanos;
    private int refusals;
    private @Nullable Reason said;

    Outage(long beginNanos) {
      this.beginNanos = beginNanos;
    }

    void met(UplinkException e) throws InterruptedException {
      if (said != e.reason()) {
        said = e.reason();
        context.report(
            e.reason().isPassing() ? Severity.WARNING : Severity.ERROR,
            "table %s: %s; rows wait, and are sent when it takes them"
                .formatted(table, e.getMessage()));
      }
      if (isAboutTheCredential(e.reason()) && isOld()) {
        fail(String.valueOf(e.getMessage()), e);
        return;
      }
      refusals++;
      TimeUnit.NANOSECONDS.sleep(PAUSES.delay(refusals).toNanos());
    }

    private boolean isAboutTheCredential(Reason reason) {
      return reason == Reason.UNKNOWN_SITE || reason == Reason.REVOKED;
    }

    /** One that has ended was renewed since, as a rule: then the next one is there at once. */
    private boolean isOld() {
      return link.hasEnded(context.clock().instant())
          || context.nanoTime() - beginNanos > REOPEN_NANOS;
    }
  }
}
