package io.sedge.connector.host;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Samples on a thread of its own and hands over what it has read.
 *
 * <p>Sensors have no past: a position is the time of the last reading polled, and seeking one means
 * going on from now. When the job does not keep up and the queue is full, sampling pauses (the
 * times missed are not read; nothing that was read is lost), which is reported when it begins.
 */
final class HostReader implements SourceReader {
  /** Readings that may wait: some seconds of a machine with many sensors. */
  static final int CAPACITY = 16_384;

  private static final int JOIN_MILLIS = 5_000;
  private static final long PAUSE_NANOS = 10_000_000;

  private final String table;
  private final Sampler sampler;
  private final ConnectorContext context;
  private final RateRegistry registry;
  private final Readings readings = new Readings(CAPACITY);
  private final BatchBuilder builder;
  private final HostColumns columns;
  private final Thread thread;
  private volatile boolean closed;
  private volatile @Nullable Throwable failure;
  private boolean pausing;
  private long lastMicros;
  private long polled;

  HostReader(
      String table,
      Schema schema,
      String host,
      Sampler sampler,
      ConnectorContext context,
      RateRegistry registry) {
    this.table = table;
    this.sampler = sampler;
    this.context = context;
    this.registry = registry;
    this.builder = new BatchBuilder(schema);
    this.columns = new HostColumns(schema, host);
    this.thread = Thread.ofPlatform().daemon().name("sedge-host-" + table).unstarted(this::run);
  }

  /** Begins to sample. */
  HostReader start() {
    registry.add(this);
    thread.start();
    return this;
  }

  Collection<String> names() {
    return sampler.names();
  }

  Optional<Sampler.RateChange> setRate(String quantity, double hertz) {
    Optional<Sampler.RateChange> change = sampler.setRate(quantity, hertz);
    LockSupport.unpark(thread);
    return change;
  }

  /** The boundary of the thread: whatever is thrown ends the job, at the next poll. */
  private void run() {
    try (sampler) {
      while (!closed) {
        long next = sampleOnce();
        LockSupport.parkNanos(this, next - System.nanoTime());
      }
    } catch (Throwable e) {
      failure = e;
      context.wakeUp();
    }
  }

  private long sampleOnce() {
    long now = System.nanoTime();
    int before = readings.room();
    if (before < sampler.size()) {
      pause();
      return now + PAUSE_NANOS;
    }
    pausing = false;
    long next = sampler.sample(now, micros(context.clock().instant()), readings);
    if (readings.room() < CAPACITY) {
      context.wakeUp();
    }
    return next;
  }

  private void pause() {
    if (!pausing) {
      context.report(
          ConnectorContext.Severity.WARNING,
          "table %s: %d readings wait for the job, so the sensors are not read until it has caught"
                  .formatted(table, CAPACITY)
              + " up; lower 'sampling.rate' or choose fewer 'quantities'");
    }
    pausing = true;
    context.wakeUp();
  }

  private static long micros(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
  }

  @Override
  public @Nullable Batch poll(long nowNanos) {
    Throwable cause = failure;
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause != null) {
      throw new ConnectorException(
          ConnectorException.Kind.EXTERNAL,
          "table %s: reading the sensors has failed: %s".formatted(table, cause),
          cause);
    }
    int count = readings.drain(Batch.TARGET_ROWS, this::take);
    polled += count;
    return count == 0 ? null : builder.build();
  }

  private void take(Quantity quantity, long micros, double value) {
    columns.add(builder, quantity, micros, value);
    lastMicros = micros;
  }

  @Override
  public boolean finished() {
    return false;
  }

  @Override
  public byte[] position() {
    return ByteBuffer.allocate(Long.BYTES).putLong(lastMicros).array();
  }

  @Override
  public void seek(byte[] position) {
    lastMicros = ByteBuffer.wrap(position).getLong();
  }

  @Override
  public void acknowledge(byte[] position) {
    // A sensor keeps nothing that it could forget.
  }

  @Override
  public SourceCounters counters() {
    return new SourceCounters(polled, polled * Double.BYTES, 0, 0);
  }

  @Override
  public void close() {
    registry.remove(this);
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join(JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
