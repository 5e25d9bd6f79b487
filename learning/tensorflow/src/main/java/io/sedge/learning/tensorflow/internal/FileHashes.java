package io.sedge.learning.tensorflow.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The hash of a model: that of a list with a line for each file, sorted by name, of its SHA-256,
 * two spaces and its name. {@code sha256sum} writes such lines. So a directory and its archive have
 * one hash. One thread.
 */
final class FileHashes {
  private final Map<String, String> hashes = new TreeMap<>();

  /** Reads a file, or its beginning. */
  @FunctionalInterface
  interface Reading {
    void read(InputStream content) throws IOException;
  }

  /** Adds a file, which is read to its end. */
  void add(String file, InputStream content, Reading reading) throws IOException {
    Hashed input = new Hashed(content);
    reading.read(input);
    input.transferTo(OutputStream.nullOutputStream());
    hashes.put(file, HexFormat.of().formatHex(input.digest.digest()));
  }

  /** Names, sorted. */
  Set<String> files() {
    return hashes.keySet();
  }

  /**
   * Of the list, 64 hexadecimal digits in lower case.
   *
   * @param prefix what all names begin with that are in the list without it
   */
  String sha256(String prefix) {
    MessageDigest digest = sha256Digest();
    hashes.forEach(
        (file, hash) ->
            digest.update(
                "%s  %s\n"
                    .formatted(hash, file.substring(prefix.length()))
                    .getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().formatHex(digest.digest());
  }

  /** What is skipped counts too, other than in the JDK's stream of this kind. */
  private static final class Hashed extends InputStream {
    private final InputStream source;
    private final MessageDigest digest = sha256Digest();

    Hashed(InputStream source) {
      this.source = source;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = source.read(bytes, offset, length);
      if (count > 0) {
        digest.update(bytes, offset, count);
      }
      return count;
    }
  }

  private static MessageDigest sha256Digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
