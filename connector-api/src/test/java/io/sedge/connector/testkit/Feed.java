package io.sedge.connector.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.engine.column.Batch;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A sink with the sequences of what it is given, which are without gaps. */
public final class Feed implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Sink sink;
  private long taken;

  private Feed(Sink sink) {
    this.sink = sink;
    this.taken = sink.flush();
  }

  /** A sink for rows of a run. */
  public static Feed open(SinkFactory factory) {
    return open(factory, Delivery.OF_A_RUN);
  }

  /** A sink that goes on where the far end is. */
  public static Feed open(SinkFactory factory, Delivery delivery) {
    return new Feed(factory.open(delivery));
  }

  /** The sequence of the last row that was taken. */
  public long taken() {
    return taken;
  }

  /** Offers a batch once. */
  public boolean offer(Batch batch) {
    return offer(new NumberedBatch(taken + 1, batch));
  }

  /** Offers a batch with sequences of its own once. */
  public boolean offer(NumberedBatch batch) {
    boolean took = sink.offer(batch);
    taken = took ? batch.last() : taken;
    return took;
  }

  /** Offers a batch again and again until there is room. */
  public void give(Batch batch) {
    give(new NumberedBatch(taken + 1, batch));
  }

  /** Offers a batch with sequences of its own until there is room. */
  public void give(NumberedBatch batch) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!offer(batch)) {
      assertThat(System.nanoTime()).as("no room in the sink").isLessThan(deadline);
      sink.flush();
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** Flushes once; whether all is durable. */
  public boolean flush() {
    return sink.flush() == taken;
  }

  /** Flushes until all is durable. */
  public void flushAll() {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!flush()) {
      assertThat(System.nanoTime()).as("the sink is never flushed").isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }

  public long bytes() {
    return sink.bytes();
  }

  @Override
  public void close() {
    sink.close();
  }
}
