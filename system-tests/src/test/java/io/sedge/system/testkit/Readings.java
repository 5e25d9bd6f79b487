package io.sedge.system.testkit;

import io.sedge.connector.mqtt.testkit.Publisher;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/** Publishes numbered readings of ten sensors at QoS 1 and at a pace, in a thread of its own. */
public final class Readings implements AutoCloseable {
  public static final int SENSORS = 10;
  private static final Duration TICK = Duration.ofMillis(5);

  private final Publisher publisher;
  private final Thread thread;
  private volatile boolean stopped;
  private long sent;

  private Readings(Publisher publisher, long count, int perSecond, String more) {
    this.publisher = publisher;
    this.thread = Thread.ofVirtual().start(() -> send(count, perSecond, more));
  }

  /**
   * Begins to publish.
   *
   * @param port of the broker
   * @param count how many readings; their numbers are 0 to count - 1, sensor is number modulo ten
   * @param more further members of each payload, {@code ,"name":"value"}, or nothing
   */
  public static Readings publish(int port, long count, int perSecond, String more) {
    return new Readings(new Publisher(port), count, perSecond, more);
  }

  /** The columns and the topic of a table that has them, as SQL. */
  public static String table(int port, String clientId, String columns, String options) {
    return table("127.0.0.1:" + port, clientId, columns, options);
  }

  /** The same, of a broker with another address. */
  public static String table(String broker, String clientId, String columns, String options) {
    return """
    CREATE TABLE readings (sensor STRING, seq BIGINT%s) WITH (
      'connector' = 'mqtt', 'url' = 'mqtt://%s', 'topic' = 'line/{sensor}',
      'client-id' = '%s', 'format' = 'json'%s);
    """
        .formatted(columns, broker, clientId, options);
  }

  /** Waits until what is published comes out: a table says nothing when it has subscribed. */
  public static void awaitSubscription(int port, SedgeProcess job, Counted shown) {
    try (Publisher publisher = new Publisher(port)) {
      job.until(
          () -> {
            publisher.send("line/hello", 1, "{\"seq\":-1}");
            return shown.greetings() > 0;
          },
          () -> "the subscription");
      publisher.settle();
    }
  }

  private void send(long count, int perSecond, String more) {
    long begin = System.nanoTime();
    long skipped = 0;
    while (sent < count && !stopped) {
      long due = (System.nanoTime() - begin) * perSecond / 1_000_000_000L - skipped;
      // What could not be sent in an outage is sent late, not all at once.
      long backlog = due - sent - perSecond;
      skipped += Math.max(0, backlog);
      for (due = Math.min(due - Math.max(0, backlog), count); sent < due; sent++) {
        publisher.send(
            "line/s" + sent % SENSORS, 1, String.format(Locale.ROOT, "{\"seq\":%d%s}", sent, more));
      }
      LockSupport.parkNanos(TICK.toNanos());
    }
  }

  /** Ends before all are published. */
  public void stop() {
    stopped = true;
  }

  /** Waits until the broker has acknowledged all of them. */
  public void settle() {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    publisher.settle();
  }

  /** How many were published; after {@link #settle}. */
  public long sent() {
    return sent;
  }

  @Override
  public void close() {
    publisher.close();
  }
}
