package io.sedge.uplink;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.UUID;

/** Bytes of messages. What is read costs no more memory than it is long. */
final class Wire {
  private Wire() {}

  interface Writing {
    void write(DataOutputStream output) throws IOException;
  }

  interface Reading<T> {
    T read(DataInputStream input) throws IOException;
  }

  static byte[] write(Writing message) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      message.write(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new IllegalArgumentException("a text of more than 65,535 bytes", e);
    }
    return bytes.toByteArray();
  }

  static <T> T read(byte[] bytes, Reading<T> reading) throws UplinkException {
    DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes));
    try {
      T message = reading.read(input);
      if (input.available() > 0) {
        throw new IOException("%d bytes too many".formatted(input.available()));
      }
      return message;
    } catch (IOException | IllegalArgumentException e) {
      throw new UplinkException(
          UplinkException.Reason.MALFORMED, "a message that cannot be read: " + e.getMessage(), e);
    }
  }

  /** What this version does not know the form of is not guessed at. */
  static void checkVersion(DataInputStream input, int known) throws IOException {
    int version = input.readUnsignedByte();
    if (version != known) {
      throw new IOException("version %d; this is version %d".formatted(version, known));
    }
  }

  static void writeId(DataOutputStream output, UUID id) throws IOException {
    output.writeLong(id.getMostSignificantBits());
    output.writeLong(id.getLeastSignificantBits());
  }

  static UUID readId(DataInputStream input) throws IOException {
    return new UUID(input.readLong(), input.readLong());
  }

  static void writeBytes(DataOutputStream output, byte[] bytes) throws IOException {
    output.writeInt(bytes.length);
    output.write(bytes);
  }

  static byte[] readBytes(DataInputStream input) throws IOException {
    int length = bounded(input.readInt(), input.available(), "bytes");
    return input.readNBytes(length);
  }

  /** A number that was read, 0 to {@code most}. */
  static int bounded(int value, int most, String what) throws IOException {
    if (value < 0 || value > most) {
      throw new EOFException("%s: %d where at most %d can be".formatted(what, value, most));
    }
    return value;
  }
}
