package io.sedge.connector.filesystem.internal;

import io.sedge.connector.Part;
import io.sedge.connector.PartSizes;
import io.sedge.connector.format.RecordSplitter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts files into parts of about the wanted sizes. A file is cut where a record begins: after any
 * line end if every line end ends a record, so that only a few bytes around the cut are read; else
 * the file is read to the cut, since only from the start is it known which line ends stand between
 * quotes. A packed file is not cut. Used once, by one thread.
 */
final class FileCutter {
  private static final int BUFFER_BYTES = 1 << 16;

  private final List<FoundFile> files;
  private final RecordSplitter splitter;
  private final PartSizes sizes;
  private final List<Part> parts = new ArrayList<>();
  private final long total;
  private long left;

  /** Where the next part begins. */
  private int firstFile;

  private long from;

  /**
   * @param files in the order in which they are read
   */
  FileCutter(List<FoundFile> files, RecordSplitter splitter, PartSizes sizes) {
    this.files = List.copyOf(files);
    this.splitter = splitter;
    this.sizes = sizes;
    this.total = files.stream().mapToLong(FoundFile::sizeBytes).sum();
    this.left = total;
  }

  /** The parts. */
  List<Part> cut() throws IOException {
    long wanted = sizes.next(total, left);
    for (int i = 0; i < files.size(); i++) {
      try (Cuts cuts = new Cuts(files.get(i))) {
        long size = files.get(i).sizeBytes();
        long begin = 0; // Of what in this file is in no part yet.
        while (begin < size) {
          if (wanted >= size - begin) {
            wanted -= size - begin;
            break;
          }
          long end = cuts.after(begin + Math.max(1, wanted));
          if (end >= size) {
            wanted = 0;
            break;
          }
          wanted = add(i, end);
          begin = end;
        }
      }
      boolean goesOn = i + 1 < files.size();
      if (goesOn && wanted <= 0 && isAnythingUpTo(i)) {
        wanted = add(i, FileRange.END);
      }
    }
    if (files.isEmpty()) {
      FileRange nothing = new FileRange("", 0, "", FileRange.END, FileRange.fingerprint(files));
      parts.add(new Part(name(), nothing.text(), 0));
    } else if (left > 0 || parts.isEmpty()) {
      add(files.size() - 1, FileRange.END);
    }
    return List.copyOf(parts);
  }

  private boolean isAnythingUpTo(int lastFile) {
    return firstFile <= lastFile && bytesTo(lastFile, FileRange.END) > 0;
  }

  private long bytesTo(int lastFile, long to) {
    long bytes = -from;
    for (int i = firstFile; i < lastFile; i++) {
      bytes += files.get(i).sizeBytes();
    }
    return bytes + (to == FileRange.END ? files.get(lastFile).sizeBytes() : to);
  }

  /** Ends a part; the size that the next one is to have. */
  private long add(int lastFile, long to) {
    long bytes = bytesTo(lastFile, to);
    List<FoundFile> its = files.subList(firstFile, lastFile + 1);
    FileRange range =
        new FileRange(
            its.getFirst().name(), from, its.getLast().name(), to, FileRange.fingerprint(its));
    parts.add(new Part(name(), range.text(), bytes));
    left -= bytes;
    firstFile = to == FileRange.END ? lastFile + 1 : lastFile;
    from = to == FileRange.END ? 0 : to;
    return sizes.next(total, left);
  }

  private String name() {
    return "%04d".formatted(parts.size() + 1);
  }

  /** The places in a file at which records begin. */
  private final class Cuts implements AutoCloseable {
    private final FoundFile file;
    private @Nullable FileChannel channel;
    private @Nullable RecordFile records;

    Cuts(FoundFile file) {
      this.file = file;
    }

    /** The first at or after an offset; the file's size if there is none. */
    long after(long offset) throws IOException {
      RecordFile open = records;
      if (open == null) {
        open = RecordFile.open(file, splitter);
        records = open;
      }
      if (open.isCompressed()) {
        return file.sizeBytes();
      }
      return splitter.isByLine() ? afterLineEnd(offset) : afterRecord(open, offset);
    }

    private long afterRecord(RecordFile open, long offset) throws IOException {
      while (open.offset() < offset) {
        if (open.next(false) != RecordFile.Found.RECORD) {
          return file.sizeBytes();
        }
      }
      return open.offset();
    }

    private long afterLineEnd(long offset) throws IOException {
      FileChannel open = channel;
      if (open == null) {
        open = FileChannel.open(file.path(), StandardOpenOption.READ);
        channel = open;
      }
      ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
      long at = offset - 1;
      while (open.read(buffer.clear(), at) > 0) {
        buffer.flip();
        while (buffer.hasRemaining()) {
          at++;
          if (buffer.get() == '\n') {
            return at;
          }
        }
      }
      return file.sizeBytes();
    }

    @Override
    public void close() throws IOException {
      try (FileChannel _ = channel;
          RecordFile _ = records) {
        channel = null;
      }
    }
  }
}
