package io.sedge.connector.filesystem.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * A part of a table's files, in the order of their names: from an offset in one to an offset in the
 * same or a later one, at which records begin.
 *
 * @param first the name of the file in which it begins
 * @param from the offset in it
 * @param last the name of the file in which it ends
 * @param to the offset in that; {@link #END} for all of it
 * @param fingerprint of the names, sizes and times of these files when they were cut
 */
record FileRange(String first, long from, String last, long to, long fingerprint) {
  static final long END = -1;

  private static final int FIELDS = 5;

  /** As text: the fields with blanks between them, names as in URLs. */
  String text() {
    return "%d %d %x %s. %s."
        .formatted(
            from, to, fingerprint, URLEncoder.encode(first, UTF_8), URLEncoder.encode(last, UTF_8));
  }

  /**
   * @throws IllegalArgumentException if the text is another one
   */
  static FileRange of(String text) {
    String[] fields = text.split(" ", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("'%s' is no part of files".formatted(text));
    }
    return new FileRange(
        name(fields[3]),
        Long.parseLong(fields[0]),
        name(fields[4]),
        Long.parseLong(fields[1]),
        Long.parseUnsignedLong(fields[2], 16));
  }

  private static String name(String field) {
    return URLDecoder.decode(field.substring(0, field.length() - 1), UTF_8);
  }

  /** The names of its files. */
  NameRange names() {
    return new NameRange(first, last);
  }

  /** A hash of 64 bits; against accidents, not against enemies. */
  static long fingerprint(List<FoundFile> files) {
    CRC32 high = new CRC32();
    CRC32C low = new CRC32C();
    for (FoundFile file : files) {
      byte[] known =
          "%s\0%d\0%d\0"
              .formatted(file.name(), file.sizeBytes(), file.modifiedMs())
              .getBytes(UTF_8);
      high.update(known);
      low.update(known);
    }
    return high.getValue() << Integer.SIZE | low.getValue();
  }
}
