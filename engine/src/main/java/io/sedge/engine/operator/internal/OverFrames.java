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
 * stacks, so that nothing needs to be taken out of accumulators: the front stack has, for each row,
 * the accumulators from that row to the newest one of the front; the back stack has the
 * accumulators of all its rows. A frame's result is the top of the front merged with the back. When
 * the front is empty and a row must leave, the back is turned over into it. Each row is added twice
 * and merged once: O(1) on average.
 *
 * <p>How the rows divide into front and back is part of the state (the number in front), because
 * sums of floating-point numbers depend on it.
 *
 * <p>Source: the two-stack queue of Okasaki; its use for sliding windows is folklore, see
 * Tangwongsan, Hirzel, Schneider, "Low-latency sliding-window aggregation in worst-case constant
 * time", DEBS 2017.
 */
final class OverFrames {
  private final RowTable table;
  private final Vault times;
  private final GroupAccumulators accumulators;
  private final boolean bounded;
  private final boolean ranged;
  private final Ints freeSlots = new Ints();
  private final int[] oneRow = new int[1];
  private final int[] oneSlot = new int[1];
  private int slots;
  private final int scratch;

  OverFrames(PlanNode.OverAggregate plan, AggregateRegistry registry, RowTable table) {
    this.table = table;
    this.times = table.column(plan.timeColumn());
    this.bounded = plan.frame().preceding() != Long.MAX_VALUE;
    this.ranged = bounded && !plan.frame().rows();
    this.accumulators =
        GroupAccumulators.factory(plan.aggregates(), OffsetAggregates.REGISTRY.or(registry))
            .create();
    this.scratch = claim();
  }

  private int claim() {
    int slot = freeSlots.size() > 0 ? freeSlots.removeLast() : slots++;
    accumulators.ensureSlots(slots);
    accumulators.clear(slot);
    return slot;
  }

  private void free(int slot) {
    accumulators.clear(slot);
    freeSlots.add(slot);
  }

  /**
   * Adds row {@code row} of {@code rows}, which stands in a slot of the table, to a key's frame.
   */
  void push(OverKey key, int slot, Batch rows, int row, boolean keep) {
    if (key.backAccumulators < 0) {
      key.backAccumulators = claim();
    }
    add(key.backAccumulators, rows, row);
    if (keep) {
      key.back.add(slot);
    }
  }

  private void add(int accumulatorSlot, Batch rows, int row) {
    oneRow[0] = row;
    oneSlot[0] = accumulatorSlot;
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
    int count = key.back.size();
    int[] moved = new int[count];
    for (int i = 0; i < count; i++) {
      moved[i] = key.back.get(i);
    }
    Batch rows = new Batch(count, table.gather(moved, count));
    for (int i = count - 1; i >= 0; i--) {
      int slot = claim();
      add(slot, rows, i);
      if (i < count - 1) {
        int newer = key.frontAccumulators.get(key.frontAccumulators.size() - 1);
        accumulators.merge(slot, accumulators, newer);
      }
      key.front.add(moved[i]);
      key.frontAccumulators.add(slot);
    }
    key.back.clear();
    if (key.backAccumulators >= 0) {
      accumulators.clear(key.backAccumulators);
    }
  }

  /** Appends the results of a key's frame. */
  void result(OverKey key, List<ColumnBuilder> results) {
    int slot = resultSlot(key);
    for (int call = 0; call < results.size(); call++) {
      accumulators.results(slot, slot + 1, call, results.get(call));
    }
  }

  private int resultSlot(OverKey key) {
    if (key.front.size() == 0) {
      return key.backAccumulators;
    }
    int front = key.frontAccumulators.get(key.frontAccumulators.size() - 1);
    if (key.back.size() == 0) {
      return front;
    }
    accumulators.clear(scratch);
    accumulators.merge(scratch, accumulators, front);
    accumulators.merge(scratch, accumulators, key.backAccumulators);
    return scratch;
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
    for (int i = 0; i < key.frontRows; i++) {
      key.back.add(rows.get(i));
    }
    if (key.frontRows > 0) {
      turnOver(key);
    }
    int count = rows.size() - key.frontRows;
    int[] newer = new int[count];
    for (int i = 0; i < count; i++) {
      newer[i] = rows.get(key.frontRows + i);
    }
    Batch batch = new Batch(count, table.gather(newer, count));
    for (int i = 0; i < count; i++) {
      push(key, newer[i], batch, i, true);
    }
  }
}
