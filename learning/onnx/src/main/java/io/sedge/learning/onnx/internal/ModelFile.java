package io.sedge.learning.onnx.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a model's file holds, outside of the heap: what is hashed is what is loaded, whatever
 * becomes of the file.
 */
public final class ModelFile implements AutoCloseable {
  /** More than devices have memory for: the runtime keeps a copy of its own. */
  static final long MOST_BYTES = 256L << 20;

  private final String name;
  private final Arena arena;
  private final ByteBuffer bytes;
  private final String sha256;

  private ModelFile(String name, Arena arena, ByteBuffer bytes) {
    this.name = name;
    this.arena = arena;
    this.bytes = bytes;
    this.sha256 = sha256(bytes.duplicate());
  }

  /**
   * Reads a file.
   *
   * @param model the model's name, for messages
   * @param name the file's, for messages
   * @throws ConnectorException of kind FILE if it cannot be read, of kind USER if it is too large
   */
  @SuppressWarnings("MustBeClosedChecker") // The arena is closed with the file.
  public static ModelFile read(String model, String name, Path path) {
    // Before it is opened: to open a pipe is to wait.
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new ConnectorException(
          Kind.FILE, "model %s: 'path': %s is no file".formatted(model, name));
    }
    Arena arena = Arena.ofShared();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      long size = channel.size();
      if (size > MOST_BYTES) {
        throw new ConnectorException(
            Kind.USER,
            "model %s: 'path': %s has %d bytes; a model may have %d"
                .formatted(model, name, size, MOST_BYTES));
      }
      ByteBuffer bytes = arena.allocate(Math.max(size, 1)).asByteBuffer().limit((int) size);
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
        // Until it is full, or the file is shorter than it was.
      }
      return new ModelFile(name, arena, bytes.flip());
    } catch (IOException e) {
      arena.close();
      throw new ConnectorException(
          Kind.FILE,
          "model %s: 'path': %s cannot be read (%s); is it on this device?"
              .formatted(model, name, e.getClass().getSimpleName()),
          e);
    } catch (ConnectorException e) {
      arena.close();
      throw e;
    }
  }

  private static String sha256(ByteBuffer bytes) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(bytes);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** As messages have it. */
  String name() {
    return name;
  }

  /** Of the content, 64 hexadecimal digits in lower case. */
  public String sha256() {
    return sha256;
  }

  /** The content, direct; of no use once this is closed. */
  ByteBuffer bytes() {
    return bytes.duplicate();
  }

  @Override
  public void close() {
    arena.close();
  }
}
