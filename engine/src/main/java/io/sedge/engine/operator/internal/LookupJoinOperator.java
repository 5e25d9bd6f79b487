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
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Joins rows (input 0) with those of a small table (input 1), which is kept whole and must have
 * ended before the first row is taken. The rows keep their watermarks and changes.
 *
 * <p>The table may be reloaded: what a later reading of it gives is compared with what is kept, and
 * the difference is made at once when that reading is complete. So only what has changed is a
 * change of state, and a reading that is not completed changes nothing.
 */
final class LookupJoinOperator implements Operator {
  /** The input of the table. */
  static final int TABLE = 1;

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
  private @Nullable Reload reload;

  /** Where {@link #join} stands: the row, and the next of those that it finds. */
  private int nextRow;

  private int nextFound;

  /**
   * Whether that row has met one already. A pair that the condition fails for counts: such a row is
   * left out, and not filled with nulls.
   */
  private boolean met;

  private @Nullable Batch pending;

  /** A reading of the table that is under way. */
  private static final class Reload {
    /** The slots whose rows it has given again. */
    private final BitSet found = new BitSet();

    /** What it has given beside them. */
    private final List<Batch> added = new ArrayList<>();

    private final long mostBytes;
    private int rows;
    private long bytes;

    Reload(long mostBytes) {
      this.mostBytes = mostBytes;
    }
  }

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
    return input == TABLE || ended;
  }

  @Override
  public void ended(int input) {
    ended |= input == TABLE;
  }

  @Override
  public boolean process(int input, Batch batch, Output output) {
    if (input == TABLE) {
      if (reload == null) {
        keep(batch);
      } else {
        compare(batch, reload);
      }
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
      throw tooLarge();
    }
    for (int row = 0; row < batch.rows(); row++) {
      if (!byKey.anyNull(batch, row)) {
        byKey.at(batch, row).add(table.add(batch, row, 0));
      }
    }
  }

  private static CapacityException tooLarge() {
    return new CapacityException(
        "the table of a lookup join has more than %d rows; join a smaller one, or use an interval join"
            .formatted(MAX_TABLE_ROWS));
  }

  /**
   * Begins a reading of the table anew; what an earlier one gave and did not complete is dropped.
   *
   * @param mostBytes how much state may change
   */
  void beginReload(long mostBytes) {
    reload = new Reload(mostBytes);
  }

  /** Drops the reading that is under way, if there is one. */
  void dropReload() {
    reload = null;
  }

  /** Looks for each row among those that are kept and that the reading has not given yet. */
  private void compare(Batch batch, Reload under) {
    Ints added = new Ints();
    for (int row = 0; row < batch.rows(); row++) {
      if (byKey.anyNull(batch, row)) {
        continue;
      }
      under.rows++;
      if (!isFound(batch, row, under.found)) {
        added.add(row);
        under.bytes += table.entryBytes(batch, row);
      }
    }
    if (under.rows > MAX_TABLE_ROWS || under.bytes > under.mostBytes) {
      under.added.clear();
    } else if (added.size() > 0) {
      under.added.add(batch.gather(added.array(), added.size()));
    }
  }

  private boolean isFound(Batch batch, int row, BitSet found) {
    Ints slots = byKey.find(batch, row);
    for (int i = 0; slots != null && i < slots.size(); i++) {
      int slot = slots.get(i);
      if (!found.get(slot) && table.holds(slot, batch, row)) {
        found.set(slot);
        return true;
      }
    }
    return false;
  }

  /**
   * Looks whether the reading that was begun can be {@linkplain #endReload ended}.
   *
   * @throws CapacityException if it has given too many rows, or too much would change
   */
  void checkReload() {
    Reload complete = Objects.requireNonNull(reload, "no reload has begun");
    if (complete.rows > MAX_TABLE_ROWS) {
      throw tooLarge();
    }
    int removed = table.size() - complete.found.cardinality();
    if (complete.bytes + (long) removed * RowTable.KEY_BYTES > complete.mostBytes) {
      throw new CapacityException(
          "more than %,d bytes of it have changed at once".formatted(complete.mostBytes));
    }
  }

  /**
   * The reading that was begun is complete: from now on its rows are the table. Not while a row is
   * half joined, nor if {@link #checkReload} throws.
   */
  void endReload() {
    Reload complete = Objects.requireNonNull(reload, "no reload has begun");
    reload = null;
    byKey.removeIf(slots -> retain(slots, complete.found).size() == 0);
    complete.added.forEach(this::keep);
  }

  /** Removes the rows of the other slots, and these from the list. */
  private Ints retain(Ints slots, BitSet retained) {
    int count = 0;
    for (int i = 0; i < slots.size(); i++) {
      int slot = slots.get(i);
      if (retained.get(slot)) {
        slots.set(count++, slot);
      } else {
        table.remove(slot);
      }
    }
    slots.truncate(count);
    return slots;
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
