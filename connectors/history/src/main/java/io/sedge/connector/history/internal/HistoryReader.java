package io.sedge.connector.history.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TimeBounds;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads what was kept of a table, in the order of time: a merge of all files that have rows of the
 * interval. What was committed when it was opened is read.
 *
 * <p>Bounds: the rows of {@value #MOST_LOADED} chunks are held, whatever overlaps; of files beyond
 * those, the ones whose rows are latest give theirs back and are read again. Journals, one for each
 * store as a rule, are held whole, and give theirs back beyond a quarter of the heap; their files
 * stay open.
 *
 * <p>A position is the time of the last row (8) and how many rows of that time were given (4).
 * After {@link #seek} rows of before are not looked for; what has been kept since the reader before
 * was opened is read too.
 */
public final class HistoryReader implements SourceReader {
  private static final int MOST_LOADED = 16;

  /** Beyond what a quarter of the heap takes, journals are read again and again. */
  private static final int HEAPS_SHARE = 4;

  private final String table;
  private final Schema schema;
  private final ConnectorContext context;
  private final PriorityQueue<Cursor> cursors = new PriorityQueue<>();
  private final Set<Cursor> loaded = new HashSet<>();
  private final List<Cursor> all = new ArrayList<>();
  private final long mostJournalBytes;
  private long lastTime = Long.MIN_VALUE;
  private int givenOfTime;
  private long skipTime = Long.MIN_VALUE;
  private int skip;
  private long readings;
  private long bytes;

  private HistoryReader(
      String table, Schema schema, ConnectorContext context, long mostJournalBytes) {
    this.table = table;
    this.schema = schema;
    this.context = context;
    this.mostJournalBytes = mostJournalBytes;
  }

  /**
   * What is read.
   *
   * @param bounds rows outside of them are left out where that saves reading
   */
  public record Wanted(
      String readBy,
      Optional<String> job,
      String table,
      Schema schema,
      Interval interval,
      List<TimeBounds> bounds) {
    public Wanted {
      bounds = List.copyOf(bounds);
    }
  }

  /** Looks for the files; what has rows of the interval is known then. */
  public static HistoryReader open(Wanted wanted, ConnectorContext context) {
    return open(wanted, context, Runtime.getRuntime().maxMemory() / HEAPS_SHARE);
  }

  /** The same for tests, with what journals may hold. */
  static HistoryReader open(Wanted wanted, ConnectorContext context, long mostJournalBytes) {
    HistoryReader reader =
        new HistoryReader(wanted.readBy(), wanted.schema(), context, mostJournalBytes);
    try {
      reader.addFiles(wanted);
      return reader;
    } catch (IOException e) {
      reader.close();
      throw failure(wanted.readBy(), StoreFiles.root(context.data()), e);
    } catch (RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  private void addFiles(Wanted wanted) throws IOException {
    Path data = context.data();
    HistoryFiles.Found found =
        HistoryFiles.stores(data, wanted.job(), context.job(), wanted.table(), wanted.readBy());
    found
        .other()
        .ifPresent(
            other ->
                context.report(
                    Severity.INFO,
                    "table %s: this job has kept no table '%s' on this device, so what job %s has kept is read; write 'job' = '%3$s' if that is meant"
                        .formatted(wanted.readBy(), wanted.table(), other)));
    List<Path> stores = found.stores();
    if (stores.isEmpty()) {
      context.report(
          Severity.WARNING,
          "table %s: nothing was kept of a table '%s' in %s; a table keeps its readings with 'keep' = '7 d'"
              .formatted(wanted.readBy(), wanted.table(), StoreFiles.root(data)));
    }
    for (Path store : stores) {
      int firstOrder = all.isEmpty() ? 0 : all.getLast().order() + 1;
      List<Cursor> added =
          HistoryFiles.cursors(
              store, wanted.readBy(), wanted.schema(), wanted.interval(), firstOrder);
      all.addAll(added);
      cursors.addAll(added);
      for (Cursor cursor : added) {
        if (cursor.isLoaded()) {
          makeRoom(cursor);
          bytes += cursor.bytes();
        }
      }
    }
    Interval needed = needed(wanted.bounds());
    if (!needed.equals(Interval.ALL)) {
      narrow(needed);
    }
  }

  /**
   * What is needed, by the times that files are ordered by. If one is ordered otherwise, rows of it
   * may come after those of others that are too late; all are read then.
   */
  private Interval needed(List<TimeBounds> bounds) {
    Interval needed = Interval.ALL;
    for (TimeBounds times : bounds) {
      if (all.stream().allMatch(cursor -> cursor.isOrderedBy(times.column()))) {
        needed = needed.and(new Interval(times.from(), times.to()));
      }
    }
    return needed;
  }

  /** Leaves out rows outside of an interval too. */
  private void narrow(Interval interval) {
    cursors.clear();
    for (Cursor cursor : all) {
      try {
        cursor.narrow(interval);
        if (cursor.hasEnded()) {
          loaded.remove(cursor);
        } else {
          cursors.add(cursor);
        }
      } catch (IOException e) {
        skipFile(cursor, e);
      }
    }
  }

  private static ConnectorException failure(String table, Path file, IOException e) {
    return new ConnectorException(
        ConnectorException.Kind.FILE,
        "table %s: cannot read %s: %s".formatted(table, file, e.getMessage()),
        e);
  }

  @Override
  public @Nullable Batch poll(long nowNanos) {
    Gathering rows = new Gathering(schema);
    while (rows.count() < Batch.TARGET_ROWS) {
      Cursor cursor = cursors.poll();
      if (cursor == null) {
        break;
      }
      try {
        take(cursor, rows);
      } catch (IOException e) {
        skipFile(cursor, e);
        continue;
      }
      if (!cursor.hasEnded()) {
        cursors.add(cursor);
      } else {
        loaded.remove(cursor);
      }
    }
    readings += rows.count();
    return rows.count() == 0 ? null : rows.build();
  }

  private void take(Cursor cursor, Gathering into) throws IOException {
    if (!cursor.isLoaded()) {
      load(cursor);
      return;
    }
    int run = cursor.run(cursors.peek(), Batch.TARGET_ROWS - into.count());
    if (run == 0) {
      throw new IllegalStateException("%s is not the first".formatted(cursor.file()));
    }
    Cursor.Page page = cursor.page();
    int from = cursor.row();
    int skipped = toSkip(page, from, run);
    into.add(page.batch(), from + skipped, from + run);
    long last = page.times()[from + run - 1];
    int equal = 0;
    while (equal < run && page.times()[from + run - 1 - equal] == last) {
      equal++;
    }
    givenOfTime = last == lastTime ? givenOfTime + run - skipped : equal;
    lastTime = last;
    cursor.advance(run);
  }

  /** How many of the next rows were given by the reader before. */
  private int toSkip(Cursor.Page page, int from, int run) {
    int skipped = 0;
    while (skipped < run && skip > 0 && page.times()[from + skipped] == skipTime) {
      skipped++;
      skip--;
    }
    return skipped;
  }

  private void load(Cursor cursor) throws IOException {
    makeRoom(cursor);
    bytes += cursor.isUntouched() ? cursor.bytes() : 0;
    cursor.load();
  }

  /** Counts a cursor as loaded; of others of its kind the latest give back what is too much. */
  private void makeRoom(Cursor cursor) throws IOException {
    loaded.add(cursor);
    List<Cursor> others = new ArrayList<>();
    for (Cursor other : loaded) {
      if (!other.equals(cursor) && other.isJournal() == cursor.isJournal()) {
        others.add(other);
      }
    }
    Collections.sort(others);
    while (!others.isEmpty() && isTooMuch(cursor, others)) {
      Cursor latest = others.removeLast();
      latest.release();
      loaded.remove(latest);
    }
  }

  private boolean isTooMuch(Cursor cursor, List<Cursor> others) throws IOException {
    if (!cursor.isJournal()) {
      return others.size() >= MOST_LOADED;
    }
    return heldJournalBytes() > mostJournalBytes;
  }

  /** The size of those journals whose rows are held. */
  long heldJournalBytes() throws IOException {
    long held = 0;
    for (Cursor cursor : loaded) {
      held += cursor.isJournal() ? cursor.bytes() : 0;
    }
    return held;
  }

  /** What is deleted while it is read was to be deleted; all else is a failure. */
  private void skipFile(Cursor cursor, IOException e) {
    if (Files.exists(cursor.file())) {
      throw failure(table, cursor.file(), e);
    }
    loaded.remove(cursor);
    context.report(
        Severity.WARNING,
        "table %s: %s was deleted while it was read, for its age or for room; the rest of its rows are left out"
            .formatted(table, cursor.file()));
  }

  @Override
  public boolean finished() {
    return cursors.isEmpty();
  }

  @Override
  public byte[] position() {
    return ByteBuffer.allocate(12).putLong(lastTime).putInt(givenOfTime).array();
  }

  @Override
  public void seek(byte[] position) {
    ByteBuffer buffer = ByteBuffer.wrap(position);
    skipTime = buffer.getLong();
    skip = buffer.getInt();
    lastTime = skipTime;
    givenOfTime = skip;
    narrow(new Interval(skipTime, Long.MAX_VALUE));
  }

  @Override
  public void acknowledge(byte[] position) {}

  @Override
  public SourceCounters counters() {
    return new SourceCounters(readings, bytes, 0, 0);
  }

  @Override
  public void close() {
    for (Cursor cursor : all) {
      try {
        cursor.close();
      } catch (IOException e) {
        context.report(Severity.WARNING, "table %s: %s".formatted(table, e));
      }
    }
  }
}
