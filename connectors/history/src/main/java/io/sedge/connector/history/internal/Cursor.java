package io.sedge.connector.history.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Where reading stands in one file. It knows an instant that none of its next rows is before, which
 * is exact once it is {@link #isLoaded loaded}; it holds the rows of one chunk at most, and can
 * give them back and read them again ({@link #release}).
 */
final class Cursor implements Comparable<Cursor>, AutoCloseable {
  private final Path file;
  private final String table;
  private final Schema schema;
  private Interval interval;
  private final int order;
  private @Nullable SegmentReader reader;
  private @Nullable JournalReader journal;
  private long mark;
  private @Nullable Shape shape;
  private @Nullable Columns columns;
  private int chunk = -1;
  private int chunks;
  private int row;
  private long next = Long.MIN_VALUE;
  private @Nullable Page page;
  private boolean ended;
  private boolean untouched = true;

  /** Rows of one file and their times. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Page(Batch batch, long[] times) {}

  private Cursor(Path file, String table, Schema schema, Interval interval, int order) {
    this.file = file;
    this.table = table;
    this.schema = schema;
    this.interval = interval;
    this.order = order;
  }

  /**
   * The rows of a segment in an interval. Reads its index alone.
   *
   * @param order decides between rows of equal time
   */
  static Cursor ofSegment(Path file, String table, Schema schema, Interval interval, int order)
      throws IOException {
    Cursor cursor = new Cursor(file, table, schema, interval, order);
    try {
      cursor.nextChunk();
    } finally {
      cursor.release();
    }
    return cursor;
  }

  /**
   * The rows of a journal in an interval, up to a mark. It is loaded, to know where they begin.
   *
   * @param journal closed with it, and if it cannot be made
   */
  static Cursor ofJournal(
      JournalReader journal, long mark, String table, Schema schema, Interval interval, int order)
      throws IOException {
    Cursor cursor = new Cursor(journal.file(), table, schema, interval, order);
    cursor.journal = journal;
    cursor.mark = mark;
    cursor.chunk = 0;
    cursor.chunks = 1;
    try {
      cursor.know(journal.shape());
      cursor.load();
    } catch (IOException | RuntimeException e) {
      cursor.close();
      throw e;
    }
    return cursor;
  }

  Path file() {
    return file;
  }

  /** Decides between rows of equal time; no other cursor has it. */
  int order() {
    return order;
  }

  /** Whether its times are those of a column of that name. */
  boolean isOrderedBy(String column) {
    return shape != null && shape.isOrderedBy(column);
  }

  boolean hasEnded() {
    return ended;
  }

  boolean isLoaded() {
    return page != null;
  }

  /** Whether its rows are those of a journal, all of which are held while it is loaded. */
  boolean isJournal() {
    return journal != null;
  }

  /** How many bytes of the file are read for all of its rows. */
  long bytes() throws IOException {
    JournalReader rows = journal;
    return rows == null ? Files.size(file) : rows.bytes(mark);
  }

  /** Whether no row of it was read. */
  boolean isUntouched() {
    return untouched;
  }

  /** Leaves out rows outside of another interval too. */
  void narrow(Interval other) throws IOException {
    interval = interval.and(other);
    Page held = page;
    if (held != null) {
      show(held);
    } else if (journal != null) {
      next = ended ? next : Math.max(next, interval.from());
    } else if (!ended) {
      chunk = -1;
      nextChunk();
      release();
    }
  }

  /** None of the next rows is before it. */
  long next() {
    return next;
  }

  private void know(Shape stored) {
    shape = stored;
    columns = new Columns(table, schema, stored.schema());
  }

  private SegmentReader reader() throws IOException {
    SegmentReader opened = reader;
    if (opened == null) {
      opened = new SegmentReader(file);
      reader = opened;
      know(opened.shape());
      chunks = opened.chunks();
    }
    return opened;
  }

  /** Goes to the next chunk that may have rows of the interval. */
  private void nextChunk() throws IOException {
    SegmentReader opened = reader();
    page = null;
    row = 0;
    do {
      chunk++;
    } while (chunk < chunks && !opened.mayHave(chunk, interval.from(), interval.to()));
    ended = chunk >= chunks;
    next = ended ? Long.MAX_VALUE : Math.max(interval.from(), opened.notBefore(chunk));
  }

  /** Reads the chunk that it stands in. */
  void load() throws IOException {
    untouched = false;
    Rows rows = read();
    show(
        new Page(
            new Batch(rows.count(), columns().of(rows)),
            Arrays.copyOf(rows.times(), rows.count())));
  }

  private Rows read() throws IOException {
    JournalReader whole = journal;
    return whole == null
        ? reader().read(chunk, columns().wanted())
        : whole.read(mark, columns().wanted());
  }

  private Columns columns() {
    Columns own = columns;
    if (own == null) {
      throw new IllegalStateException("the columns of %s are not known".formatted(file));
    }
    return own;
  }

  private void show(Page loaded) throws IOException {
    page = loaded;
    row = Math.max(row, first(loaded, interval.from()));
    settle(loaded);
  }

  private static int first(Page page, long time) {
    int low = 0;
    int high = page.batch().rows();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (page.times()[middle] < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Says where the next row is, which may be in another chunk or nowhere. */
  private void settle(Page loaded) throws IOException {
    if (row < loaded.batch().rows()) {
      next = loaded.times()[row];
      ended = next > interval.to();
    } else if (journal != null) {
      ended = true;
    } else {
      nextChunk();
    }
    if (ended) {
      page = null;
      next = Long.MAX_VALUE;
      close();
    }
  }

  /** The rows that a run is of, while it is loaded. */
  Page page() {
    Page loaded = page;
    if (loaded == null) {
      throw new IllegalStateException("%s is not loaded".formatted(file));
    }
    return loaded;
  }

  int row() {
    return row;
  }

  /** How many rows come next that are before the next of another cursor, up to a limit. */
  int run(@Nullable Cursor other, int limit) {
    Page loaded = page();
    long last = interval.to();
    if (other != null) {
      last = Math.min(last, order < other.order ? other.next : other.next - 1);
    }
    int end = Math.min(loaded.batch().rows(), row + limit);
    int to = row;
    while (to < end && loaded.times()[to] <= last) {
      to++;
    }
    return to - row;
  }

  /** Moves over rows that were taken. */
  void advance(int rows) throws IOException {
    row += rows;
    settle(page());
  }

  /**
   * Gives its memory back, and its file unless it is a journal, which may be gone soon; it can be
   * loaded again.
   */
  void release() throws IOException {
    page = null;
    closeSegment();
  }

  @Override
  public int compareTo(Cursor other) {
    int byTime = Long.compare(next, other.next);
    return byTime != 0 ? byTime : Integer.compare(order, other.order);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  private void closeSegment() throws IOException {
    SegmentReader opened = reader;
    reader = null;
    if (opened != null) {
      opened.close();
    }
  }

  @Override
  public void close() throws IOException {
    closeSegment();
    if (journal != null) {
      journal.close();
    }
  }
}
