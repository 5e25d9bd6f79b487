package io.sedge.console.internal.http;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.sedge.console.internal.http.Refusal.Reason;
import io.sedge.console.internal.live.Broadcast;
import io.sedge.console.internal.live.Event;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Server-sent events (WHATWG HTML, 9.2) from a {@link Broadcast}. Each browser has its request's
 * thread, which waits where the browser is slow. Events are written as they were published, the
 * same bytes for all; Helidon's own sink for such events would make them anew for each. Any thread.
 */
public final class EventStream {
  private static final long HEARTBEAT_NANOS = Duration.ofSeconds(5).toNanos();

  /** For how long a browser may take nothing. */
  private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();

  private static final int BUFFER_BYTES = 16 << 10;
  private static final byte[] RETRY = bytes("retry: 1000\n\n");
  private static final byte[] HEARTBEAT = bytes(":\n\n");
  private static final byte[] END = bytes("\n\n");

  private final Broadcast broadcast;
  private final LongSupplier nanoClock;
  private final Semaphore places = new Semaphore(ConsoleServer.MOST_LISTENERS);
  private final Set<Writing> writing = ConcurrentHashMap.newKeySet();

  /** A thread that writes to a browser, since when. */
  private record Writing(Thread thread, long sinceNanos) {}

  public EventStream(Broadcast broadcast, LongSupplier nanoClock) {
    this.broadcast = broadcast;
    this.nanoClock = nanoClock;
  }

  /**
   * Answers with all events from now on that are wanted, until the last one.
   *
   * @throws Refusal BUSY
   */
  public void answer(Call call, Predicate<Event> wanted) throws Refusal {
    if (!places.tryAcquire()) {
      throw new Refusal(
          Reason.BUSY,
          "%d browsers listen, and no more may: close one".formatted(ConsoleServer.MOST_LISTENERS));
    }
    call.response()
        .header(HeaderNames.CONTENT_TYPE, "text/event-stream; charset=utf-8")
        .header("X-Accel-Buffering", "no");
    try (Broadcast.Listener listener = broadcast.listen();
        OutputStream out = new BufferedOutputStream(call.response().outputStream(), BUFFER_BYTES)) {
      write(out, RETRY);
      while (!listener.hasHeardAll()) {
        Optional<Broadcast.Heard> heard = listener.take(HEARTBEAT_NANOS);
        if (heard.isEmpty()) {
          write(out, HEARTBEAT);
        } else if (wanted.test(heard.get().event())) {
          write(out, text(heard.get()));
        }
      }
    } catch (IOException | UncheckedIOException e) {
      throw new CloseConnectionException("the browser has gone", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CloseConnectionException("the console ends", e);
    } finally {
      places.release();
    }
  }

  private void write(OutputStream out, byte[]... parts) throws IOException {
    Writing current = new Writing(Thread.currentThread(), nanoClock.getAsLong());
    writing.add(current);
    try {
      for (byte[] part : parts) {
        out.write(part);
      }
      out.flush();
    } finally {
      writing.remove(current);
    }
  }

  private static byte[][] text(Broadcast.Heard heard) {
    Event event = heard.event();
    byte[] name = bytes("event: " + event.name() + "\ndata: ");
    if (heard.skipped() == 0) {
      return new byte[][] {name, event.json(), END};
    }
    byte[] rest = Arrays.copyOfRange(event.json(), 1, event.json().length);
    return new byte[][] {name, bytes("{\"skipped\":%d,".formatted(heard.skipped())), rest, END};
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Closes the connections of browsers that take nothing any more; to be called now and then. */
  public void closeStuck() {
    long now = nanoClock.getAsLong();
    for (Writing one : writing) {
      if (now - one.sinceNanos() > PATIENCE_NANOS) {
        one.thread().interrupt(); // A socket that a virtual thread is interrupted in is closed.
      }
    }
  }
}
