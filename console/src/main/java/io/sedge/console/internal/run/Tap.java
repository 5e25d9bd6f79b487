package io.sedge.console.internal.run;

import io.sedge.console.internal.live.Event;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.ChangeKind;
import io.sedge.task.StandingRows;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The rows that a table's sink has taken. The latest are kept, of an updating result those that
 * stand; and those since the last event, for the next one.
 *
 * <p>The task's thread leaves batches, which do not change, and goes on; another thread makes rows
 * of them. Of a table that only grows the oldest waiting batches go when there are too many, as
 * their rows would not be kept for long. Changes of an updating result are all needed, so there the
 * task's thread does the work when the other is too far behind. Thread-safe.
 */
final class Tap {
  /** How many rows are kept, and how many an event may have. */
  static final int MOST_ROWS = 2_000;

  /** How large the rows of an event may be. */
  static final int MOST_EVENT_BYTES = 128 << 10;

  /** Changes of an updating result that may wait. */
  private static final int MOST_WAITING = 4 * MOST_ROWS;

  /** What a row takes besides its characters. */
  private static final int ROW_BYTES = 96;

  private final TableInfo table;
  private final int[] allColumns;
  private final long mostBytes;
  private final InstantSource clock;

  private final Object waitingLock = new Object();
  private Deque<Taken> waiting = new ArrayDeque<>();
  private long waitingRows;

  /** Rows that went while they waited. */
  private long passedBy;

  private final Object rowsLock = new Object();
  private final Deque<Row> latest = new ArrayDeque<>();
  private long latestBytes;
  private final StandingRows<String, Row> standing;
  private final Deque<Change> fresh = new ArrayDeque<>();
  private long freshBytes;
  private long total;

  private record Taken(Batch batch, long atMillis) {}

  /** A row as a JSON array, and when the sink took it. */
  record Row(String json, long atMillis) {}

  private record Change(ChangeKind kind, Row row) {}

  /**
   * Rows that are kept.
   *
   * @param rows the oldest first
   * @param total how many there were, kept or not
   */
  record Kept(List<Row> rows, long total) {}

  /**
   * @param mostBytes how much the rows that are kept may take
   */
  Tap(TableInfo table, long mostBytes, InstantSource clock) {
    this.table = table;
    this.clock = clock;
    this.mostBytes = mostBytes;
    this.allColumns = IntStream.range(0, table.schema().size()).toArray();
    this.standing = new StandingRows<>(MOST_ROWS, mostBytes, Tap::bytes);
  }

  TableInfo table() {
    return table;
  }

  /** Takes rows, in the task's thread. */
  void taken(Batch batch) {
    boolean behind;
    synchronized (waitingLock) {
      // Of a view one of its own: this one belongs to the task's thread.
      waiting.add(new Taken(batch.project(allColumns), clock.millis()));
      waitingRows += batch.rows();
      while (!table.updating() && waitingRows - waiting.getFirst().batch().rows() >= MOST_ROWS) {
        int rows = waiting.remove().batch().rows();
        waitingRows -= rows;
        passedBy += rows;
      }
      behind = waitingRows > MOST_WAITING;
    }
    if (behind) {
      synchronized (rowsLock) {
        absorb();
      }
    }
  }

  /**
   * An event of the rows since the last one, or empty if there are none.
   *
   * @param heard whether anybody listens
   */
  Optional<Event> event(boolean heard) {
    List<Change> changes;
    long end;
    synchronized (rowsLock) {
      absorb();
      changes = heard ? List.copyOf(fresh) : List.of();
      fresh.clear();
      freshBytes = 0;
      end = total;
    }
    return changes.isEmpty() ? Optional.empty() : Optional.of(event(changes, end));
  }

  private Event event(List<Change> changes, long end) {
    StringBuilder json = new StringBuilder("{\"table\":");
    RowJson.appendString(json, table.name());
    json.append(",\"total\":").append(end).append(",\"rows\":[");
    for (int i = 0; i < changes.size(); i++) {
      json.append(i == 0 ? "" : ",").append(changes.get(i).row().json());
    }
    json.append("],\"atMillis\":[");
    for (int i = 0; i < changes.size(); i++) {
      json.append(i == 0 ? "" : ",").append(changes.get(i).row().atMillis());
    }
    json.append(']');
    if (table.updating()) {
      json.append(",\"changes\":[");
      for (int i = 0; i < changes.size(); i++) {
        String symbol = changes.get(i).kind().symbol();
        json.append(i == 0 ? "\"" : ",\"").append(symbol).append('"');
      }
      json.append(']');
    }
    byte[] bytes = json.append('}').toString().getBytes(StandardCharsets.UTF_8);
    return new Event(RunApi.ROWS, table.name(), end - changes.size(), changes.size(), bytes);
  }

  /** How many rows there have been, when rows were last made of batches. */
  long total() {
    synchronized (rowsLock) {
      return total;
    }
  }

  /** The rows that are kept, at most {@code limit} of them: the latest. */
  Kept kept(int limit) {
    synchronized (rowsLock) {
      absorb();
      List<Row> rows = table.updating() ? standing.rows() : new ArrayList<>(latest);
      return new Kept(
          List.copyOf(rows.subList(Math.max(0, rows.size() - limit), rows.size())), total);
    }
  }

  /** Makes rows of what waits; holds {@link #rowsLock}. */
  private void absorb() {
    Deque<Taken> batches;
    synchronized (waitingLock) {
      batches = waiting;
      total += passedBy;
      waiting = new ArrayDeque<>();
      waitingRows = 0;
      passedBy = 0;
    }
    for (Taken taken : batches) {
      Batch batch = taken.batch();
      total += batch.rows();
      int first = table.updating() ? 0 : Math.max(0, batch.rows() - MOST_ROWS);
      for (int row = first; row < batch.rows(); row++) {
        String json = RowJson.row(table.schema(), batch, row);
        add(new Change(batch.change(row), new Row(json, taken.atMillis())));
      }
    }
  }

  private void add(Change change) {
    Row row = change.row();
    if (table.updating()) {
      switch (change.kind()) {
        case INSERT, UPDATE_AFTER -> standing.place(row.json(), row);
        case UPDATE_BEFORE, DELETE -> standing.remove(row.json());
      }
    } else {
      latest.add(row);
      latestBytes += bytes(row);
      while (latest.size() > MOST_ROWS || latestBytes > mostBytes) {
        latestBytes -= bytes(latest.remove());
      }
    }
    fresh.add(change);
    freshBytes += row.json().length();
    while (fresh.size() > MOST_ROWS || freshBytes > MOST_EVENT_BYTES) {
      freshBytes -= fresh.remove().row().json().length();
    }
  }

  /** At most: characters may take a byte only. */
  private static int bytes(Row row) {
    return ROW_BYTES + 2 * row.json().length();
  }
}
