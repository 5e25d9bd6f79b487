package io.sedge.connector.history.internal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A journal that is written. One thread, but for {@link #force}. */
final class Journal implements AutoCloseable {
  private final long number;
  private final Path file;
  private final FileChannel channel;
  private final Disk disk;
  private long size;

  /** Where the last mark ends; what follows is of no commit yet. */
  private long markedSize;

  private Journal(long number, Path file, FileChannel channel, Disk disk, long size) {
    this.number = number;
    this.file = file;
    this.channel = channel;
    this.disk = disk;
    this.size = size;
    this.markedSize = size;
  }

  /** Begins a journal; its head is on the disk afterwards. */
  static Journal create(Path directory, long number, Frames.Head head, Disk disk)
      throws IOException {
    Path file = StoreFiles.journal(directory, number);
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    Journal journal = new Journal(number, file, channel, disk, 0);
    try {
      FrameBuffer buffer = new FrameBuffer();
      head.write(buffer);
      journal.write(buffer);
      journal.markedSize = journal.size;
      channel.force(true);
      StoreFiles.forceDirectory(directory);
      return journal;
    } catch (IOException e) {
      channel.close();
      Files.deleteIfExists(file);
      throw e;
    }
  }

  /** Goes on with one whose frames end, whole and marked, at {@code size}; the rest is cut off. */
  static Journal reopen(StoreFiles.Journal known, long size, Disk disk) throws IOException {
    FileChannel channel = FileChannel.open(known.file(), StandardOpenOption.WRITE);
    try {
      channel.truncate(size);
      return new Journal(known.number(), known.file(), channel, disk, size);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  long number() {
    return number;
  }

  Path file() {
    return file;
  }

  long size() {
    return size;
  }

  /** Appends what is in the buffer. */
  void write(FrameBuffer buffer) throws IOException {
    disk.write(channel, buffer.content(), size);
    size += buffer.size();
  }

  /** What was written ends with a mark. */
  void marked() {
    markedSize = size;
  }

  /** Takes back what was written since the last mark, and what a failed write has left. */
  void rollBack() throws IOException {
    size = markedSize;
    channel.truncate(size);
  }

  /** Brings what was written to the disk; any thread. */
  void force() throws IOException {
    disk.force(channel);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /**
   * What a journal has, up to what is torn or damaged.
   *
   * @param marks in their order
   * @param committed the greatest mark that is known to be committed; -1 if none is
   * @param end where what is whole ends
   */
  record Content(Frames.Head head, List<MarkAt> marks, long committed, long headEnd, long end) {
    /** The last mark in it, or that before it. */
    long lastMark() {
      return marks.isEmpty() ? head.markBefore() : marks.getLast().mark();
    }

    /** Where the rows of a commit end. */
    long endOf(long mark) {
      long position = headEnd;
      for (MarkAt at : marks) {
        if (at.mark() <= mark) {
          position = at.end();
        }
      }
      return position;
    }

    /** Whether it has rows up to a mark. */
    boolean hasRows(long mark) {
      return endOf(mark) > headEnd;
    }
  }

  /** A mark and where it ends, with what says that it is committed. */
  record MarkAt(long mark, long end) {}

  /**
   * Looks a journal through.
   *
   * @throws IOException if it cannot be read or has no head: a crash while it was begun
   */
  static Content scan(Path file) throws IOException {
    try (Frames frames = new Frames(file)) {
      return scan(frames);
    }
  }

  /** The same from frames of which none was read. */
  static Content scan(Frames frames) throws IOException {
    Frames.Head head = frames.head();
    long headEnd = frames.position();
    List<MarkAt> marks = new ArrayList<>();
    long committed = -1;
    boolean rowsSince = false;
    for (Frames.Frame frame = frames.next(); frame != null; frame = frames.next()) {
      switch (frame.kind()) {
        case Frames.ROWS -> rowsSince = true;
        case Frames.MARK -> {
          marks.add(new MarkAt(frame.mark(), frame.end()));
          rowsSince = false;
        }
        case Frames.COMMITTED -> {
          committed = Math.max(committed, frame.mark());
          if (!rowsSince && marks.isEmpty()) {
            headEnd = frame.end();
          } else if (!rowsSince) {
            marks.set(marks.size() - 1, new MarkAt(marks.getLast().mark(), frame.end()));
          }
        }
        default -> throw new IOException("a frame of kind %d".formatted(frame.kind()));
      }
    }
    return new Content(head, marks, committed, headEnd, frames.position());
  }

  /** The rows of a journal up to a mark. */
  static Rows rows(Path file, long mark) throws IOException {
    try (Frames frames = new Frames(file)) {
      return rows(frames, scan(frames), mark);
    }
  }

  /** The same where its content is known. */
  static Rows rows(Frames frames, Content content, long mark) throws IOException {
    long end = content.endOf(mark);
    frames.rewind(content.headEnd());
    Rows.Builder rows = new Rows.Builder(content.head().shape());
    while (frames.position() < end) {
      Frames.Frame frame = frames.next();
      if (frame == null) {
        break;
      }
      if (frame.kind() == Frames.ROWS) {
        rows.add(frame);
      }
    }
    return rows.build();
  }
}
