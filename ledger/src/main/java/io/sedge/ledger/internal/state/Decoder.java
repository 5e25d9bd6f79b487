package io.sedge.ledger.internal.state;

import io.sedge.ledger.MalformedException;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads what an {@link Encoder} wrote. Whatever the bytes are: it never reserves more memory than
 * there are bytes, and throws nothing but {@link MalformedException} and what the stream throws.
 */
final class Decoder {
  private final DataInputStream input;
  private long remaining;

  /**
   * @param remaining how many bytes there are
   */
  Decoder(InputStream input, long remaining) {
    this.input = new DataInputStream(input);
    this.remaining = remaining;
  }

  Decoder(byte[] bytes) {
    this(new ByteArrayInputStream(bytes), bytes.length);
  }

  /** Something that reads itself. */
  interface Part<T> {
    T readFrom(Decoder decoder) throws IOException, MalformedException;
  }

  /** Reads all of some bytes; what the parts refuse by an argument is malformed too. */
  static <T> T of(byte[] bytes, Part<T> part) throws MalformedException {
    Decoder decoder = new Decoder(bytes);
    try {
      T read = part.readFrom(decoder);
      decoder.checkEnd();
      return read;
    } catch (IllegalArgumentException | IOException e) {
      throw new MalformedException(String.valueOf(e.getMessage()), e);
    }
  }

  private void take(long bytes, String what) throws MalformedException {
    if (bytes < 0 || bytes > remaining) {
      throw new MalformedException(
          "%s of %d bytes where %d are left".formatted(what, bytes, remaining));
    }
    remaining -= bytes;
  }

  void checkEnd() throws MalformedException {
    if (remaining != 0) {
      throw new MalformedException(remaining + " bytes too many");
    }
  }

  int readByte() throws IOException, MalformedException {
    take(1, "a byte");
    return input.readUnsignedByte();
  }

  boolean readBoolean() throws IOException, MalformedException {
    int value = readByte();
    if (value > 1) {
      throw new MalformedException("a truth value of " + value);
    }
    return value == 1;
  }

  int readInt() throws IOException, MalformedException {
    take(Integer.BYTES, "a number");
    return input.readInt();
  }

  long readLong() throws IOException, MalformedException {
    take(Long.BYTES, "a number");
    return input.readLong();
  }

  double readDouble() throws IOException, MalformedException {
    return Double.longBitsToDouble(readLong());
  }

  byte[] readBytes() throws IOException, MalformedException {
    int length = readInt();
    take(length, "an array");
    byte[] bytes = input.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException("an array of " + length + " bytes ends after " + bytes.length);
    }
    return bytes;
  }

  String readText() throws IOException, MalformedException {
    byte[] bytes = readBytes();
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedException("a text that is not UTF-8", e);
    }
  }

  /**
   * A count of things.
   *
   * @param minBytes of each
   * @param max how many are allowed
   */
  int readCount(int minBytes, int max) throws IOException, MalformedException {
    int count = readInt();
    if (count < 0 || count > max || (long) count * minBytes > remaining) {
      throw new MalformedException(
          "a count of %d where %d are allowed and %d bytes are left"
              .formatted(count, max, remaining));
    }
    return count;
  }

  Map<String, String> readTexts(int max) throws IOException, MalformedException {
    return readMap(max, Decoder::readText);
  }

  Map<String, Double> readDoubles(int max) throws IOException, MalformedException {
    return readMap(max, Decoder::readDouble);
  }

  Map<String, byte[]> readArrays(int max) throws IOException, MalformedException {
    return readMap(max, Decoder::readBytes);
  }

  <T> Map<String, T> readMap(int max, Part<T> value) throws IOException, MalformedException {
    int count = readCount(2 * Integer.BYTES, max);
    Map<String, T> map = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      String name = readText();
      if (map.put(name, value.readFrom(this)) != null) {
        throw new MalformedException(name + " stands there twice");
      }
    }
    return map;
  }
}
