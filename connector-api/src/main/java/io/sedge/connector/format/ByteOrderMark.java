package io.sedge.connector.format;

/**
 * The mark that some programs put before text in UTF-8. Who reads a file or a body of text as a
 * whole passes over it; amid text it is a character like others. Stateless.
 */
public final class ByteOrderMark {
  private static final byte[] UTF_8 = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private ByteOrderMark() {}

  /** The index after the mark if text begins with one, else {@code from}. */
  public static int skip(byte[] bytes, int from, int to) {
    boolean marked =
        to - from >= UTF_8.length
            && bytes[from] == UTF_8[0]
            && bytes[from + 1] == UTF_8[1]
            && bytes[from + 2] == UTF_8[2];
    return marked ? from + UTF_8.length : from;
  }
}
