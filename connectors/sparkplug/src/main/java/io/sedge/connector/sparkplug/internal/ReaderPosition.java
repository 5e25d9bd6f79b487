package io.sedge.connector.sparkplug.internal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How far a reader has come. Aliases are not kept: they are many, and a rebirth tells them.
 *
 * <pre>
 * 1 byte   version
 * 8 bytes  until when all was read that came, microseconds; {@link Payloads#NO_TIME} for never
 * 4 bytes  the number of edge nodes
 * each     the descriptor of one that is alive, modified UTF-8
 * </pre>
 *
 * @param nodes some of them, if they are very many; the others are asked when they say something
 */
record ReaderPosition(long micros, List<String> nodes) {
  static final ReaderPosition NONE = new ReaderPosition(Payloads.NO_TIME, List.of());

  private static final int VERSION = 1;

  /** A position is written with each commit. */
  private static final int MAX_CHARACTERS = 8_192;

  ReaderPosition {
    List<String> fitting = new ArrayList<>();
    int characters = 0;
    for (String node : nodes) {
      characters += node.length();
      if (characters <= MAX_CHARACTERS) {
        fitting.add(node);
      }
    }
    nodes = List.copyOf(fitting);
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if it is none
   */
  static ReaderPosition parse(byte[] bytes) {
    try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes))) {
      if (input.readByte() != VERSION) {
        throw new IllegalArgumentException(
            "a position of %d bytes is not one of the sparkplug connector".formatted(bytes.length));
      }
      long micros = input.readLong();
      int count = input.readInt();
      List<String> nodes = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        nodes.add(input.readUTF());
      }
      return new ReaderPosition(micros, nodes);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "a position of %d bytes is not one of the sparkplug connector".formatted(bytes.length),
          e);
    }
  }

  byte[] bytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream output = new DataOutputStream(bytes)) {
      output.writeByte(VERSION);
      output.writeLong(micros);
      output.writeInt(nodes.size());
      for (String node : nodes) {
        output.writeUTF(node);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
