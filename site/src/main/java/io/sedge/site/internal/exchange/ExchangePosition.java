package io.sedge.site.internal.exchange;

import io.sedge.site.Progress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How far an exchange table is read.
 *
 * @param sequence of the last block that was read whole; 0 for none
 * @param batches how many of the block after it have been read
 * @param producers how far each task that writes the table had come in what was read
 */
record ExchangePosition(long sequence, int batches, SortedMap<String, Progress> producers) {
  private static final int VERSION = 1;

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream output = new DataOutputStream(bytes);
    try {
      output.writeByte(VERSION);
      output.writeLong(sequence);
      output.writeInt(batches);
      output.writeInt(producers.size());
      for (Map.Entry<String, Progress> producer : producers.entrySet()) {
        output.writeUTF(producer.getKey());
        output.writeLong(producer.getValue().watermark());
        output.writeBoolean(producer.getValue().idle());
      }
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  /**
   * @throws IllegalArgumentException if the bytes are others
   */
  static ExchangePosition decode(byte[] bytes) {
    DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes));
    try {
      int version = input.readByte();
      if (version != VERSION) {
        throw new IllegalArgumentException(
            "a position of version %d, this is version %d".formatted(version, VERSION));
      }
      long sequence = input.readLong();
      int batches = input.readInt();
      SortedMap<String, Progress> producers = new TreeMap<>();
      for (int left = input.readInt(); left > 0; left--) {
        producers.put(input.readUTF(), new Progress(input.readLong(), input.readBoolean()));
      }
      return new ExchangePosition(sequence, batches, producers);
    } catch (IOException e) {
      throw new IllegalArgumentException("a position that does not end", e);
    }
  }
}
