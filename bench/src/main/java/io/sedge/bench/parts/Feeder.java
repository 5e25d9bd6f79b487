package io.sedge.bench.parts;

import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5Client;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Publishes numbered readings at a steady rate, shard by shard, straight to the broker, and writes
 * down when each was sent. A thread of its own publishes until {@link #close}.
 */
final class Feeder implements AutoCloseable {
  private static final int IN_FLIGHT = 1_000;
  private static final long PATIENCE_MILLIS = 100;

  private final Mqtt5AsyncClient client;
  private final ReadingLog log;
  private final int shards;
  private final MqttQos qos;
  private final long periodNanos;
  private final Semaphore room = new Semaphore(IN_FLIGHT);
  private final AtomicLong failures = new AtomicLong();
  private final Thread thread;
  private volatile boolean closed;

  /**
   * Begins to publish on {@code bench/m0}, {@code bench/m1} …
   *
   * @param broker its port
   */
  Feeder(int broker, ReadingLog log, int shards, int qos, int perSecond) {
    this.log = log;
    this.shards = shards;
    this.qos = MqttQos.fromCode(qos);
    this.periodNanos = 1_000_000_000L / perSecond;
    this.client =
        Mqtt5Client.builder()
            .identifier("bench-feeder")
            .serverHost("127.0.0.1")
            .serverPort(broker)
            .buildAsync();
    client.connect().join();
    this.thread = Thread.ofPlatform().daemon().name("bench-feeder").start(this::run);
  }

  /** The name of a shard, and the last part of its topic. */
  static String shard(int number) {
    return "m" + number;
  }

  private void run() {
    long next = System.nanoTime();
    while (!closed) {
      if (!hasRoom()) {
        continue;
      }
      long now = System.nanoTime();
      int number = log.sent(now);
      String payload = "{\"seq\":%d,\"ts\":%d}".formatted(number, log.millis(number));
      var _ =
          client
              .publishWith()
              .topic("bench/" + shard(number % shards))
              .qos(qos)
              .payload(payload.getBytes(StandardCharsets.UTF_8))
              .send()
              .whenComplete((_, failure) -> done(failure != null));
      next = Math.max(next + periodNanos, now); // what could not be sent in time is not made up
      LockSupport.parkNanos(next - System.nanoTime());
    }
  }

  private boolean hasRoom() {
    try {
      return room.tryAcquire(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      closed = true;
      return false;
    }
  }

  private void done(boolean failed) {
    if (failed) {
      failures.incrementAndGet();
    }
    room.release();
  }

  /**
   * Ends, once the broker has all readings.
   *
   * @throws IOException if it did not take some
   */
  @Override
  public void close() throws IOException {
    closed = true;
    try {
      thread.join();
      room.acquire(IN_FLIGHT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    client.disconnect().join();
    if (failures.get() > 0) {
      throw new IOException("the broker did not take %d readings".formatted(failures.get()));
    }
  }
}
