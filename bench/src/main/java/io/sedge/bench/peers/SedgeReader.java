package io.sedge.bench.peers;

import io.sedge.connector.SourceReader;

/** A reader of readings that are made as they are read: none is ever read again. */
abstract class SedgeReader implements SourceReader {
  @Override
  public byte[] position() {
    return new byte[0];
  }

  @Override
  public void seek(byte[] position) {}

  @Override
  public void acknowledge(byte[] position) {}

  @Override
  public void close() {}
}
