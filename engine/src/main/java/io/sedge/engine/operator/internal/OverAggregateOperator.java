package io.sedge.engine.operator.internal;

import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.state.StateWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates over each row's predecessors. Rows wait, by key and time, until the watermark passes
 * them; then they come out in time order with the results of their frames (see {@link OverFrames}).
 *
 * <p>When a row is late is Flink's: with an unbounded frame if its time is not above the watermark
 * (AbstractRowTimeUnboundedPrecedingOver); with a bounded one only if its time is not above that of
 * the last row of its key that came out, or not above 1970-01-01T00:00
 * (RowTimeRowsBoundedPrecedingFunction), and with a range of time also as {@link CleanupTimers} has
 * it. A row that is behind the watermark but not late waits for the next watermark; the mark of a
 * row is the watermark at which it comes out. So that nothing depends on how rows are cut into
 * batches, a row whose mark has been reached counts as having come out though it is still here, and
 * a key may have been forgotten (a reset of its timers) before its rows come out.
 */
final class OverAggregateOperator implements Operator {
  private static final byte WATERMARK = 0;
  private static final byte ROWS = 1;
  private static final byte KEY = 2;

  private final int timeColumn;
  private final boolean bounded;
  private final boolean byRows;
  private final boolean ranged;
  private final long preceding;
  private final RowTable table;
  private final SlotColumn times;
  private final ObjectsByKey<OverKey> keys;
  private final TimedHeap<OverKey> waiting = new TimedHeap<>();
  private final TimedHeap<Expiry> expiring = new TimedHeap<>();
  private final Set<OverKey> changedKeys = new LinkedHashSet<>();
  private final List<ObjectsByKey.Key> removedKeys = new ArrayList<>();
  private final OverFrames frames;
  private final List<ColumnBuilder> results;

  private final Ints firing = new Ints();
  private final List<OverKey> groupKeys = new ArrayList<>();
  private final Ints groupEnds = new Ints();
  private @Nullable Batch pending;
  private long watermark = Long.MIN_VALUE;
  private long writtenWatermark = Long.MIN_VALUE;
  private long late;
  private long nullTimes;

  /** When a key is forgotten. */
  static final class Expiry extends TimedHeap.Timed {
    private final OverKey key;

    Expiry(OverKey key) {
      this.key = key;
    }
  }

  OverAggregateOperator(PlanNode.OverAggregate plan, AggregateRegistry registry) {
    timeColumn = plan.timeColumn();
    bounded = plan.frame().preceding() != Long.MAX_VALUE;
    byRows = plan.frame().rows();
    ranged = bounded && !byRows;
    preceding = plan.frame().preceding();
    table = new RowTable(ROWS, plan.input().schema());
    times = table.column(timeColumn);
    keys =
        new ObjectsByKey<>(
            plan.partition(), plan.input().schema(), key -> new OverKey(key, table, times));
    int width = plan.input().schema().size();
    results =
        plan.schema().types().subList(width, plan.schema().size()).stream()
            .map(ColumnBuilder::of)
            .toList();
    frames = new OverFrames(plan, registry, table, results);
  }

  @Override
  public boolean process(int input, Batch batch, Output output) {
    LongColumn column = (LongColumn) batch.column(timeColumn);
    long[] marks = batch.watermarks();
    for (int row = 0; row < batch.rows(); row++) {
      if (column.isNull(row)) {
        nullTimes++;
      } else {
        take(batch, row, column.values()[row], marks == null ? watermark : marks[row]);
      }
    }
    return true;
  }

  private void take(Batch batch, int row, long time, long rowWatermark) {
    if (bounded ? time <= 0 : time <= rowWatermark) {
      late++;
      return;
    }
    OverKey key = keys.at(batch, row);
    if (key.timers.isDue(rowWatermark)) {
      pass(key, rowWatermark);
    }
    if (time <= rowWatermark && time <= key.lastOut(rowWatermark, table)) {
      late++;
      return;
    }
    if (ranged && key.timers.ask(time, rowWatermark, preceding)) {
      changedKeys.add(key);
      expiring.queue(key.expiry, key.timers.lastMark(), 0);
    }
    wait(key, table.add(batch, row, Math.max(time, rowWatermark + 1)));
  }

  /** Carries out the timers of a key that the watermark has passed. */
  private void pass(OverKey key, long rowWatermark) {
    int passed = key.timers.passed(rowWatermark);
    if (passed == key.timers.count()) {
      forget(key, key.timers.lastMark());
    } else {
      key.lastTime = Math.max(key.lastTime, key.timers.time(passed - 1));
    }
    key.timers.removeFirst(passed);
    changedKeys.add(key);
  }

  private void forget(OverKey key, long mark) {
    key.lastTime = Long.MIN_VALUE;
    if (key.waiting.size() > 0) {
      key.timers.addReset(mark);
    } else {
      frames.evictTo(key, 0);
    }
  }

  private void wait(OverKey key, int slot) {
    key.waiting.insert(slot);
    if (key.waiting.get(0) == slot) {
      requeue(key);
    }
  }

  private void requeue(OverKey key) {
    if (key.waiting.size() == 0) {
      waiting.remove(key);
    } else {
      int first = key.waiting.get(0);
      // Of equal times, the first to come is the first to go: row numbers are the order.
      waiting.queue(key, table.mark(first), table.number(first));
    }
  }

  @Override
  public boolean advance(long newWatermark, Output output) {
    while (true) {
      if (pending != null) {
        if (!output.offer(pending)) {
          return false;
        }
        pending = null;
      }
      collect(newWatermark);
      if (firing.size() == 0) {
        break;
      }
      pending = fire();
    }
    expire(newWatermark);
    watermark = newWatermark;
    return output.advance(newWatermark);
  }

  /** Takes rows that are due, in whole groups of equal key and time, up to about a batch. */
  private void collect(long newWatermark) {
    firing.clear();
    groupKeys.clear();
    groupEnds.clear();
    OverKey key = waiting.first();
    while (key != null && key.due() <= newWatermark && firing.size() < Batch.TARGET_ROWS) {
      long time = key.waiting.time(0);
      while (key.waiting.size() > 0
          && key.waiting.time(0) == time
          && table.mark(key.waiting.get(0)) == key.due()) {
        firing.add(key.waiting.get(0));
        key.waiting.removeFirst();
      }
      requeue(key);
      groupKeys.add(key);
      groupEnds.add(firing.size());
      key = waiting.first();
    }
  }

  private Batch fire() {
    int count = firing.size();
    List<Column> columns = new ArrayList<>(table.gather(firing.array(), count));
    Batch rows = new Batch(count, columns);
    if (bounded) {
      frames.prepare(rows);
    }
    int from = 0;
    for (int group = 0; group < groupKeys.size(); group++) {
      OverKey key = groupKeys.get(group);
      int to = groupEnds.get(group);
      fire(key, rows, from, to);
      changedKeys.add(key);
      from = to;
    }
    frames.flush();
    for (ColumnBuilder result : results) {
      columns.add(result.build());
    }
    return new Batch(count, columns);
  }

  private void fire(OverKey key, Batch rows, int from, int to) {
    long time = times.longAt(firing.get(from));
    if (ranged) {
      if (key.timers.dropResetsBefore(table.mark(firing.get(from)))) {
        frames.evictTo(key, 0);
      }
      frames.evictBefore(key, time - preceding);
    }
    if (!key.timers.hasResets()) {
      key.lastTime = Math.max(key.lastTime, time);
    }
    if (!byRows) {
      for (int i = from; i < to; i++) {
        push(key, rows, i);
      }
    }
    for (int i = from; i < to; i++) {
      if (byRows) {
        push(key, rows, i);
        if (bounded) {
          frames.evictTo(key, preceding + 1);
        }
      }
      frames.result(key);
    }
    if (!bounded) {
      for (int i = from; i < to; i++) {
        table.remove(firing.get(i));
      }
    }
  }

  private void push(OverKey key, Batch rows, int row) {
    if (bounded) {
      frames.push(key, firing.get(row), row);
    } else {
      frames.add(key, rows, row);
    }
  }

  private void expire(long newWatermark) {
    Expiry expiry = expiring.first();
    while (expiry != null && expiry.due() <= newWatermark) {
      expiring.remove(expiry);
      OverKey key = expiry.key;
      if (key.timers.isDue(newWatermark)) {
        pass(key, newWatermark);
      }
      if (key.waiting.size() == 0 && key.timers.count() == 0) {
        drop(key);
      }
      expiry = expiring.first();
    }
  }

  /** Drops a key that has been forgotten and has no rows. */
  private void drop(OverKey key) {
    frames.evictTo(key, 0);
    frames.release(key);
    keys.remove(key.key);
    changedKeys.remove(key);
    if (key.written) {
      removedKeys.add(key.key);
    }
  }

  @Override
  public long lateRows() {
    return late;
  }

  @Override
  public long nullTimeRows() {
    return nullTimes;
  }

  @Override
  public void writeSnapshot(StateWriter writer) {
    if (watermark != Long.MIN_VALUE) {
      writer.put(new byte[] {WATERMARK}, encodedWatermark());
    }
    table.writeSnapshot(writer);
    for (OverKey key : keys.all()) {
      if (!key.isBlank()) {
        writer.put(key.key.tagged(KEY), frames.encode(key));
      }
    }
  }

  @Override
  public long changedEntries() {
    return table.changedEntries() + removedKeys.size() + changedKeys.size();
  }

  @Override
  public void writeChanges(StateWriter writer) {
    if (watermark != writtenWatermark) {
      writtenWatermark = watermark;
      writer.put(new byte[] {WATERMARK}, encodedWatermark());
    }
    table.writeChanges(writer);
    removedKeys.forEach(key -> writer.remove(key.tagged(KEY)));
    removedKeys.clear();
    for (OverKey key : changedKeys) {
      key.written = true;
      writer.put(key.key.tagged(KEY), frames.encode(key));
    }
    changedKeys.clear();
  }

  private byte[] encodedWatermark() {
    return ByteBuffer.allocate(Long.BYTES).putLong(watermark).array();
  }

  @Override
  public void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    for (Map.Entry<byte[], byte[]> entry : entries) {
      if (entry.getKey()[0] == WATERMARK) {
        watermark = ByteBuffer.wrap(entry.getValue()).getLong();
        writtenWatermark = watermark;
      } else if (entry.getKey()[0] == KEY) {
        OverKey key = keys.at(ObjectsByKey.Key.untagged(entry.getKey()));
        frames.decode(key, entry.getValue());
        key.written = true;
      }
    }
    Map<OverKey, SortedSlots> fired = new LinkedHashMap<>();
    table.restore(
        entries,
        (slot, batch, row) -> {
          OverKey key = keys.at(batch, row);
          if (table.mark(slot) <= watermark) {
            fired.computeIfAbsent(key, _ -> new SortedSlots(times)).insert(slot);
          } else {
            wait(key, slot);
          }
        });
    fired.forEach(frames::rebuild);
    for (OverKey key : keys.all()) {
      if (key.timers.count() > 0) {
        expiring.queue(key.expiry, key.timers.lastMark(), 0);
      }
    }
  }

  @Override
  public void checkInvariants() {
    table.checkInvariants();
    waiting.checkInvariants();
    expiring.checkInvariants();
    int rows = 0;
    for (OverKey key : keys.all()) {
      key.waiting.checkInvariants();
      rows += key.waiting.size() + (bounded ? key.frameSize() : 0);
      if (key.waiting.size() > 0 && table.mark(key.waiting.get(0)) <= watermark) {
        throw new AssertionError("a row waits though the watermark has passed it");
      }
    }
    if (rows != table.size()) {
      throw new AssertionError("%d rows by key, %d kept".formatted(rows, table.size()));
    }
  }
}
