package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.state.StateWriter;
import java.util.List;
import java.util.Map;

/**
 * The rows of each partition with ranks in a range, as an updating result. Rows with equal sort
 * columns rank in the order of arrival.
 *
 * <p>It keeps the rows up to the last rank. The changes are Flink's (AppendOnlyTopNFunction): where
 * ranks are shown or skipped, each rank that gets another row is updated; else the row that falls
 * out is deleted and the one that comes in inserted.
 */
final class TopNOperator extends RowOperator {
  private static final byte ROWS = 1;

  private final long from;
  private final long to;
  private final boolean ranked;
  private final RowTable table;
  private final SlotOrder order;
  private final ObjectsByKey<Ints> partitions;

  TopNOperator(PlanNode.TopN plan) {
    super(plan.schema());
    from = plan.from();
    to = plan.to();
    ranked = plan.rankName() != null;
    table = new RowTable(ROWS, plan.input().schema());
    order = new SlotOrder(table, plan.orderings());
    partitions = new ObjectsByKey<>(plan.partition(), plan.input().schema(), _ -> new Ints());
  }

  @Override
  void row(int input, Batch batch, int row, long rowWatermark) {
    insert(partitions.at(batch, row), batch, row);
  }

  private void insert(Ints partition, Batch batch, int row) {
    int place = order.insert(partition, table.add(batch, row, 0));
    if (updatesRanks()) {
      shiftDown(partition, place);
    } else if (place < to) {
      if (partition.size() > to) {
        emit(ChangeKind.DELETE, partition.get((int) to), to);
      }
      emit(ChangeKind.INSERT, partition.get(place), place);
    }
    if (partition.size() > to) {
      table.remove(partition.removeLast());
    }
  }

  private boolean updatesRanks() {
    return ranked || from > 1;
  }

  /** A row has come in at a place; all behind it have moved one down. */
  private void shiftDown(Ints partition, int place) {
    int last = (int) Math.min(partition.size(), to) - 1;
    for (int i = (int) Math.max(place, from - 1); i <= last; i++) {
      if (i + 1 < partition.size()) {
        emit(ChangeKind.UPDATE_BEFORE, partition.get(i + 1), i);
        emit(ChangeKind.UPDATE_AFTER, partition.get(i), i);
      } else {
        emit(ChangeKind.INSERT, partition.get(i), i);
      }
    }
  }

  private void emit(ChangeKind change, int slot, long place) {
    table.append(slot, out, 0);
    if (ranked) {
      out.column(out.schema().size() - 1).addLong(place + 1);
    }
    out.endRow(change);
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
    table.restore(entries, (slot, batch, row) -> order.insert(partitions.at(batch, row), slot));
  }

  @Override
  public void checkInvariants() {
    table.checkInvariants();
    int rows = 0;
    for (Ints partition : partitions.all()) {
      order.check(partition);
      rows += partition.size();
      if (partition.size() > to) {
        throw new AssertionError("a partition keeps %d rows of %d".formatted(partition.size(), to));
      }
    }
    if (rows != table.size()) {
      throw new AssertionError("%d rows ranked, %d kept".formatted(rows, table.size()));
    }
  }
}
