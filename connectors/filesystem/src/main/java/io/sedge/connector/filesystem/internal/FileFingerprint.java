package io.sedge.connector.filesystem.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * What a file's content, unpacked, begins with: by it a file is known again that has another name,
 * or was packed, and told from another that took over its number in the file system.
 *
 * @param bytes how many of them, at most {@link #MAX_BYTES}
 */
record FileFingerprint(int bytes, long hash) {
  /** More than a CSV header and a line, as a rule. */
  static final int MAX_BYTES = 1 << 10;

  /** Nothing is known of the content. */
  static final FileFingerprint NONE = new FileFingerprint(0, 0);

  static FileFingerprint of(byte[] content, int length) {
    return length == 0 ? NONE : new FileFingerprint(length, hash(content, length));
  }

  /** A hash of 64 bits; against accidents, not against enemies. */
  static long hash(byte[] content, int length) {
    CRC32 high = new CRC32();
    CRC32C low = new CRC32C();
    high.update(content, 0, length);
    low.update(content, 0, length);
    return high.getValue() << 32 | low.getValue();
  }

  /** The first {@link #MAX_BYTES} bytes of a file's content. */
  static byte[] read(Path path) throws IOException {
    try (InputStream content = FileContent.open(path).stream()) {
      return content.readNBytes(MAX_BYTES);
    }
  }

  /** Whether a content that begins with these bytes begins with this. */
  boolean isIn(byte[] content) {
    return content.length >= bytes && of(content, bytes).equals(this);
  }
}
