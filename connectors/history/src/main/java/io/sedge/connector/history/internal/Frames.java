package io.sedge.connector.history.internal;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads a journal frame by frame, up to its end or to what is torn or damaged.
 *
 * <pre>
 *   kind  content
 *   1     HEAD       version (4), store (8), mark before (8), stamp floor in ms (8), age in ms (8),
 *                   bytes (8), time column (4), columns; the first
 *   2     ROWS       when they came, in ms (8), count (4), columns of values (BatchCodec)
 *   3     MARK       mark (8): the rows up to here are of the commit with that number, or earlier
 *   4     COMMITTED  mark (8): that commit is known to be durable
 * </pre>
 */
final class Frames implements AutoCloseable {
  static final int VERSION = 1;
  static final byte HEAD = 1;
  static final byte ROWS = 2;
  static final byte MARK = 3;
  static final byte COMMITTED = 4;

  /** A batch is a few thousand rows; what claims to be larger than this is damaged. */
  private static final int MAX_FRAME_BYTES = 1 << 28;

  /** A head is a few hundred bytes; what claims to be larger than this is damaged. */
  private static final int MAX_HEAD_BYTES = 1 << 20;

  private final Path file;
  private final FileChannel channel;
  private final ByteBuffer head = ByteBuffer.allocate(FrameBuffer.HEAD_BYTES);
  private ByteBuffer content = ByteBuffer.allocate(1 << 12);
  private long position;

  Frames(Path file) throws IOException {
    this.file = file;
    this.channel = FileChannel.open(file, StandardOpenOption.READ);
  }

  /** What is in a journal cannot be told any more. */
  static final class DamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedException(Path file) {
      super("%s is damaged; move it away to read the others (it has no head)".formatted(file));
    }
  }

  /**
   * A frame; its content is valid until the next is read.
   *
   * @param end where it ends in the file
   */
  record Frame(byte kind, ByteBuffer content, long end) {
    long mark() {
      return content.getLong(content.position());
    }
  }

  /**
   * What a journal begins with.
   *
   * @param store the store's name among all stores of all devices
   * @param markBefore the last mark before it
   * @param stampMs no segment made of it is stamped with less: clocks go back, stamps do not
   * @param ageMs for how long the table's readings are kept
   * @param bytes what they may take
   */
  record Head(long store, long markBefore, long stampMs, long ageMs, long bytes, Shape shape) {
    void write(FrameBuffer out) throws IOException {
      out.begin(HEAD);
      out.putInt(VERSION);
      out.putLong(store);
      out.putLong(markBefore);
      out.putLong(stampMs);
      out.putLong(ageMs);
      out.putLong(bytes);
      shape.write(new DataOutputStream(out));
      out.end();
    }

    static Head read(Frame frame) throws IOException {
      ByteBuffer bytes = frame.content();
      DataInputStream in =
          new DataInputStream(
              new ByteArrayInputStream(
                  bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining()));
      int version = in.readInt();
      if (version != VERSION) {
        throw new IOException("version %d, this reads version %d".formatted(version, VERSION));
      }
      return new Head(
          in.readLong(),
          in.readLong(),
          in.readLong(),
          in.readLong(),
          in.readLong(),
          Shape.read(in));
    }
  }

  /** The next frame; null at the end, and where the rest is torn or damaged. */
  @Nullable Frame next() throws IOException {
    head.clear();
    if (!fill(head)) {
      return null;
    }
    int length = head.getInt(0);
    if (length < 1 || length > MAX_FRAME_BYTES || position + head.limit() + length > size()) {
      return null;
    }
    if (content.capacity() < length) {
      content = ByteBuffer.allocate(Math.max(length, Math.min(content.capacity() * 2, 1 << 20)));
    }
    content.clear().limit(length);
    position += head.limit();
    if (!fill(content)) {
      position -= head.limit();
      return null;
    }
    CRC32C sum = new CRC32C();
    sum.update(content.array(), 0, length);
    if ((int) sum.getValue() != head.getInt(4)) {
      position -= head.limit();
      return null;
    }
    position += length;
    content.flip();
    byte kind = content.get();
    return new Frame(kind, content, position);
  }

  /**
   * The frames' first, which says what is in the others.
   *
   * @throws EOFException if the file ends before its head does: it is being begun, or was when a
   *     crash came
   * @throws DamagedException if what is there is no head
   */
  Head head() throws IOException {
    Frame first = next();
    if (first == null && isTorn()) {
      throw new EOFException("%s has no head yet".formatted(file));
    }
    if (first == null || first.kind() != HEAD) {
      throw new DamagedException(file);
    }
    return Head.read(first);
  }

  /** Whether the file is shorter than the first frame says that it is itself. */
  private boolean isTorn() throws IOException {
    if (head.hasRemaining()) {
      return true;
    }
    int length = head.getInt(0);
    return length > 0 && length <= MAX_HEAD_BYTES && size() < head.limit() + length;
  }

  /** Where what was read ends. */
  long position() {
    return position;
  }

  /** Reads on from where a frame begins. */
  void rewind(long to) {
    position = to;
  }

  private long size() throws IOException {
    return channel.size();
  }

  private boolean fill(ByteBuffer into) throws IOException {
    long at = position;
    while (into.hasRemaining()) {
      int read = channel.read(into, at + into.position());
      if (read < 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
