package io.sedge.center.internal.uplink;

import io.sedge.center.store.Orders;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Where sites wait for orders and questions: one request of each, so that one that comes anew ends
 * the one before it. Any thread.
 */
final class OrderDesk implements AutoCloseable {
  private final Map<String, Semaphore> waiting = new ConcurrentHashMap<>();
  private volatile boolean closed;

  OrderDesk(Orders orders, SiteQuestions questions) {
    orders.whenGiven(this::call);
    questions.whenAsked(this::call);
  }

  private void call(String site) {
    Semaphore waits = waiting.get(site);
    if (waits != null) {
      waits.release();
    }
  }

  /** A request of a site that is about to look for some, and to wait if there are none. */
  final class Waiting implements AutoCloseable {
    private final String site;
    private final Semaphore news = new Semaphore(0);

    private Waiting(String site) {
      this.site = site;
      Semaphore before = waiting.put(site, news);
      if (before != null) {
        before.release();
      }
    }

    /** Waits for what is given after this was made; whether to look again. */
    boolean await(long millis) throws InterruptedException {
      return !closed
          && news.tryAcquire(millis, TimeUnit.MILLISECONDS)
          && !closed
          && news.equals(waiting.get(site));
    }

    @Override
    public void close() {
      waiting.remove(site, news);
    }
  }

  Waiting come(String site) {
    return new Waiting(site);
  }

  /** Ends what waits, and lets nobody wait any more. */
  @Override
  public void close() {
    closed = true;
    waiting.values().forEach(Semaphore::release);
  }
}
