package io.sedge.task.internal;

import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.engine.column.Batch;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads nothing of a table that an earlier task has read to its end: what it had is in the state.
 */
final class EndedReader implements SourceReader {
  private static final byte[] POSITION = "read to its end".getBytes(StandardCharsets.US_ASCII);
  private static final SourceCounters NONE = new SourceCounters(0, 0, 0, 0);

  /** Where reading stands of a table that has been read to its end, and is read anew. */
  static byte[] endPosition() {
    return POSITION.clone();
  }

  static boolean isEnd(byte[] position) {
    return Arrays.equals(position, POSITION);
  }

  @Override
  public @Nullable Batch poll(long nowNanos) {
    return null;
  }

  @Override
  public boolean finished() {
    return true;
  }

  @Override
  public byte[] position() {
    return endPosition();
  }

  @Override
  public void seek(byte[] position) {
    throw new IllegalStateException("it is at its end");
  }

  @Override
  public void acknowledge(byte[] position) {}

  @Override
  public long idlePollNanos() {
    return Long.MAX_VALUE;
  }

  @Override
  public SourceCounters counters() {
    return NONE;
  }

  @Override
  public void close() {}
}
