package io.sedge.site.internal.exchange;

import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.task.Progress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What one commit of a task gives to an exchange table: rows, and how far the stream has come with
 * them. As bytes: version (1), watermark (8), idle (1), then batches, each as its count of rows
 * (4), its length (4) and {@link RowsCodec}'s bytes.
 */
public record ExchangeBlock(Progress progress, List<Batch> batches) {
  private static final int VERSION = 1;

  public ExchangeBlock {
    batches = List.copyOf(batches);
  }

  /** As bytes. */
  public byte[] encode(RowsCodec codec) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream output = new DataOutputStream(bytes);
    try {
      output.writeByte(VERSION);
      output.writeLong(progress.watermark());
      output.writeBoolean(progress.idle());
      for (List<Batch> block : RowsCodec.blocks(batches)) {
        byte[] rows = codec.encode(block);
        output.writeInt(RowsCodec.rows(block));
        output.writeInt(rows.length);
        output.write(rows);
      }
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #encode} wrote for the same schema.
   *
   * @throws IllegalArgumentException if the bytes are others
   */
  public static ExchangeBlock decode(RowsCodec codec, byte[] bytes) {
    DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes));
    try {
      int version = input.readByte();
      if (version != VERSION) {
        throw new IllegalArgumentException(
            "a block of version %d, this is version %d".formatted(version, VERSION));
      }
      Progress progress = new Progress(input.readLong(), input.readBoolean());
      List<Batch> batches = new ArrayList<>();
      while (input.available() > 0) {
        int rows = input.readInt();
        byte[] encoded = input.readNBytes(input.readInt());
        batches.add(codec.decode(rows, encoded));
      }
      return new ExchangeBlock(progress, batches);
    } catch (IOException e) {
      throw new IllegalArgumentException("a block that does not end", e);
    }
  }
}
