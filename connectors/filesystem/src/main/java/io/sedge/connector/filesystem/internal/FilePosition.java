package io.sedge.connector.filesystem.internal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * How far the files of a table have been read.
 *
 * <pre>
 * version 2: byte 2 | UTF passed | int files | files *
 *     (UTF name | UTF identity | long offset | long seen | boolean complete | int head | long hash)
 * </pre>
 *
 * @param passed the last file, in the order of names, of those read once that is done with, after
 *     an equals sign; {@code ""}: none is
 * @param files what is known of single files
 */
record FilePosition(String passed, List<Entry> files) {
  private static final byte VERSION = 2;

  /**
   * Where one file stands.
   *
   * @param offset of the next record
   * @param seenBytes the size at which it was looked through, or {@link KnownFile#DONE}
   * @param complete whether it was read to its end
   */
  record Entry(
      String name,
      String identity,
      long offset,
      long seenBytes,
      boolean complete,
      FileFingerprint fingerprint) {}

  byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream output = new DataOutputStream(bytes)) {
      output.writeByte(VERSION);
      output.writeUTF(passed);
      output.writeInt(files.size());
      for (Entry file : files) {
        output.writeUTF(file.name());
        output.writeUTF(file.identity());
        output.writeLong(file.offset());
        output.writeLong(file.seenBytes());
        output.writeBoolean(file.complete());
        output.writeInt(file.fingerprint().bytes());
        output.writeLong(file.fingerprint().hash());
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
      List<Entry> files = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        files.add(
            new Entry(
                input.readUTF(),
                input.readUTF(),
                input.readLong(),
                input.readLong(),
                input.readBoolean(),
                new FileFingerprint(input.readInt(), input.readLong())));
      }
      return new FilePosition(passed, files);
    } catch (IOException e) {
      throw new IllegalArgumentException("not a position of files", e);
    }
  }
}
