package io.sedge.engine.operator.internal;

import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.aggregate.GroupAccumulators;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.plan.PlanNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The frames of an OVER aggregate and their accumulators.
 *
 * <p>An unbounded frame is one set of accumulators. A bounded one is a queue of rows kept as two
 * stacks, so that nothing needs to be taken out of accumulators. Each row has accumulators. In the
 * back stack they are those of the row alone, and there are others of all its rows together; in the
 * front stack they are those from the row to the newest one of the front. A frame's result is the
 * top of the front merged with the back. When the front is empty and a row must leave, the back is
 * turned over into it. Each row is added once and merged twice: O(1) on average.
 *
 * <p>Rows are added many at a time, and results are read many at a time: what is done row by row is
 * merging.
 *
 * <p>How the rows divide into front and back is part of the state (the number in front), because
 * sums of floating-point numbers depend on it.
 *
 * <p>Source: the two-stack queue of Okasaki; its use for sliding windows is folklore, see
 * Tangwongsan, Hirzel, Schneider, "Low-latency sliding-window aggregation in worst-case constant
 * time", DEBS 2017.
 */
final class OverFrames {
  /** Results that are read together; not more, because accumulators may be large. */
  private static final int RESULTS = 64;

  private final RowTable table;
  private final SlotColumn times;
  private final GroupAccumulators accumulators;
  private final List<ColumnBuilder> results;
  private final boolean bounded;
  private final boolean ranged;
  private final Ints freeSlots = new Ints();
  private final int[] oneRow = new int[1];
  private final int[] oneSlot = new int[1];

  /** The first slots are for results that have not been read. */
  private int slots = RESULTS;

  private int pendingResults;

  /** The accumulators of rows that have come together, each alone. */
  private int[] alone = {};

  OverFrames(
      PlanNode.OverAggregate plan,
      AggregateRegistry registry,
      RowTable table,
      List<ColumnBuilder> results) {
    this.table = table;
    this.times = table.column(plan.timeColumn());
    this.bounded = plan.frame().preceding() != Long.MAX_VALUE;
    this.ranged = bounded && !plan.frame().rows();
    this.results = results;
    this.accumulators =
        GroupAccumulators.factory(plan.aggregates(), OffsetAggregates.REGISTRY.or(registry))
            .create();
    accumulators.ensureSlots(slots);
  }

  private int claim() {
    if (freeSlots.size() > 0) {
      return freeSlots.removeLast();
    }
    accumulators.ensureSlots(++slots);
    return slots - 1;
  }

  private void free(int slot) {
    accumulators.clear(slot);
    freeSlots.add(slot);
  }

  /** Makes accumulators of each row alone, for bounded frames. */
  void prepare(Batch rows) {
    int count = rows.rows();
    int[] all = new int[count];
    alone = new int[count];
    for (int i = 0; i < count; i++) {
      all[i] = i;
      alone[i] = claim();
    }
    accumulators.add(all, alone, count, rows);
  }

  /** Adds row {@code row} of those prepared, which stands in a slot of the table, to a frame. */
  void push(OverKey key, int slot, int row) {
    key.backAccumulators = key.backAccumulators < 0 ? claim() : key.backAccumulators;
    accumulators.merge(key.backAccumulators, accumulators, alone[row]);
    key.back.add(slot);
    key.backAlone.add(alone[row]);
  }

  /** Adds a row of a batch to an unbounded frame. */
  void add(OverKey key, Batch rows, int row) {
    key.backAccumulators = key.backAccumulators < 0 ? claim() : key.backAccumulators;
    oneRow[0] = row;
    oneSlot[0] = key.backAccumulators;
    accumulators.add(oneRow, oneSlot, 1, rows);
  }

  /** Takes out rows older than a time. */
  void evictBefore(OverKey key, long time) {
    while (key.frameSize() > 0 && times.longAt(oldest(key)) < time) {
      evict(key);
    }
  }

  /** Takes out the oldest rows until {@code rows} are left. */
  void evictTo(OverKey key, long rows) {
    while (key.frameSize() > rows) {
      evict(key);
    }
  }

  private static int oldest(OverKey key) {
    return key.front.size() > 0 ? key.front.get(key.front.size() - 1) : key.back.get(0);
  }

  private void evict(OverKey key) {
    if (key.front.size() == 0) {
      turnOver(key);
    }
    free(key.frontAccumulators.removeLast());
    table.remove(key.front.removeLast());
  }

  /** Moves the rows of the back to the empty front. */
  private void turnOver(OverKey key) {
    int newer = -1;
    for (int i = key.back.size() - 1; i >= 0; i--) {
      int own = key.backAlone.get(i);
      if (newer >= 0) {
        accumulators.merge(own, accumulators, newer);
      }
      key.front.add(key.back.get(i));
      key.frontAccumulators.add(own);
      newer = own;
    }
    key.back.clear();
    key.backAlone.clear();
    accumulators.clear(key.backAccumulators);
  }

  /** Appends the results of a key's frame, later at the latest by {@link #flush}. */
  void result(OverKey key) {
    if (!bounded) {
      read(key.backAccumulators, key.backAccumulators + 1);
      return;
    }
    int slot = pendingResults++;
    if (key.front.size() > 0) {
      int front = key.frontAccumulators.get(key.frontAccumulators.size() - 1);
      accumulators.merge(slot, accumulators, front);
    }
    if (key.back.size() > 0) {
      accumulators.merge(slot, accumulators, key.backAccumulators);
    }
    if (pendingResults == RESULTS) {
      flush();
    }
  }

  /** Appends the results that have not been. */
  void flush() {
    read(0, pendingResults);
    for (int slot = 0; slot < pendingResults; slot++) {
      accumulators.clear(slot);
    }
    pendingResults = 0;
  }

  private void read(int from, int to) {
    for (int call = 0; call < results.size(); call++) {
      accumulators.results(from, to, call, results.get(call));
    }
  }

  /** Gives the accumulators of an empty frame back. */
  void release(OverKey key) {
    if (key.backAccumulators >= 0) {
      free(key.backAccumulators);
      key.backAccumulators = -1;
    }
  }

  /**
   * The last time (8 bytes), then the rows in front (4) or, unbounded, the accumulators; then, for
   * a range of time, the timers.
   */
  byte[] encode(OverKey key) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream output = new DataOutputStream(bytes)) {
      output.writeLong(key.lastTime);
      if (bounded) {
        output.writeInt(key.front.size());
      } else {
        accumulators.write(key.backAccumulators, output);
      }
      if (ranged) {
        key.timers.write(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  void decode(OverKey key, byte[] value) {
    try (DataInputStream input = new DataInputStream(new ByteArrayInputStream(value))) {
      key.lastTime = input.readLong();
      if (bounded) {
        key.frontRows = input.readInt();
      } else {
        key.backAccumulators = claim();
        accumulators.read(key.backAccumulators, input);
      }
      if (ranged) {
        key.timers.read(input);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the frame of an OVER aggregate cannot be read", e);
    }
  }

  /** Makes the stacks of a key again from the rows of its frame, oldest first. */
  void rebuild(OverKey key, SortedSlots rows) {
    int[] slotsOfRows = new int[rows.size()];
    for (int i = 0; i < rows.size(); i++) {
      slotsOfRows[i] = rows.get(i);
    }
    prepare(new Batch(slotsOfRows.length, table.gather(slotsOfRows, slotsOfRows.length)));
    for (int i = 0; i < slotsOfRows.length; i++) {
      if (i > 0 && i == key.frontRows) {
        turnOver(key);
      }
      push(key, slotsOfRows[i], i);
    }
    if (key.frontRows > 0 && key.frontRows == slotsOfRows.length) {
      turnOver(key);
    }
  }
}
