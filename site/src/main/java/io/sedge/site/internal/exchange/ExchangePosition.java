package io.sedge.site.internal.exchange;

import io.sedge.task.Progress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How far an exchange table is read. As bytes: version (1), seen (8), the shard of the block in
 * hand, how many batches of that (4), count of shards (4), then each as its name, watermark (8),
 * idle (1) and taken (8). Version 1, of readers that took blocks in the ledger's order alone, is
 * read too.
 *
 * @param seen sequence up to which all blocks are known
 * @param inHand shard of which a block is read in part; empty if there is none, or if it is the
 *     first that comes, as of version 1
 * @param batches how many of that block have been read
 * @param lanes what is read of each task that writes the table
 */
record ExchangePosition(long seen, String inHand, int batches, SortedMap<String, Lane> lanes) {
  private static final int VERSION = 2;
  private static final int IN_ORDER = 1;

  /**
   * What is read of one task.
   *
   * @param progress how far it had come in that
   * @param taken sequence up to which its blocks are read whole
   */
  record Lane(Progress progress, long taken) {}

  /** Sequence up to which the blocks of all tasks are read whole. */
  long sequence() {
    long least = seen;
    for (Lane lane : lanes.values()) {
      least = Math.min(least, lane.taken());
    }
    return least;
  }

  /** Sequence up to which the blocks of a task are read whole. */
  long taken(String shard) {
    Lane lane = lanes.get(shard);
    return lane == null ? seen : lane.taken();
  }

  /** How far a task had come in what was read of it. */
  Progress progress(String shard) {
    Lane lane = lanes.get(shard);
    return lane == null ? Progress.NONE : lane.progress();
  }

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream output = new DataOutputStream(bytes);
    try {
      output.writeByte(VERSION);
      output.writeLong(seen);
      output.writeUTF(inHand);
      output.writeInt(batches);
      output.writeInt(lanes.size());
      for (Map.Entry<String, Lane> lane : lanes.entrySet()) {
        output.writeUTF(lane.getKey());
        writeProgress(lane.getValue().progress(), output);
        output.writeLong(lane.getValue().taken());
      }
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  private static void writeProgress(Progress progress, DataOutputStream output) throws IOException {
    output.writeLong(progress.watermark());
    output.writeBoolean(progress.idle());
  }

  /**
   * @throws IllegalArgumentException if the bytes are others
   */
  static ExchangePosition decode(byte[] bytes) {
    DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes));
    try {
      int version = input.readByte();
      if (version != VERSION && version != IN_ORDER) {
        throw new IllegalArgumentException(
            "a position of version %d, this is version %d".formatted(version, VERSION));
      }
      long seen = input.readLong();
      String inHand = version == IN_ORDER ? "" : input.readUTF();
      int batches = input.readInt();
      SortedMap<String, Lane> lanes = new TreeMap<>();
      for (int left = input.readInt(); left > 0; left--) {
        String shard = input.readUTF();
        Progress progress = new Progress(input.readLong(), input.readBoolean());
        lanes.put(shard, new Lane(progress, version == IN_ORDER ? seen : input.readLong()));
      }
      return new ExchangePosition(seen, inHand, batches, lanes);
    } catch (IOException e) {
      throw new IllegalArgumentException("a position that does not end", e);
    }
  }
}
