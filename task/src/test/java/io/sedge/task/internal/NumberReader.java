package io.sedge.task.internal;

import io.sedge.connector.SourceReader;
import java.nio.ByteBuffer;

/** Reads the numbers from 0 on; its position is the next one. */
abstract class NumberReader implements SourceReader {
  final long total;
  long next;
  long acknowledged;

  NumberReader(long total) {
    this.total = total;
  }

  @Override
  public boolean finished() {
    return next == total;
  }

  @Override
  public byte[] position() {
    return ByteBuffer.allocate(Long.BYTES).putLong(next).array();
  }

  @Override
  public void seek(byte[] position) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void acknowledge(byte[] position) {
    acknowledged = ByteBuffer.wrap(position).getLong();
  }

  @Override
  public void close() {}
}
