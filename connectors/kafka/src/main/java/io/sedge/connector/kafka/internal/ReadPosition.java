package io.sedge.connector.kafka.internal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.Uuid;

/**
 * How far a reader has come in each partition of its topics. Empty before the first look at the
 * broker.
 *
 * <pre>
 * 1 byte   {@value #VERSION}
 * 2 bytes  how many topics
 * each     its name in modified UTF-8, 16 bytes its id, 4 bytes how many partitions
 *   each   4 bytes its number, 8 bytes the next offset, 8 bytes the first that is not to be read
 * </pre>
 *
 * @param topics by name
 */
record ReadPosition(Map<String, Topic> topics) {
  static final ReadPosition NONE = new ReadPosition(Map.of());

  private static final int VERSION = 1;

  /**
   * A topic.
   *
   * @param id another one if the topic was deleted and made anew
   * @param partitions by number
   */
  record Topic(Uuid id, Map<Integer, Span> partitions) {
    Topic {
      partitions = Map.copyOf(partitions);
    }
  }

  /**
   * What is left of a partition.
   *
   * @param next the offset of the next record to be given
   * @param stop the first offset that is not to be read; {@link Long#MAX_VALUE} if there is none
   */
  record Span(long next, long stop) {
    static final Span WHOLE = new Span(0, Long.MAX_VALUE);
  }

  ReadPosition {
    topics = Map.copyOf(topics);
  }

  static ReadPosition parse(byte[] bytes) {
    if (bytes.length == 0) {
      return NONE;
    }
    try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = input.readByte();
      if (version != VERSION) {
        throw new IOException("position of version %d, not %d".formatted(version, VERSION));
      }
      Map<String, Topic> topics = new HashMap<>();
      for (int count = input.readUnsignedShort(); count > 0; count--) {
        topics.put(input.readUTF(), topic(input));
      }
      return new ReadPosition(topics);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Topic topic(DataInputStream input) throws IOException {
    Uuid id = new Uuid(input.readLong(), input.readLong());
    Map<Integer, Span> partitions = new HashMap<>();
    for (int left = input.readInt(); left > 0; left--) {
      partitions.put(input.readInt(), new Span(input.readLong(), input.readLong()));
    }
    return new Topic(id, partitions);
  }

  byte[] bytes() {
    if (topics.isEmpty()) {
      return new byte[0];
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream output = new DataOutputStream(bytes)) {
      output.writeByte(VERSION);
      output.writeShort(topics.size());
      for (Map.Entry<String, Topic> topic : new TreeMap<>(topics).entrySet()) {
        output.writeUTF(topic.getKey());
        output.writeLong(topic.getValue().id().getMostSignificantBits());
        output.writeLong(topic.getValue().id().getLeastSignificantBits());
        List<Integer> numbers = new ArrayList<>(topic.getValue().partitions().keySet());
        numbers.sort(null);
        output.writeInt(numbers.size());
        for (int number : numbers) {
          Span span = topic.getValue().partitions().getOrDefault(number, Span.WHOLE);
          output.writeInt(number);
          output.writeLong(span.next());
          output.writeLong(span.stop());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
