package io.sedge.engine.operator.internal;

import io.sedge.engine.aggregate.GroupAccumulators;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.state.StateWriter;
import io.sedge.engine.type.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Aggregation over all rows so far, an updating result. For each batch and each key in it, the
 * result before and after make one change: +I for a new key, -U and +U where the result differs,
 * nothing where it does not. Flink makes the changes row by row; what they add up to is the same.
 */
final class GroupOperator implements Operator {
  private final PlanNode.GroupAggregate node;
  private final GroupStore store;
  private final Deque<Batch> waiting = new ArrayDeque<>();
  private boolean processed;

  GroupOperator(PlanNode.GroupAggregate node, GroupAccumulators.Factory factory) {
    this.node = node;
    int[] keys = node.keys().stream().mapToInt(Integer::intValue).toArray();
    List<Type> types = node.schema().types().subList(0, keys.length);
    this.store = new GroupStore(() -> new Groups(new KeyTable(keys, types), factory.create()));
  }

  @Override
  public boolean process(int input, Batch batch, Output output) {
    if (!processed) {
      aggregate(batch);
      processed = true;
    }
    while (!waiting.isEmpty()) {
      if (!output.offer(waiting.getFirst())) {
        return false;
      }
      waiting.removeFirst();
    }
    processed = false;
    return true;
  }

  private void aggregate(Batch batch) {
    int[] rows = new int[batch.rows()];
    Arrays.setAll(rows, i -> i);
    int[] slots = new int[batch.rows()];
    int known = store.groups().size();
    store.groups().keys.slots(batch, rows, rows.length, slots);
    store.groups().ensureSlots();
    int[] touched = Arrays.stream(slots).distinct().toArray();
    List<Column> before = results(touched);
    store.groups().accumulators.add(rows, slots, rows.length, batch);
    for (int slot : touched) {
      store.change(slot);
    }
    emit(touched, known, before, results(touched));
  }

  private List<Column> results(int[] slots) {
    List<Column> columns = new ArrayList<>();
    for (int call = 0; call < node.aggregates().size(); call++) {
      ColumnBuilder builder = ColumnBuilder.of(node.aggregates().get(call).type());
      for (int slot : slots) {
        store.groups().accumulators.results(slot, slot + 1, call, builder);
      }
      columns.add(builder.build());
    }
    return columns;
  }

  private void emit(int[] touched, int known, List<Column> before, List<Column> after) {
    Changes changes = new Changes(touched, before, after);
    for (int i = 0; i < touched.length; i++) {
      if (touched[i] >= known) {
        changes.add(i, after, ChangeKind.INSERT);
      } else if (changes.differs(i)) {
        changes.add(i, before, ChangeKind.UPDATE_BEFORE);
        changes.add(i, after, ChangeKind.UPDATE_AFTER);
      }
    }
    changes.flush();
  }

  /** The changes of a batch on their way to {@link #waiting}. */
  private final class Changes {
    private final int[] slots;
    private final List<Column> before;
    private final List<Column> after;
    private final List<ColumnBuilder> builders =
        node.schema().types().stream().map(ColumnBuilder::of).toList();
    private final List<ChangeKind> kinds = new ArrayList<>();

    Changes(int[] slots, List<Column> before, List<Column> after) {
      this.slots = slots;
      this.before = before;
      this.after = after;
    }

    boolean differs(int index) {
      for (int call = 0; call < before.size(); call++) {
        if (!Objects.equals(before.get(call).value(index), after.get(call).value(index))) {
          return true;
        }
      }
      return false;
    }

    void add(int index, List<Column> results, ChangeKind kind) {
      int keys = node.keys().size();
      for (int key = 0; key < keys; key++) {
        store.groups().keys.append(slots[index], key, builders.get(key));
      }
      for (int call = 0; call < results.size(); call++) {
        builders.get(keys + call).add(results.get(call).value(index));
      }
      kinds.add(kind);
      if (kinds.size() >= Batch.TARGET_ROWS && kind != ChangeKind.UPDATE_BEFORE) {
        flush();
      }
    }

    void flush() {
      if (!kinds.isEmpty()) {
        List<Column> columns = new ArrayList<>();
        builders.forEach(builder -> columns.add(builder.build()));
        waiting.add(new Batch(kinds.size(), columns, kinds.toArray(ChangeKind[]::new), null));
        kinds.clear();
      }
    }
  }

  @Override
  public void writeSnapshot(StateWriter writer) {
    store.writeSnapshot(writer);
  }

  @Override
  public long changedEntries() {
    return store.changedEntries();
  }

  @Override
  public void writeChanges(StateWriter writer) {
    store.writeChanges(writer);
  }

  @Override
  public void restore(Iterable<Map.Entry<byte[], byte[]>> entries) {
    store.restore(entries);
  }

  @Override
  public void checkInvariants() {
    store.checkInvariants();
  }
}
