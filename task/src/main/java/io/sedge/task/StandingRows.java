package io.sedge.task;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * An updating result as it stands: an update takes the place of what it replaces. Bounded: rows for
 * which there is no place are counted as {@link #hidden}. Not thread-safe.
 *
 * @param <K> the values of a row, by which it is found again
 * @param <R> what is kept of a row
 */
public final class StandingRows<K, R> {
  private final int mostRows;
  private final long mostBytes;
  private final ToIntFunction<R> bytes;
  private final List<@Nullable R> rows = new ArrayList<>();

  /** The places of the rows, by their values; equal rows have several. */
  private final Map<K, Deque<Integer>> places = new HashMap<>();

  /** The places that rows have left, the first of them first. */
  private final Queue<Integer> free = new PriorityQueue<>();

  private long held;
  private long hidden;

  /**
   * @param bytes how much of {@code mostBytes} a row takes
   */
  public StandingRows(int mostRows, long mostBytes, ToIntFunction<R> bytes) {
    this.mostRows = mostRows;
    this.mostBytes = mostBytes;
    this.bytes = bytes;
  }

  /** An update follows what it replaces, so the first free place is the right one as a rule. */
  public void place(K values, R row) {
    int size = bytes.applyAsInt(row);
    if (size() == mostRows || held + size > mostBytes) {
      hidden++;
      return;
    }
    held += size;
    int place = free.isEmpty() ? rows.size() : free.remove();
    if (place == rows.size()) {
      rows.add(row);
    } else {
      rows.set(place, row);
    }
    places.computeIfAbsent(values, _ -> new ArrayDeque<>(1)).add(place);
  }

  /** Takes a row of these values away; one that was hidden if none is there. */
  public void remove(K values) {
    Deque<Integer> equal = places.get(values);
    if (equal == null) {
      hidden = Math.max(0, hidden - 1);
      return;
    }
    int place = equal.remove();
    if (equal.isEmpty()) {
      places.remove(values);
    }
    R gone = rows.set(place, null);
    held -= gone == null ? 0 : bytes.applyAsInt(gone);
    free.add(place);
  }

  /** The rows, in the order of their places. */
  public List<R> rows() {
    List<R> present = new ArrayList<>(size());
    for (R row : rows) {
      if (row != null) {
        present.add(row);
      }
    }
    return present;
  }

  /** How many rows there are. */
  public int size() {
    return rows.size() - free.size();
  }

  /** Rows for which there was no place. */
  public long hidden() {
    return hidden;
  }
}
