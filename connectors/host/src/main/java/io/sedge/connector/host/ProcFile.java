package io.sedge.connector.host;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * A small file that the kernel writes anew each time it is read from the start. It stays open, and
 * its text is taken apart in place: reading one costs a system call and no garbage. One thread.
 */
final class ProcFile implements AutoCloseable {
  /** Larger than any of these files gets on a machine with a thousand processors. */
  static final int MAX_BYTES = 1 << 20;

  private final Path path;
  private final FileChannel channel;
  private ByteBuffer buffer = ByteBuffer.allocateDirect(8192);
  private byte[] bytes = new byte[8192];
  private int position;
  private int limit;

  ProcFile(Path path) throws IOException {
    this.path = path;
    this.channel = FileChannel.open(path, StandardOpenOption.READ);
  }

  /** Reads it and goes to its first line. */
  void read() throws IOException {
    buffer.clear();
    while (channel.read(buffer, buffer.position()) >= 0) {
      if (!buffer.hasRemaining()) {
        if (buffer.capacity() >= MAX_BYTES) {
          throw new IOException("%s has more than %d bytes".formatted(path, MAX_BYTES));
        }
        buffer = ByteBuffer.allocateDirect(buffer.capacity() * 2).put(buffer.flip());
      }
    }
    limit = buffer.position();
    if (bytes.length < limit) {
      bytes = new byte[buffer.capacity()];
    }
    buffer.flip().get(bytes, 0, limit);
    position = 0;
  }

  boolean hasLine() {
    return position < limit;
  }

  void nextLine() {
    while (position < limit && bytes[position++] != '\n') {}
  }

  /** The next word of this line, which ends at a blank, a colon, a slash or the line's end. */
  String word() throws IOException {
    skipBlanks();
    int begin = position;
    while (position < limit && !isEnd(bytes[position])) {
      position++;
    }
    if (begin == position) {
      throw new EOFException("%s has a line with too few words".formatted(path));
    }
    return new String(bytes, begin, position - begin, StandardCharsets.UTF_8);
  }

  /** Whether this line has another word. */
  boolean hasWord() {
    skipBlanks();
    return position < limit && bytes[position] != '\n';
  }

  /** Passes over some words of this line. */
  void skip(int words) throws IOException {
    for (int i = 0; i < words; i++) {
      word();
    }
  }

  /** The next word of this line as a number. */
  double number() throws IOException {
    if (!hasWord()) {
      throw new EOFException("%s has a line with too few numbers".formatted(path));
    }
    int begin = position;
    double value = 0;
    while (position < limit && bytes[position] >= '0' && bytes[position] <= '9') {
      value = value * 10 + (bytes[position++] - '0');
    }
    if (position == limit || isEnd(bytes[position])) {
      return value;
    }
    position = begin;
    String word = word();
    try {
      return Double.parseDouble(word);
    } catch (NumberFormatException e) {
      throw new IOException("%s has '%s' where a number stands".formatted(path, word), e);
    }
  }

  /** The next numbers of this line. */
  void numbers(double[] values) throws IOException {
    Arrays.fill(values, 0);
    for (int i = 0; i < values.length && hasWord(); i++) {
      values[i] = number();
    }
  }

  private void skipBlanks() {
    while (position < limit && bytes[position] != '\n' && isEnd(bytes[position])) {
      position++;
    }
  }

  private static boolean isEnd(byte b) {
    return b == ' ' || b == '\t' || b == '\n' || b == ':' || b == '/';
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
