package io.sedge.identity.message;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A value as JSON behind its length, four bytes, most significant first. A frame that says that it
 * is longer than allowed is refused before anything is kept of it; nothing is allocated for bytes
 * that have not come.
 */
public final class Frames {
  private static final int CHUNK = 8_192;

  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final DataInputStream input;
  private final DataOutputStream output;
  private final int maxBytes;

  /**
   * @param maxBytes of a frame, in either direction
   */
  public Frames(InputStream input, OutputStream output, int maxBytes) {
    this.input = new DataInputStream(input);
    this.output = new DataOutputStream(output);
    this.maxBytes = maxBytes;
  }

  /** What came is no frame, or not one that is allowed. */
  public static final class MalformedFrameException extends IOException {
    private static final long serialVersionUID = 1;

    MalformedFrameException(String message) {
      super(message);
    }

    MalformedFrameException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Writes a value.
   *
   * @throws MalformedFrameException if it is too long; nothing was written
   */
  public void write(Object value) throws IOException {
    byte[] bytes = JSON.writeValueAsBytes(value);
    if (bytes.length > maxBytes) {
      throw new MalformedFrameException(
          "%,d bytes to send, at most %,d are allowed".formatted(bytes.length, maxBytes));
    }
    byte[] frame = new byte[Integer.BYTES + bytes.length];
    java.nio.ByteBuffer.wrap(frame).putInt(bytes.length).put(bytes);
    output.write(frame);
    output.flush();
  }

  /**
   * Reads a value.
   *
   * @throws EOFException if there is none any more
   */
  public <T> T read(Class<T> type) throws IOException {
    int length = input.readInt();
    if (length < 1 || length > maxBytes) {
      throw new MalformedFrameException(
          "a frame of %,d bytes, allowed are 1 to %,d".formatted(length, maxBytes));
    }
    byte[] bytes = readExactly(length);
    try {
      T value = JSON.readValue(bytes, type);
      if (value == null) {
        throw new MalformedFrameException("a frame that holds nothing");
      }
      return value;
    } catch (JsonProcessingException e) {
      throw new MalformedFrameException(
          "a frame that is no " + type.getSimpleName() + ": " + e.getOriginalMessage(), e);
    }
  }

  /** A value as a part of another one. */
  public static JsonNode tree(Object value) {
    return JSON.valueToTree(value);
  }

  /** What {@link #tree} was made of. */
  public static <T> T value(JsonNode tree, Class<T> type) throws IOException {
    return JSON.treeToValue(tree, type);
  }

  private byte[] readExactly(int length) throws IOException {
    byte[] bytes = new byte[Math.min(length, CHUNK)];
    int read = 0;
    while (read < length) {
      if (read == bytes.length) {
        bytes = java.util.Arrays.copyOf(bytes, (int) Math.min(length, bytes.length * 2L));
      }
      int count = input.read(bytes, read, bytes.length - read);
      if (count < 0) {
        throw new IOException("the other side ended in the middle of a frame");
      }
      read += count;
    }
    return bytes;
  }
}
