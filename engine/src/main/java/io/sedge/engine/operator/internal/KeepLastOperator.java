package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.state.StateWriter;
import java.util.List;
import java.util.Map;

/**
 * The latest row of each partition by event time, as an updating result; of rows with equal times
 * the one that came last (Flink's RowTimeDeduplicateFunction). Rows without a time are dropped and
 * counted.
 */
final class KeepLastOperator extends RowOperator {
  private static final byte ROWS = 1;

  /** The latest row of a partition. */
  private static final class Latest {
    private int slot = -1;
  }

  private final int timeColumn;
  private final boolean ranked;
  private final RowTable table;
  private final ObjectsByKey<Latest> partitions;
  private long nullTimes;

  KeepLastOperator(PlanNode.TopN plan) {
    super(plan.schema());
    timeColumn = plan.orderings().getFirst().column();
    ranked = plan.rankName() != null;
    table = new RowTable(ROWS, plan.input().schema());
    partitions = new ObjectsByKey<>(plan.partition(), plan.input().schema(), _ -> new Latest());
  }

  @Override
  void row(int input, Batch batch, int row, long rowWatermark) {
    LongColumn times = (LongColumn) batch.column(timeColumn);
    if (times.isNull(row)) {
      nullTimes++;
      return;
    }
    Latest latest = partitions.at(batch, row);
    if (latest.slot < 0) {
      latest.slot = table.add(batch, row, 0);
      emit(ChangeKind.INSERT, latest.slot);
      return;
    }
    long time = times.values()[row];
    if (time >= table.column(timeColumn).longAt(latest.slot)) {
      emit(ChangeKind.UPDATE_BEFORE, latest.slot);
      table.remove(latest.slot);
      latest.slot = table.add(batch, row, 0);
      emit(ChangeKind.UPDATE_AFTER, latest.slot);
    }
  }

  private void emit(ChangeKind change, int slot) {
    table.append(slot, out, 0);
    if (ranked) {
      out.column(out.schema().size() - 1).addLong(1);
    }
    out.endRow(change);
  }

  @Override
  public long nullTimeRows() {
    return nullTimes;
  }

  @Override
  boolean fire(long newWatermark) {
    return false;
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
    table.restore(entries, (slot, batch, row) -> partitions.at(batch, row).slot = slot);
  }

  @Override
  public void checkInvariants() {
    table.checkInvariants();
    if (table.size() != partitions.size()) {
      throw new AssertionError(
          "%d rows of %d partitions".formatted(table.size(), partitions.size()));
    }
  }
}
