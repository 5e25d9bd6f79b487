package io.sedge.task.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Gives the numbers from 0 on in batches of random size, sometimes none. */
public final class FakeSource implements SourceReader {
  public static final Schema SCHEMA =
      Schema.builder().add("source", Type.STRING).add("number", Type.BIGINT).build();

  private final String name;
  private final long total;
  private final Random random;
  private final LongConsumer onAcknowledge;
  private long next;
  private long acknowledged;
  private boolean open = true;
  private boolean endless;
  private long window = Long.MAX_VALUE;
  private long positioned;
  private int positions;

  /**
   * @param total how many there are; {@link Long#MAX_VALUE} for a source without end
   * @param onAcknowledge is told how many readings were acknowledged
   */
  public FakeSource(String name, long total, Random random, LongConsumer onAcknowledge) {
    this.name = name;
    this.total = total;
    this.random = random;
    this.onAcknowledge = onAcknowledge;
  }

  @Override
  public @Nullable Batch poll(long nowNanos) {
    assertThat(open).as("polled while open").isTrue();
    if (next == total || next - acknowledged >= window || random.nextInt(4) == 0) {
      return null;
    }
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    int rows = 1 + random.nextInt(20);
    for (int i = 0; i < rows && next < total && next - acknowledged < window; i++) {
      builder.addRow(name, next++);
    }
    return builder.build();
  }

  @Override
  public boolean finished() {
    return next == total && !endless;
  }

  /** Makes it stay silent after its last number instead of ending. */
  public void goOn() {
    endless = true;
  }

  /** Makes it give no more than so many readings before earlier ones are acknowledged. */
  public void narrow(long readings) {
    window = readings;
  }

  @Override
  public boolean wantsCommit() {
    return next - positioned >= window / 2;
  }

  /** How often it was asked for its position. */
  public int positions() {
    return positions;
  }

  @Override
  public byte[] position() {
    positions++;
    positioned = next;
    return ByteBuffer.allocate(Long.BYTES).putLong(next).array();
  }

  @Override
  public void seek(byte[] position) {
    next = ByteBuffer.wrap(position).getLong();
  }

  @Override
  public void acknowledge(byte[] position) {
    long upTo = ByteBuffer.wrap(position).getLong();
    assertThat(upTo).as("acknowledged in order").isGreaterThan(acknowledged);
    assertThat(upTo).as("acknowledged what was read").isLessThanOrEqualTo(next);
    acknowledged = upTo;
    onAcknowledge.accept(upTo);
  }

  public long acknowledged() {
    return acknowledged;
  }

  public long read() {
    return next;
  }

  @Override
  public SourceCounters counters() {
    return new SourceCounters(next, next * 10, 0, 0);
  }

  @Override
  public void close() {
    open = false;
  }
}
