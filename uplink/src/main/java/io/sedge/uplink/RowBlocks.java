package io.sedge.uplink;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * Blocks of a stream as they travel together, deflated (RFC 1950): each
 *
 * <pre>
 *   first sequence 8 | rows 4 | length 4 | bytes
 * </pre>
 *
 * until the end. Sequences ascend.
 */
public final class RowBlocks {
  private RowBlocks() {}

  /** Deflates blocks, {@link Uplink#MAX_ROWS_BYTES} of them at most. */
  public static byte[] write(List<RowBlock> blocks) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try (DataOutputStream output =
        new DataOutputStream(new DeflaterOutputStream(bytes, deflater))) {
      for (RowBlock block : blocks) {
        output.writeLong(block.first());
        output.writeInt(block.rows());
        Wire.writeBytes(output, block.bytes());
      }
    } catch (IOException e) {
      throw new IllegalStateException("nothing fails in memory", e);
    } finally {
      deflater.end();
    }
    return bytes.toByteArray();
  }

  /**
   * Reads blocks.
   *
   * @throws UplinkException MALFORMED; TOO_LARGE
   */
  public static List<RowBlock> read(byte[] body) throws UplinkException {
    byte[] inflated = inflate(body);
    return Wire.read(inflated, RowBlocks::read);
  }

  private static byte[] inflate(byte[] body) throws UplinkException {
    try (InflaterInputStream input = new InflaterInputStream(new ByteArrayInputStream(body))) {
      byte[] inflated = input.readNBytes(Uplink.MAX_ROWS_BYTES + 1);
      if (inflated.length > Uplink.MAX_ROWS_BYTES) {
        throw new UplinkException(
            UplinkException.Reason.TOO_LARGE,
            "rows of more than %,d bytes in one request".formatted(Uplink.MAX_ROWS_BYTES));
      }
      return inflated;
    } catch (IOException e) {
      throw new UplinkException(
          UplinkException.Reason.MALFORMED, "rows that cannot be inflated: " + e.getMessage(), e);
    }
  }

  private static List<RowBlock> read(DataInputStream input) throws IOException {
    List<RowBlock> blocks = new ArrayList<>();
    long after = 0;
    while (input.available() > 0) {
      RowBlock block = new RowBlock(input.readLong(), input.readInt(), Wire.readBytes(input));
      if (block.first() <= after || block.last() < block.first()) {
        throw new IOException("sequence %d after %d".formatted(block.first(), after));
      }
      after = block.last();
      blocks.add(block);
      if (blocks.size() > Uplink.MAX_BLOCKS) {
        throw new IOException("more than %d blocks".formatted(Uplink.MAX_BLOCKS));
      }
    }
    return blocks;
  }
}
