package io.sedge.engine.operator.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.CapacityException;
import io.sedge.engine.column.Column;
import io.sedge.engine.expression.Evaluator;
import io.sedge.engine.expression.FunctionRegistry;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.PlanNode.JoinKind;
import io.sedge.engine.state.StateWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Joins rows (input 0) with those of a small table (input 1), which is kept whole and must have
 * ended before the first row is taken. The rows keep their watermarks and changes.
 */
final class LookupJoinOperator implements Operator {
  /** A table with more rows is not small. */
  static final int MAX_TABLE_ROWS = 1 << 20;

  private static final byte[] ENDED_KEY = {0};
  private static final byte ROWS = 1;

  private final boolean outer;
  private final RowTable table;
  private final ObjectsByKey<Ints> byKey;
  private final ObjectsByKey<Ints> probe;
  private final @Nullable Evaluator condition;
  private final Sieve sieve;
  private final Ints none = new Ints();

  private boolean ended;
  private boolean endedWritten;

  /** Where {@link #join} stands: the row, and the next of those that it finds. */
  private int nextRow;

  private int nextFound;

  /**
   * Whether that row has met one already. A pair that the condition fails for counts: such a row is
   * left out, and not filled with nulls.
   */
  private boolean met;

  private @Nullable Batch pending;

  LookupJoinOperator(PlanNode.LookupJoin plan, FunctionRegistry functions, Sieve sieve) {
    this.sieve = sieve;
    outer = plan.kind() == JoinKind.LEFT;
    table = new RowTable(ROWS, plan.table().schema());
    byKey = new ObjectsByKey<>(plan.tableKeys(), plan.table().schema(), _ -> new Ints());
    probe = byKey.by(plan.inputKeys(), plan.input().schema());
    condition = plan.condition().map(found -> Evaluator.compile(found, functions)).orElse(null);
  }

  @Override
  public boolean ready(int input) {
    return input == 1 || ended;
  }

  @Override
  public void ended(int input) {
    ended |= input == 1;
  }

  @Override
  public boolean process(int input, Batch batch, Output output) {
    if (input == 1) {
      keep(batch);
      return true;
    }
    while (pending != null || nextRow < batch.rows()) {
      pending = pending == null ? join(batch) : pending;
      if (pending.rows() > 0 && !output.offer(pending)) {
        return false;
      }
      pending = null;
    }
    nextRow = 0;
    return true;
  }

  private void keep(Batch batch) {
    if (table.size() + batch.rows() > MAX_TABLE_ROWS) {
      throw new CapacityException(
          "the table of a lookup join has more than %d rows; join a smaller one, or use an interval join"
              .formatted(MAX_TABLE_ROWS));
    }
    for (int row = 0; row < batch.rows(); row++) {
      if (!byKey.anyNull(batch, row)) {
        byKey.at(batch, row).add(table.add(batch, row, 0));
      }
    }
  }

  /** Joins the next rows, until there are as many results as a batch should have. */
  private Batch join(Batch batch) {
    Ints rows = new Ints();
    Ints slots = new Ints();
    while (nextRow < batch.rows() && rows.size() < Batch.TARGET_ROWS) {
      Ints found = find(batch, nextRow);
      int to = Math.min(found.size(), nextFound + Batch.TARGET_ROWS - rows.size());
      for (int i = nextFound; i < to; i++) {
        rows.add(nextRow);
        slots.add(found.get(i));
      }
      if (outer && found.size() == 0) {
        rows.add(nextRow);
        slots.add(-1);
      }
      nextFound = to == found.size() ? 0 : to;
      nextRow += to == found.size() ? 1 : 0;
    }
    Batch joined = joined(batch, rows, slots);
    return condition == null ? joined : select(batch, rows, slots, joined, condition);
  }

  private Ints find(Batch batch, int row) {
    Ints found = probe.anyNull(batch, row) ? null : probe.find(batch, row);
    return found == null ? none : found;
  }

  private Batch joined(Batch batch, Ints rows, Ints slots) {
    Batch left = batch.gather(rows.array(), rows.size());
    List<Column> columns = new ArrayList<>(left.columns());
    columns.addAll(table.gather(slots.array(), slots.size()));
    return left.withColumns(columns);
  }

  private Batch select(Batch batch, Ints rows, Ints slots, Batch joined, Evaluator required) {
    int[] selected = new int[joined.rows()];
    if (!outer) {
      int count = sieve.select(joined, required, selected);
      return count == joined.rows() ? joined : joined.gather(selected, count);
    }
    // The condition is of pairs alone: a row that finds nothing cannot fail it.
    Ints pairs = pairs(slots);
    int count = sieve.select(joined.gather(pairs.array(), pairs.size()), required, selected);
    Ints keptRows = new Ints();
    Ints keptSlots = new Ints();
    int pair = 0;
    int next = 0;
    for (int i = 0; i < rows.size(); i++) {
      if (slots.get(i) >= 0) {
        boolean isSelected = next < count && selected[next] == pair;
        if (isSelected) {
          next++;
          keptRows.add(rows.get(i));
          keptSlots.add(slots.get(i));
        }
        met |= isSelected || sieve.hasFailed(pair);
        pair++;
      }
      boolean last = i + 1 == rows.size() ? nextFound == 0 : rows.get(i + 1) != rows.get(i);
      if (last) {
        if (!met) {
          keptRows.add(rows.get(i));
          keptSlots.add(-1);
        }
        met = false;
      }
    }
    return joined(batch, keptRows, keptSlots);
  }

  /** Where a row has found another. */
  private static Ints pairs(Ints slots) {
    Ints pairs = new Ints();
    for (int i = 0; i < slots.size(); i++) {
      if (slots.get(i) >= 0) {
        pairs.add(i);
      }
    }
    return pairs;
  }

  @Override
  public void writeSnapshot(StateWriter writer) {
    table.writeSnapshot(writer);
    if (ended) {
      writer.put(ENDED_KEY.clone(), new byte[0]);
    }
  }

  @Override
  public long changedEntries() {
    return table.changedEntries();
  }

  @Override
  public void writeChanges(StateWriter writer) {
    table.writeChanges(writer);
    if (ended && !endedWritten) {
      endedWritten = true;
      writer.put(ENDED_KEY.clone(), new byte[0]);
    }
  }

  @Override
  public void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    for (Map.Entry<byte[], byte[]> entry : entries) {
      ended |= entry.getKey()[0] == ENDED_KEY[0];
    }
    endedWritten = ended;
    table.restore(entries, (slot, batch, row) -> byKey.at(batch, row).add(slot));
  }

  @Override
  public void checkInvariants() {
    table.checkInvariants();
  }
}
