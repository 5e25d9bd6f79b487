package io.sedge.center.internal.api;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.sedge.alarm.AlarmCounts;
import io.sedge.center.api.CenterEvent;
import io.sedge.center.api.SiteReport;
import io.sedge.center.api.TableReport;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.StoreException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells browsers what sites and tables are like while that changes (server-sent events). One thread
 * asks the database once a second for all who listen, sooner when rows have come, more seldom where
 * that takes long, and ends when nobody does. Each listener is served by the thread of its
 * connection and gets the latest state: what changed while a browser was slow is left out, so
 * nothing queues. Any thread.
 */
final class CenterEvents implements AutoCloseable {
  static final int MAX_LISTENERS = 100;

  /** How many of them one person or program may be. */
  static final int MAX_OF_ONE = 20;

  private static final Duration PERIOD = Duration.ofSeconds(1);

  /** The least between two looks when rows have come. */
  private static final Duration LEAST_PERIOD = Duration.ofMillis(200);

  /** What a listener is sent a second: of many sites it is told no more often than of a few. */
  private static final int BYTES_A_SECOND = 256 << 10;

  /** A look at many rows takes long: so many times as long the database is let alone. */
  private static final int REST = 19;

  private static final Duration HEARTBEAT = Duration.ofSeconds(5);

  /** After how long a browser that takes nothing is let go. */
  private static final Duration STUCK = Duration.ofSeconds(20);

  private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);

  private final ApiContext context;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition looked = lock.newCondition();
  private final Condition waking = lock.newCondition();

  /** Guarded by the lock, like all that follows. */
  private final Set<Listener> listeners = new HashSet<>();

  private State state = NOTHING;
  private @Nullable Thread looking;
  private boolean rowsCame;
  private boolean closed;

  CenterEvents(ApiContext context) {
    this.context = context;
    context.store().onRows(this::rowsCame);
  }

  /**
   * What was seen last.
   *
   * @param number how often it has changed; 0 if nothing was seen yet
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record State(
      long number,
      List<SiteReport> sites,
      List<TableReport> tables,
      @Nullable AlarmCounts alarms,
      byte[] event) {}

  private static final State NOTHING = new State(0, List.of(), List.of(), null, COMMENT);

  /** Somebody who listens, and since when an event is being written to him. */
  private static final class Listener {
    private final String who;
    private final Thread thread = Thread.currentThread();
    private @Nullable Long writingSinceNanos;

    Listener(String who) {
      this.who = who;
    }
  }

  /** Whether somebody may be told, still. */
  @FunctionalInterface
  interface Permission {
    boolean holds() throws StoreException;
  }

  /**
   * Writes events until the caller may not be told any more, or does not take them.
   *
   * @throws ApiException BUSY
   */
  void listen(Call call, Gate gate) throws ApiException {
    listen(
        call.caller().name(),
        () -> call.response().header(HeaderNames.CONTENT_TYPE, "text/event-stream").outputStream(),
        () -> gate.known(call.request()).filter(caller -> caller.may(Role.VIEWER)).isPresent());
  }

  /**
   * The same.
   *
   * @param who the name of the person or program
   * @param answer begins the answer
   */
  void listen(String who, Supplier<OutputStream> answer, Permission permission)
      throws ApiException {
    Listener listener = join(who);
    try (OutputStream out = answer.get()) {
      serve(listener, out, permission);
    } catch (IOException | UncheckedIOException e) {
      throw new CloseConnectionException("nobody listens any more", e);
    } catch (InterruptedException e) {
      throw ApiThreads.stopping(e);
    } finally {
      leave(listener);
    }
  }

  private Listener join(String who) throws ApiException {
    Listener listener = new Listener(who);
    lock.lock();
    try {
      if (listeners.stream().filter(other -> other.who.equals(who)).count() >= MAX_OF_ONE) {
        throw new ApiException(
            Reason.BUSY,
            "'%s' listens to the center's events %d times, which is as often as one may: close a page"
                .formatted(who, MAX_OF_ONE));
      }
      if (listeners.size() >= MAX_LISTENERS || closed) {
        throw new ApiException(
            Reason.BUSY,
            "%d listen to the center's events, which is as many as may: come again later"
                .formatted(listeners.size()));
      }
      listeners.add(listener);
      if (looking == null) {
        // What was seen when somebody listened last may be old.
        state = NOTHING;
        looking =
            Thread.ofPlatform().name("sedge-api-events").daemon().start(this::lookWhileWanted);
      }
      return listener;
    } finally {
      lock.unlock();
    }
  }

  private void leave(Listener listener) {
    lock.lock();
    try {
      listeners.remove(listener);
    } finally {
      lock.unlock();
    }
  }

  private void serve(Listener listener, OutputStream out, Permission permission)
      throws IOException, InterruptedException {
    long seen = 0;
    write(listener, out, COMMENT);
    long spokenNanos = context.nanoClock().getAsLong();
    while (isOpen() && holds(permission)) {
      State now = await(seen);
      boolean changed = now.number() > seen;
      long nowNanos = context.nanoClock().getAsLong();
      if (changed || nowNanos - spokenNanos >= HEARTBEAT.toNanos()) {
        write(listener, out, changed ? now.event() : COMMENT);
        seen = now.number();
        spokenNanos = nowNanos;
      }
    }
  }

  private static boolean holds(Permission permission) {
    try {
      return permission.holds();
    } catch (StoreException _) {
      // Nobody can know while the database is away: what was known last counts, which was yes.
      return true;
    }
  }

  private boolean isOpen() {
    lock.lock();
    try {
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for something that was not seen, a period at most. */
  private State await(long seen) throws InterruptedException {
    lock.lock();
    try {
      long left = PERIOD.toNanos();
      while (state.number() <= seen && left > 0 && !closed) {
        left = looked.awaitNanos(left);
      }
      return state;
    } finally {
      lock.unlock();
    }
  }

  private void write(Listener listener, OutputStream out, byte[] event) throws IOException {
    writing(listener, context.nanoClock().getAsLong());
    try {
      out.write(event);
      out.flush();
    } finally {
      writing(listener, null);
    }
  }

  private void writing(Listener listener, @Nullable Long sinceNanos) {
    lock.lock();
    try {
      listener.writingSinceNanos = sinceNanos;
    } finally {
      lock.unlock();
    }
  }

  private void lookWhileWanted() {
    try {
      while (isWanted()) {
        // The pause is of real time, and so is what it is measured by.
        long begin = System.nanoTime();
        look();
        pause(begin, (System.nanoTime() - begin) * REST);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      // Whatever has ended it: who listens next starts another one.
      lock.lock();
      try {
        looking = Thread.currentThread().equals(looking) ? null : looking;
      } finally {
        lock.unlock();
      }
    }
  }

  private boolean isWanted() {
    lock.lock();
    try {
      if (listeners.isEmpty() || closed) {
        looking = null;
        return false;
      }
      long now = context.nanoClock().getAsLong();
      for (Listener listener : listeners) {
        Long since = listener.writingSinceNanos;
        if (since != null && now - since >= STUCK.toNanos()) {
          listener.thread.interrupt();
        }
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void pause(long beginNanos, long restNanos) throws InterruptedException {
    lock.lock();
    try {
      long sending = Duration.ofSeconds(state.event().length).toNanos() / BYTES_A_SECOND;
      long soon = Math.clamp(sending, LEAST_PERIOD.toNanos(), PERIOD.toNanos());
      while (!closed) {
        long pause = Math.max(restNanos, rowsCame ? soon : PERIOD.toNanos());
        long left = beginNanos + pause - System.nanoTime();
        if (left <= 0) {
          break;
        }
        waking.awaitNanos(left);
      }
      rowsCame = false;
    } finally {
      lock.unlock();
    }
  }

  private void rowsCame() {
    lock.lock();
    try {
      rowsCame = true;
      waking.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void look() {
    State before = seen();
    State now;
    try {
      List<SiteReport> sites = SiteHandlers.all(context.store());
      List<TableReport> tables = TableHandlers.all(context.store());
      AlarmCounts alarms = AlarmHandlers.counts(context.store(), Optional.empty());
      if (before.number() > 0
          && before.sites().equals(sites)
          && before.tables().equals(tables)
          && alarms.equals(before.alarms())) {
        return;
      }
      CenterEvent event = new CenterEvent(context.clock().millis(), sites, tables, alarms);
      now = new State(before.number() + 1, sites, tables, alarms, bytes(event));
    } catch (StoreException e) {
      // The database is away, which GET /center tells; the next look may see more.
      return;
    } catch (RuntimeException e) {
      context.log().accept("a fault in Sedge while events were gathered: " + e);
      return;
    }
    lock.lock();
    try {
      state = now;
      looked.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private State seen() {
    lock.lock();
    try {
      return state;
    } finally {
      lock.unlock();
    }
  }

  private static byte[] bytes(CenterEvent told) {
    ByteArrayOutputStream event = new ByteArrayOutputStream();
    event.writeBytes("event: center\ndata: ".getBytes(StandardCharsets.UTF_8));
    // JSON has no line that ends within it.
    event.writeBytes(Json.write(told));
    event.writeBytes("\n\n".getBytes(StandardCharsets.UTF_8));
    return event.toByteArray();
  }

  /** Ends all that listen. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      looked.signalAll();
      waking.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
