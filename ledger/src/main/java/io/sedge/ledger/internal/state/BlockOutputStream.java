package io.sedge.ledger.internal.state;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.CRC32C;

/**
 * Writes a stream in blocks: length (4, 1 to {@link #BLOCK_BYTES}), CRC-32C of the bytes (4), the
 * bytes. A length of 0 ends it; then come how many bytes there were (8) and a CRC-32C of that (4).
 */
final class BlockOutputStream extends OutputStream {
  static final int BLOCK_BYTES = 64 << 10;

  private final DataOutputStream output;
  private final byte[] block = new byte[BLOCK_BYTES];
  private int filled;
  private long total;

  BlockOutputStream(OutputStream output) {
    this.output = new DataOutputStream(output);
  }

  @Override
  public void write(int value) throws IOException {
    if (filled == BLOCK_BYTES) {
      writeBlock();
    }
    block[filled++] = (byte) value;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      if (filled == BLOCK_BYTES) {
        writeBlock();
      }
      int step = Math.min(length - done, BLOCK_BYTES - filled);
      System.arraycopy(bytes, offset + done, block, filled, step);
      filled += step;
      done += step;
    }
  }

  private void writeBlock() throws IOException {
    CRC32C checksum = new CRC32C();
    checksum.update(block, 0, filled);
    output.writeInt(filled);
    output.writeInt((int) checksum.getValue());
    output.write(block, 0, filled);
    total += filled;
    filled = 0;
  }

  /** Writes the end; nothing may be written after that. */
  void end() throws IOException {
    if (filled > 0) {
      writeBlock();
    }
    output.writeInt(0);
    output.writeLong(total);
    output.writeInt(checksumOf(total));
    output.flush();
  }

  static int checksumOf(long value) {
    CRC32C checksum = new CRC32C();
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      checksum.update((int) (value >>> shift));
    }
    return (int) checksum.getValue();
  }
}
