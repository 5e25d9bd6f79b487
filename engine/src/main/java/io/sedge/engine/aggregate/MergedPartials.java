package io.sedge.engine.aggregate;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.StringColumn;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Merges what {@link Partials} give; the result is a ROW of the results of all aggregates. */
final class MergedPartials implements Accumulators {
  private final GroupAccumulators groups;

  /** One slot, into which a partial result is read before it is merged. */
  private final GroupAccumulators partial;

  /** One for each aggregate. */
  private final List<ColumnBuilder> results;

  MergedPartials(GroupAccumulators groups, GroupAccumulators partial, List<AggregateCall> calls) {
    this.groups = groups;
    this.partial = partial;
    this.results = calls.stream().map(call -> ColumnBuilder.of(call.type())).toList();
    partial.ensureSlots(1);
  }

  @Override
  public void ensureSlots(int slots) {
    groups.ensureSlots(slots);
  }

  @Override
  public void clear(int slot) {
    groups.clear(slot);
  }

  @Override
  public void add(int[] rows, int[] slots, int count, List<Column> arguments) {
    StringColumn texts = (StringColumn) arguments.getFirst();
    for (int i = 0; i < count; i++) {
      partial.clear(0);
      Partials.decode(texts.string(rows[i]), partial, 0);
      groups.merge(slots[i], partial, 0);
    }
  }

  @Override
  public void merge(int slot, Accumulators other, int otherSlot) {
    groups.merge(slot, ((MergedPartials) other).groups, otherSlot);
  }

  @Override
  public void result(int slot, ColumnBuilder output) {
    List<@Nullable Object> row = new ArrayList<>(results.size());
    for (int call = 0; call < results.size(); call++) {
      ColumnBuilder result = results.get(call);
      groups.results(slot, slot + 1, call, result);
      row.add(result.build().value(0));
    }
    output.add(row);
  }

  @Override
  public void write(int slot, DataOutput output) throws IOException {
    groups.write(slot, output);
  }

  @Override
  public void read(int slot, DataInput input) throws IOException {
    groups.read(slot, input);
  }
}
