package io.sedge.connector.filesystem.internal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How far the files of a table have been read.
 *
 * <pre>
 * version 1: byte 1 | UTF passed | int files | files * (UTF name | UTF identity | long offset)
 * </pre>
 *
 * @param passed the last file, in the order of names, of those read once that is done with, after
 *     an equals sign; {@code ""}: none is
 * @param files what is known of single files, by name
 */
record FilePosition(String passed, Map<String, Entry> files) {
  private static final byte VERSION = 1;

  /** The offset of a file that is done with. */
  static final long DONE = -1;

  /**
   * Where one file stands.
   *
   * @param offset of the next record, or {@link #DONE}
   */
  record Entry(String identity, long offset) {}

  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream output = new DataOutputStream(bytes)) {
      output.writeByte(VERSION);
      output.writeUTF(passed);
      output.writeInt(files.size());
      for (Map.Entry<String, Entry> file : files.entrySet()) {
        output.writeUTF(file.getKey());
        output.writeUTF(file.getValue().identity());
        output.writeLong(file.getValue().offset());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  static FilePosition of(byte[] bytes) {
    try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes))) {
      byte version = input.readByte();
      if (version != VERSION) {
        throw new IllegalArgumentException(
            "a position of version %d; known is %d".formatted(version, VERSION));
      }
      String passed = input.readUTF();
      int count = input.readInt();
      Map<String, Entry> files = LinkedHashMap.newLinkedHashMap(count);
      for (int i = 0; i < count; i++) {
        files.put(input.readUTF(), new Entry(input.readUTF(), input.readLong()));
      }
      return new FilePosition(passed, files);
    } catch (IOException e) {
      throw new IllegalArgumentException("not a position of files", e);
    }
  }
}
