package io.sedge.connector.filesystem.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The names of partitions' directories, as Flink's {@code PartitionPathUtils} writes and reads
 * them: control characters and those with a meaning of their own are {@code %} and two hexadecimal
 * digits.
 */
final class PartitionName {
  /** File systems take no longer names. */
  static final int MAX_BYTES = 255;

  private static final String ESCAPED = "\"#%'*/:=?\\\u007F{[]}^";

  private PartitionName() {}

  static String escape(String value) {
    StringBuilder name = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' || ESCAPED.indexOf(c) >= 0) {
        name.append("%%%02X".formatted((int) c));
      } else {
        name.append(c);
      }
    }
    return name.toString();
  }

  /** What is not an escape stands for itself. */
  static String unescape(String name) {
    StringBuilder value = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean escape = c == '%' && i + 2 < name.length();
      int high = escape ? Character.digit(name.charAt(i + 1), 16) : -1;
      int low = escape ? Character.digit(name.charAt(i + 2), 16) : -1;
      if (high >= 0 && low >= 0) {
        value.append((char) (high * 16 + low));
        i += 2;
      } else {
        value.append(c);
      }
    }
    return value.toString();
  }

  /**
   * A name that a file system takes: the end of one that is too long becomes {@code ~} and a hash.
   */
  static String fitted(String name) {
    byte[] bytes = name.getBytes(UTF_8);
    if (bytes.length <= MAX_BYTES) {
      return name;
    }
    String end = "~%016x".formatted(FileFingerprint.hash(bytes, bytes.length));
    int kept = MAX_BYTES - end.length();
    while (bytes[kept] >> 6 == -2) {
      kept--; // Not in the middle of a character.
    }
    return new String(bytes, 0, kept, UTF_8) + end;
  }
}
