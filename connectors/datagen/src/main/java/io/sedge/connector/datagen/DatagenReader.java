package io.sedge.connector.datagen;

import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Gives made-up rows at their pace. What row n holds follows from the seed and n alone, so a
 * position is those two numbers: {@code long seed | long rows}.
 */
final class DatagenReader implements SourceReader {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final Generators generators;
  private final double rowsPerSecond;
  private final long rows;
  private final BatchBuilder builder;
  private long seed;
  private long given;
  private long readings;

  private boolean started;
  private long startNanos;
  private long startRows;

  DatagenReader(Schema schema, Generators generators, long rowsPerSecond, long rows, long seed) {
    this.generators = generators;
    this.rowsPerSecond = rowsPerSecond;
    this.rows = rows;
    this.seed = seed;
    this.builder = new BatchBuilder(schema);
  }

  @Override
  public @Nullable Batch poll(long nowNanos) {
    if (!started) {
      started = true;
      startNanos = nowNanos;
      startRows = given;
    }
    long count = Math.min(Batch.TARGET_ROWS, Math.min(rows - given, due(nowNanos)));
    if (count <= 0) {
      return null;
    }
    for (long i = 0; i < count; i++) {
      generators.addRow(given, new SplittableRandom(seed ^ given * MIX), builder);
      builder.endRow();
      given++;
    }
    readings += count;
    return builder.build();
  }

  /** How many rows the pace owes by now; the first second's share begins at once. */
  private long due(long nowNanos) {
    double passed = (nowNanos - startNanos) / NANOS_PER_SECOND;
    return 1 + (long) (passed * rowsPerSecond) - (given - startRows);
  }

  @Override
  public boolean finished() {
    return given >= rows;
  }

  @Override
  public byte[] position() {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(seed).putLong(given).array();
  }

  @Override
  public void seek(byte[] position) {
    ByteBuffer buffer = ByteBuffer.wrap(position);
    if (position.length != 2 * Long.BYTES) {
      throw new IllegalArgumentException("a position has 16 bytes, not " + position.length);
    }
    seed = buffer.getLong();
    given = buffer.getLong();
  }

  /** There is nothing to let go of. */
  @Override
  public void acknowledge(byte[] position) {}

  @Override
  public SourceCounters counters() {
    return new SourceCounters(readings, 0, 0, 0);
  }

  @Override
  public void close() {}
}
