package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.state.StateWriter;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The rows of each window with ranks in a range, once the watermark passes the window's end less 1
 * ms; with range 1 to 1 the deduplication of a window, where the later of two rows of equal event
 * time wins if it keeps the last. Rows of a closed window are late. Of each open window it keeps
 * the rows up to the last rank.
 */
final class WindowTopNOperator extends RowOperator {
  private static final byte ROWS = 1;

  /** A partition of one window. */
  private static final class Ranked extends TimedHeap.Timed {
    private final ObjectsByKey.Key key;
    private final Ints slots = new Ints();

    Ranked(ObjectsByKey.Key key) {
      this.key = key;
    }
  }

  private final long from;
  private final long to;
  private final int windowEnd;
  private final boolean ranked;
  private final boolean keepsLast;
  private final RowTable table;
  private final SlotOrder order;
  private final ObjectsByKey<Ranked> partitions;
  private final TimedHeap<Ranked> closing = new TimedHeap<>();
  private final LocalClock clock;
  private long arrivals;
  private long late;
  private long nullTimes;

  WindowTopNOperator(PlanNode.TopN plan) {
    super(plan.schema());
    from = plan.from();
    to = plan.to();
    windowEnd = plan.windowEnd();
    ranked = plan.rankName() != null;
    keepsLast = PlanFacts.isWindowKeepLast(plan);
    table = new RowTable(ROWS, plan.input().schema());
    order = new SlotOrder(table, plan.orderings());
    List<Integer> columns = new ArrayList<>(plan.partition());
    if (!columns.contains(windowEnd)) {
      columns.add(windowEnd);
    }
    partitions = new ObjectsByKey<>(columns, plan.input().schema(), Ranked::new);
    clock = new LocalClock(ZoneId.of(plan.zone()));
  }

  @Override
  void row(int input, Batch batch, int row, long rowWatermark) {
    if (batch.column(windowEnd).isNull(row)) {
      nullTimes++;
      return;
    }
    long closes = closes(batch, row);
    if (closes <= rowWatermark) {
      late++;
      return;
    }
    insert(partitions.at(batch, row), table.add(batch, row, 0), closes);
  }

  private long closes(Batch batch, int row) {
    return clock.overAt(((LongColumn) batch.column(windowEnd)).values()[row]);
  }

  private void insert(Ranked partition, int slot, long closes) {
    if (keepsLast) {
      order.insertBeforeEqual(partition.slots, slot);
    } else {
      order.insert(partition.slots, slot);
    }
    if (partition.slots.size() > to) {
      table.remove(partition.slots.removeLast());
    }
    if (!partition.isQueued()) {
      closing.queue(partition, closes, arrivals++);
    }
  }

  private void drop(Ranked partition) {
    closing.remove(partition);
    partitions.remove(partition.key);
  }

  @Override
  boolean fire(long newWatermark) {
    Ranked partition = closing.first();
    if (partition == null || partition.due() > newWatermark) {
      return false;
    }
    Ints slots = partition.slots;
    for (int i = 0; i < slots.size(); i++) {
      if (i + 1 >= from && i + 1 <= to) {
        table.append(slots.get(i), out, 0);
        if (ranked) {
          out.column(out.schema().size() - 1).addLong(i + 1L);
        }
        out.endRow();
      }
      table.remove(slots.get(i));
    }
    drop(partition);
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
  }

  @Override
  public long changedEntries() {
    return table.changedEntries();
  }

  @Override
  void changes(StateWriter writer) {
    table.writeChanges(writer);
  }

  @Override
  void restoreRows(List<Map.Entry<byte[], byte[]>> entries) {
    table.restore(
        entries, (slot, batch, row) -> insert(partitions.at(batch, row), slot, closes(batch, row)));
  }

  @Override
  public void checkInvariants() {
    table.checkInvariants();
    closing.checkInvariants();
    int rows = 0;
    for (Ranked partition : partitions.all()) {
      order.check(partition.slots);
      rows += partition.slots.size();
    }
    if (rows != table.size() || closing.size() != partitions.size()) {
      throw new AssertionError(
          "%d rows ranked, %d kept; %d partitions, %d to close"
              .formatted(rows, table.size(), partitions.size(), closing.size()));
    }
  }
}
