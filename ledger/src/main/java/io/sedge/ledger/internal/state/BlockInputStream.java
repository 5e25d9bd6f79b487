package io.sedge.ledger.internal.state;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32C;

/**
 * Reads what a {@link BlockOutputStream} wrote; gives no byte of a block whose checksum is wrong.
 */
final class BlockInputStream extends InputStream {
  private final DataInputStream input;
  private final byte[] block = new byte[BlockOutputStream.BLOCK_BYTES];
  private int filled;
  private int next;
  private long total;
  private boolean ended;

  BlockInputStream(InputStream input) {
    this.input = new DataInputStream(input);
  }

  @Override
  public int read() throws IOException {
    return hasMore() ? block[next++] & 0xff : -1;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!hasMore()) {
      return -1;
    }
    int step = Math.min(length, filled - next);
    System.arraycopy(block, next, bytes, offset, step);
    next += step;
    return step;
  }

  private boolean hasMore() throws IOException {
    if (next < filled) {
      return true;
    }
    if (!ended) {
      readBlock();
    }
    return next < filled;
  }

  private void readBlock() throws IOException {
    int length = input.readInt();
    next = 0;
    filled = 0;
    if (length == 0) {
      readEnd();
      return;
    }
    if (length < 0 || length > block.length) {
      throw new IOException("a block of %d bytes after %d bytes".formatted(length, total));
    }
    int expected = input.readInt();
    input.readFully(block, 0, length);
    CRC32C checksum = new CRC32C();
    checksum.update(block, 0, length);
    if ((int) checksum.getValue() != expected) {
      throw new IOException("the block after %d bytes has a wrong checksum".formatted(total));
    }
    filled = length;
    total += length;
  }

  private void readEnd() throws IOException {
    long expected = input.readLong();
    if (expected != total || input.readInt() != BlockOutputStream.checksumOf(total)) {
      throw new IOException("ends after %d of %d bytes".formatted(total, expected));
    }
    ended = true;
  }

  /**
   * Reads the end.
   *
   * @throws IOException if there are bytes before it
   */
  void checkEnd() throws IOException {
    if (read() != -1) {
      throw new EOFException("more bytes than belong there, after " + total);
    }
  }
}
