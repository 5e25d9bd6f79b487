package io.sedge.connector.sparkplug.internal;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Requests for births, at a bounded rate: some a second over all, since each is answered by a lot
 * of messages, and to each edge node ever more rarely while it does not answer. One thread.
 */
final class Rebirths {
  static final Duration LONGEST = Duration.ofMinutes(10);

  /** So many at once, and then as many a second. */
  static final int PER_SECOND = 20;

  private static final long SECOND = 1_000_000_000L;

  private final Optional<Duration> interval;
  private final Consumer<EdgeNode> publish;
  private final Set<EdgeNode> waiting = new LinkedHashSet<>();
  private long secondNanos;
  private int inSecond;

  /**
   * @param interval between the first two to an edge node; empty to ask for nothing
   * @param publish sends one
   */
  Rebirths(Optional<Duration> interval, Consumer<EdgeNode> publish) {
    this.interval = interval;
    this.publish = publish;
  }

  /** Whether births are asked for at all. */
  boolean areAsked() {
    return interval.isPresent();
  }

  /** Asks for a birth, if that is due; now or with one of the next {@link #send}. */
  void ask(EdgeNode node, long nowNanos) {
    if (interval.isEmpty() || (node.requests > 0 && nowNanos - node.nextRequestNanos < 0)) {
      return;
    }
    long delay = interval.get().toNanos();
    for (int i = 0; i < node.requests && delay < LONGEST.toNanos(); i++) {
      delay *= 2;
    }
    node.requests++;
    node.nextRequestNanos = nowNanos + Math.min(delay, LONGEST.toNanos());
    waiting.add(node);
    send(nowNanos);
  }

  /** Sends what was asked for, as far as the rate allows. */
  void send(long nowNanos) {
    if (nowNanos - secondNanos >= SECOND) {
      secondNanos = nowNanos;
      inSecond = 0;
    }
    Iterator<EdgeNode> next = waiting.iterator();
    while (next.hasNext() && inSecond < PER_SECOND) {
      EdgeNode node = next.next();
      next.remove();
      if (node.requests > 0) {
        inSecond++;
        publish.accept(node);
      }
    }
  }

  /** Whether some wait for the next second. */
  boolean areWaiting() {
    return !waiting.isEmpty();
  }
}
