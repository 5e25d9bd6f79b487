package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.state.StateWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The earliest row of each partition by event time, given out once when the watermark passes it; of
 * rows with equal times the one that came first (Flink's RowTimeDeduplicateKeepFirstRowFunction). A
 * row before the watermark is late; one at the watermark waits for the next; one without a time is
 * dropped and counted. A partition that has given its row out is remembered for good.
 */
final class KeepFirstOperator extends RowOperator {
  private static final byte ROWS = 1;
  private static final byte GIVEN = 2;

  /** A partition: its earliest row so far, or that it has given one out. */
  private static final class Earliest extends TimedHeap.Timed {
    private final ObjectsByKey.Key key;
    private int slot = -1;
    private boolean given;

    Earliest(ObjectsByKey.Key key) {
      this.key = key;
    }
  }

  private final int timeColumn;
  private final boolean ranked;
  private final RowTable table;
  private final ObjectsByKey<Earliest> partitions;
  private final TimedHeap<Earliest> waiting = new TimedHeap<>();
  private final List<ObjectsByKey.Key> newlyGiven = new ArrayList<>();
  private long late;
  private long nullTimes;

  KeepFirstOperator(PlanNode.TopN plan) {
    super(plan.schema());
    timeColumn = plan.orderings().getFirst().column();
    ranked = plan.rankName() != null;
    table = new RowTable(ROWS, plan.input().schema());
    partitions = new ObjectsByKey<>(plan.partition(), plan.input().schema(), Earliest::new);
  }

  @Override
  void row(int input, Batch batch, int row, long rowWatermark) {
    LongColumn times = (LongColumn) batch.column(timeColumn);
    if (times.isNull(row)) {
      nullTimes++;
      return;
    }
    long time = times.values()[row];
    if (time < rowWatermark) {
      late++;
      return;
    }
    Earliest earliest = partitions.at(batch, row);
    if (earliest.given) {
      return;
    }
    if (earliest.slot >= 0) {
      // One that is due already, though still here, is not later than the watermark.
      if (time >= table.column(timeColumn).longAt(earliest.slot)) {
        return;
      }
      table.remove(earliest.slot);
    }
    long due = time == rowWatermark ? time + 1 : time;
    wait(earliest, table.add(batch, row, due));
  }

  private void wait(Earliest earliest, int slot) {
    earliest.slot = slot;
    waiting.queue(earliest, table.mark(slot), table.number(slot));
  }

  @Override
  boolean fire(long newWatermark) {
    Earliest earliest = waiting.first();
    if (earliest == null || earliest.due() > newWatermark) {
      return false;
    }
    waiting.remove(earliest);
    table.append(earliest.slot, out, 0);
    if (ranked) {
      out.column(out.schema().size() - 1).addLong(1);
    }
    out.endRow();
    table.remove(earliest.slot);
    earliest.slot = -1;
    earliest.given = true;
    newlyGiven.add(earliest.key);
    return true;
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
  void snapshot(StateWriter writer) {
    table.writeSnapshot(writer);
    for (Earliest earliest : partitions.all()) {
      if (earliest.given) {
        writer.put(earliest.key.tagged(GIVEN), new byte[0]);
      }
    }
  }

  @Override
  public long changedEntries() {
    return table.changedEntries() + newlyGiven.size();
  }

  @Override
  void changes(StateWriter writer) {
    table.writeChanges(writer);
    newlyGiven.forEach(key -> writer.put(key.tagged(GIVEN), new byte[0]));
    newlyGiven.clear();
  }

  @Override
  void restoreRows(List<Map.Entry<byte[], byte[]>> entries) {
    for (Map.Entry<byte[], byte[]> entry : entries) {
      if (entry.getKey()[0] == GIVEN) {
        partitions.at(ObjectsByKey.Key.untagged(entry.getKey())).given = true;
      }
    }
    table.restore(entries, (slot, batch, row) -> wait(partitions.at(batch, row), slot));
  }

  @Override
  public void checkInvariants() {
    table.checkInvariants();
    waiting.checkInvariants();
    if (table.size() != waiting.size()) {
      throw new AssertionError("%d rows, %d waiting".formatted(table.size(), waiting.size()));
    }
  }
}
