package io.sedge.connector.filesystem.internal;

import io.sedge.connector.format.ByteOrderMark;
import io.sedge.connector.format.RecordSplitter;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A file that is open, and the records in it. Offsets count bytes of the content, so of a packed
 * file those that it holds unpacked. One thread.
 */
final class RecordFile implements AutoCloseable {
  /** A record is no longer than this; what is longer is given in pieces of one line each. */
  static final int MAX_RECORD_BYTES = 1 << 20;

  /** How much is kept of a line that is longer. */
  private static final int KEPT_BYTES = 4096;

  private static final int BUFFER_BYTES = 1 << 16;

  /** A packed file ends before its content does: somebody still writes it, or it is damaged. */
  static final class IncompleteException extends IOException {
    private static final long serialVersionUID = 1;

    IncompleteException(EOFException cause) {
      super("it is packed, and its end is missing", cause);
    }
  }

  /** What {@link #next} found. */
  enum Found {
    RECORD,
    /** Nothing more yet, but the file may grow. */
    NOTHING,
    /** As nothing, of a packed file whose end is missing. */
    INCOMPLETE,
    END
  }

  private final FoundFile file;
  private final InputStream input;
  private final RecordSplitter splitter;

  /** Null of a packed file. */
  private final @Nullable FileChannel channel;

  private byte[] buffer = new byte[BUFFER_BYTES];

  /** What is in the buffer and not given yet. */
  private int from;

  private int to;

  /** The offset of {@code buffer[from]}. */
  private long offset;

  private final byte[] beginning = new byte[FileFingerprint.MAX_BYTES];
  private int beginningBytes;
  private FileFingerprint fingerprint = FileFingerprint.NONE;
  private long bytesRead;
  private long records;

  /** Whether all records from the first on were found here. */
  private boolean counted = true;

  private boolean ending;

  /** The offset at which it is taken to end. */
  private long limit = Long.MAX_VALUE;

  private byte @Nullable [] header;

  /** Whether the line that begins at {@link #from} is too long; its end is looked for. */
  private boolean overlong;

  /** How much of that line is not kept: what follows it in the buffer follows these bytes. */
  private long dropped;

  private boolean tooLong;
  private int recordFrom;
  private int recordTo;
  private long recordOffset;

  private RecordFile(FoundFile file, FileContent content, RecordSplitter splitter) {
    this.file = file;
    this.input = content.stream();
    this.channel = content.channel();
    this.splitter = splitter;
  }

  static RecordFile open(FoundFile file, RecordSplitter splitter) throws IOException {
    return new RecordFile(file, FileContent.open(file.path()), splitter);
  }

  /**
   * Goes on to an offset at which a record begins; false if the file is shorter.
   *
   * @throws IncompleteException if it is packed and the offset is behind what is there of it
   */
  boolean skipTo(long wanted) throws IOException {
    if (bytesRead == 0) {
      fill(false); // Its beginning must be known.
    }
    while (wanted - offset > to - from) {
      offset += to - from;
      from = to;
      if (channel != null && !skip(wanted - offset)) {
        return false;
      }
      if (channel == null && !fill(false)) {
        return false;
      }
    }
    from += (int) (wanted - offset);
    offset = wanted;
    counted = false;
    return true;
  }

  private boolean skip(long bytes) throws IOException {
    try {
      input.skipNBytes(bytes);
      offset += bytes;
      return true;
    } catch (EOFException e) {
      return false;
    }
  }

  /** The file does not grow any more: what follows its last line end is its last record. */
  void endsNow() {
    ending = true;
  }

  /** Its content is read to an offset at which a record begins. */
  void endAt(long newLimit) {
    limit = newLimit;
  }

  /** Whether its content ended before the offset that it was to be read to. */
  boolean isCutShort() {
    return limit != Long.MAX_VALUE && seenBytes() < limit;
  }

  boolean isCompressed() {
    return channel == null;
  }

  /** Reads the first record and keeps it as the header. */
  boolean readHeader() throws IOException {
    if (next(false) != Found.RECORD) {
      return false;
    }
    keepHeader();
    return true;
  }

  /** The record found last is the header. */
  void keepHeader() {
    header = Arrays.copyOfRange(buffer, recordFrom, recordTo);
  }

  /** The header, once it is read. */
  byte @Nullable [] header() {
    return header;
  }

  FoundFile file() {
    return file;
  }

  /** The offset after the record found last. */
  long offset() {
    return offset;
  }

  /** Where the record found last stands, for people. */
  String origin() {
    return counted ? file.path() + ":" + records : file.path() + " at byte " + recordOffset;
  }

  /** The offset at which the record found last begins. */
  long recordOffset() {
    return recordOffset;
  }

  /** How many records were found. */
  long records() {
    return records;
  }

  /** The size of the file as far as it was looked at, if it is not packed. */
  long seenBytes() {
    return offset + to - from + dropped;
  }

  /** What the content begins with. */
  FileFingerprint fingerprint() {
    if (fingerprint.bytes() != beginningBytes) {
      fingerprint = FileFingerprint.of(beginning, beginningBytes);
    }
    return fingerprint;
  }

  long bytesRead() {
    return bytesRead;
  }

  byte[] buffer() {
    return buffer;
  }

  /** The record found last is in the buffer, without its line end, from here. */
  int recordFrom() {
    return recordFrom;
  }

  int recordTo() {
    return recordTo;
  }

  /**
   * Whether the record found last is a line that is too long, of which only the beginning is kept.
   */
  boolean isTooLong() {
    return tooLong;
  }

  /**
   * Looks for the next record.
   *
   * @param growing whether the file may grow: a last line without a line end is not complete yet
   */
  Found next(boolean growing) throws IOException {
    while (true) {
      int end = overlong ? endOfOverlong() : end();
      if (end > 0) {
        give(end);
        return Found.RECORD;
      }
      if (!fill(growing)) {
        if (growing && channel != null && !ending) {
          return Found.NOTHING;
        }
        if (from == to) {
          return Found.END;
        }
        giveRest();
        return Found.RECORD;
      }
    }
  }

  /** The index after the next record, or -1; of one that is too long its first line is one. */
  private int end() {
    int end = from < to ? splitter.end(buffer, afterMark(), to) : -1;
    if (!exceeds(end)) {
      return end;
    }
    int line = RecordSplitter.LINES.end(buffer, from, to);
    if (!exceeds(line)) {
      return line;
    }
    overlong = true;
    return endOfOverlong();
  }

  /** Where the next record's text begins: at the beginning of the file behind a mark. */
  private int afterMark() {
    return offset == 0 ? ByteOrderMark.skip(buffer, from, to) : from;
  }

  /** Whether a record that ends there, or nowhere yet, is too long. */
  private boolean exceeds(int end) {
    return (end < 0 ? to : end) - from > MAX_RECORD_BYTES;
  }

  /** Drops what is there of a line, its beginning excepted; -1 if its end is not there. */
  private int endOfOverlong() {
    int kept = from + KEPT_BYTES;
    int end = RecordSplitter.LINES.end(buffer, kept, to);
    int until = end < 0 ? to : end;
    System.arraycopy(buffer, until, buffer, kept, to - until);
    dropped += until - kept;
    to -= until - kept;
    return end < 0 ? -1 : kept;
  }

  /** The end of the file ends its last record; where a quote was not closed, line by line. */
  private void giveRest() {
    int line = RecordSplitter.LINES.end(buffer, from, to);
    give(line < 0 ? to : line);
  }

  private void give(int end) {
    recordOffset = offset;
    recordFrom = afterMark();
    recordTo = end;
    if (recordTo > recordFrom && buffer[recordTo - 1] == '\n') {
      recordTo--;
      if (recordTo > recordFrom && buffer[recordTo - 1] == '\r') {
        recordTo--;
      }
    }
    offset += end - from + dropped;
    from = end;
    tooLong = overlong;
    overlong = false;
    dropped = 0;
    records++;
  }

  /** Reads more; false if there is no more now. */
  private boolean fill(boolean growing) throws IOException {
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, to - from);
      to -= from;
      from = 0;
    }
    if (to == buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.min(buffer.length * 2, 2 * MAX_RECORD_BYTES));
    }
    int count = growing && !goesOn() ? -1 : read();
    if (count <= 0) {
      return false;
    }
    if (beginningBytes < beginning.length && bytesRead == beginningBytes) {
      int more = Math.min(count, beginning.length - beginningBytes);
      System.arraycopy(buffer, to, beginning, beginningBytes, more);
      beginningBytes += more;
    }
    to += count;
    bytesRead += count;
    return true;
  }

  /**
   * Whether there is more of what this was before. Where the file was cut in place, and is larger
   * already than before, there is another content: it is read from its start, once the next listing
   * has found that out.
   */
  private boolean goesOn() throws IOException {
    if (channel == null || bytesRead == 0) {
      return true;
    }
    if (channel.size() <= channel.position()) {
      return false;
    }
    ByteBuffer now = ByteBuffer.allocate(beginningBytes);
    while (now.hasRemaining() && channel.read(now, now.position()) > 0) {}
    return !now.hasRemaining()
        && Arrays.equals(now.array(), 0, beginningBytes, beginning, 0, beginningBytes);
  }

  private int read() throws IOException {
    try {
      long room = Math.min(buffer.length - to, limit - seenBytes());
      return room <= 0 ? -1 : input.read(buffer, to, (int) room);
    } catch (EOFException e) {
      throw new IncompleteException(e);
    }
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
