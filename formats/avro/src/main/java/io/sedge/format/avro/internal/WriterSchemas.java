package io.sedge.format.avro.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Outage;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The schemas that records are written with, by their numbers, which never change. One is fetched
 * at a time, by a thread of its own that ends with it; an outage of the registry is said once. Any
 * thread.
 */
final class WriterSchemas {
  /** What the registry has for a number. */
  sealed interface Known {
    record Found(Schema schema) implements Known {}

    /** It has said that it has none that can be used. */
    record Refused(String reason) implements Known {}
  }

  /** For so long one is waited for by who cannot do something else. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** So many are kept; then those that were not asked for the longest are forgotten. */
  private static final int MAX_KNOWN = 1_000;

  /** A registry may be behind another one that has the schema already. */
  private static final Duration REFUSAL_HOLDS = Duration.ofSeconds(30);

  /** A refusal, and until when it holds. */
  private record Entry(Known known, long untilNanos) {}

  private final String table;
  private final ConnectorContext context;
  private final Registry registry;
  private final Outage outage;
  private final Map<Integer, Entry> known = new LinkedHashMap<>(16, 0.75f, true);
  private boolean fetching;

  WriterSchemas(String table, ConnectorContext context, Registry registry) {
    this.table = table;
    this.context = context;
    this.registry = registry;
    this.outage =
        new Outage("table %s: schema registry at %s".formatted(table, registry.place()), context);
  }

  /** What is known of a number; null if that is nothing yet: then it is fetched. */
  synchronized @Nullable Known find(int id) {
    Entry entry = known.get(id);
    if (entry != null && context.nanoTime() - entry.untilNanos() < 0) {
      return entry.known();
    }
    if (!fetching) {
      fetching = true;
      Thread.ofVirtual().name("schema-registry-" + table).start(() -> fetch(id));
    }
    return null;
  }

  /**
   * The same, waiting for it.
   *
   * @throws ConnectorException of kind EXTERNAL if it does not come in time
   */
  synchronized Known await(int id) {
    long begin = System.nanoTime();
    Known found = find(id);
    while (found == null) {
      long leftMs = PATIENCE.minusNanos(System.nanoTime() - begin).toMillis();
      if (leftMs <= 0) {
        throw failed(outage.reason().orElse("it has not answered"));
      }
      try {
        wait(leftMs);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw failed("waiting for it was interrupted");
      }
      found = find(id);
    }
    return found;
  }

  private ConnectorException failed(String reason) {
    return new ConnectorException(
        ConnectorException.Kind.EXTERNAL,
        "table %s: schema registry at %s: %s".formatted(table, registry.place(), reason));
  }

  /** The boundary of the thread. */
  private void fetch(int id) {
    try {
      settle(id, new Known.Found(registry.schema(id)), Duration.ofNanos(Long.MAX_VALUE / 2));
    } catch (Registry.RefusedException e) {
      settle(id, new Known.Refused(String.valueOf(e.getMessage())), REFUSAL_HOLDS);
    } catch (IOException e) {
      pause(outage.failed(Failures.text(e)));
    } catch (InterruptedException e) {
      ended();
    } catch (RuntimeException | Error e) {
      pause(outage.failed("asking it fails: " + e));
    }
  }

  private void settle(int id, Known found, Duration holds) {
    outage.ended();
    synchronized (this) {
      known.put(id, new Entry(found, context.nanoTime() + holds.toNanos()));
      if (known.size() > MAX_KNOWN) {
        known.remove(known.keySet().iterator().next());
      }
    }
    ended();
  }

  /** Who needs it asks again after the pause. */
  private void pause(Duration delay) {
    try {
      Thread.sleep(delay);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    ended();
  }

  private void ended() {
    synchronized (this) {
      fetching = false;
      notifyAll();
    }
    context.wakeUp();
  }
}
