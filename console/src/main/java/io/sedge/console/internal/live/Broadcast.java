package io.sedge.console.internal.live;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The latest events, for all who listen. Each has a place of its own in them and moves on as fast
 * as it can; whoever is too slow misses the oldest, and is told how many rows. So memory does not
 * depend on how many listen or how slow they are, and who publishes never waits. Any thread.
 */
public final class Broadcast {
  private final long mostBytes;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** By their numbers, from {@link #gone} to {@link #published} - 1. */
  private final Map<Long, Event> events = new HashMap<>();

  /** The end of the last event of each table that has had one. */
  private final Map<String, Long> ends = new HashMap<>();

  private long bytes;

  private long published;

  /** How many are no longer kept. */
  private long gone;

  private int listeners;
  private boolean ended;

  /**
   * @param mostBytes of events that are kept; the last one is kept whatever its size
   */
  public Broadcast(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Lets all hear of an event; after {@link #end} nobody does. */
  public void publish(Event event) {
    lock.lock();
    try {
      if (!ended) {
        add(event);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The last event: who has heard it has heard all. */
  public void end(Event last) {
    lock.lock();
    try {
      if (!ended) {
        add(last);
        ended = true;
      }
    } finally {
      lock.unlock();
    }
  }

  private void add(Event event) {
    events.put(published, event);
    published++;
    bytes += event.json().length;
    if (event.rows() > 0) {
      ends.put(event.table(), event.end());
    }
    while (bytes > mostBytes && events.size() > 1) {
      bytes -= requireNonNull(events.remove(gone)).json().length;
      gone++;
    }
    changed.signalAll();
  }

  /** Rows of a table that nobody listened for count as heard. */
  public void passed(String table, long end) {
    lock.lock();
    try {
      ends.put(table, end);
    } finally {
      lock.unlock();
    }
  }

  /** How many listen. */
  public int listeners() {
    lock.lock();
    try {
      return listeners;
    } finally {
      lock.unlock();
    }
  }

  /** Hears all that is published from now on; of what has ended, that it has. */
  public Listener listen() {
    lock.lock();
    try {
      listeners++;
      return new Listener(ended ? published - 1 : published, new HashMap<>(ends));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until all who listen have heard the last event, or have gone.
   *
   * @return whether they have
   */
  public boolean awaitHeard(long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (listeners > 0 && left > 0) {
        left = changed.awaitNanos(left);
      }
      return listeners == 0;
    } finally {
      lock.unlock();
    }
  }

  /**
   * An event as one hears it.
   *
   * @param skipped rows of its table before it that one has not heard
   */
  public record Heard(Event event, long skipped) {}

  /** One who listens. One thread. */
  public final class Listener implements AutoCloseable {
    private final Map<String, Long> heard;
    private long next;

    private Listener(long next, Map<String, Long> heard) {
      this.next = next;
      this.heard = heard;
    }

    /**
     * Waits for the next event.
     *
     * @return empty if none came in time
     */
    public Optional<Heard> take(long nanos) throws InterruptedException {
      lock.lock();
      try {
        long left = nanos;
        while (next == published && !ended && left > 0) {
          left = changed.awaitNanos(left);
        }
        next = Math.max(next, gone);
        if (next == published) {
          return Optional.empty();
        }
        Event event = requireNonNull(events.get(next));
        next++;
        return Optional.of(new Heard(event, skipped(event)));
      } finally {
        lock.unlock();
      }
    }

    private long skipped(Event event) {
      if (event.rows() == 0) {
        return 0;
      }
      Long before = heard.put(event.table(), event.end());
      return Math.max(0, event.first() - (before == null ? 0 : before));
    }

    /** Whether it has heard the last event. */
    public boolean hasHeardAll() {
      lock.lock();
      try {
        return ended && next == published;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        listeners--;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }
}
