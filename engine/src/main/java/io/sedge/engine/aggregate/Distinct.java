package io.sedge.engine.aggregate;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.state.ValueCodec;
import io.sedge.engine.type.Type;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate over the distinct values of its arguments: lets a row through to {@code inner} the
 * first time that its slot sees the values. The sets are the state; the inner accumulators are made
 * again from them. Rows with a null among the arguments do not count.
 */
final class Distinct implements Accumulators {
  private final Accumulators inner;
  private final List<Type> types;
  private @Nullable Set<List<Object>>[] seen;

  Distinct(Accumulators inner, List<Type> types) {
    this.inner = inner;
    this.types = types;
    this.seen = newSets(0);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of generic types
  private static @Nullable Set<List<Object>>[] newSets(int length) {
    return new Set[length];
  }

  @Override
  public void ensureSlots(int slots) {
    inner.ensureSlots(slots);
    if (slots > seen.length) {
      seen = Arrays.copyOf(seen, Shared.grown(slots));
    }
  }

  @Override
  public void clear(int slot) {
    seen[slot] = null;
    inner.clear(slot);
  }

  @Override
  public void add(int[] rows, int[] slots, int count, List<Column> arguments) {
    int[] newRows = new int[count];
    int[] newSlots = new int[count];
    int kept = 0;
    for (int i = 0; i < count; i++) {
      List<Object> values = values(arguments, rows[i]);
      if (values != null && set(slots[i]).add(values)) {
        newRows[kept] = rows[i];
        newSlots[kept++] = slots[i];
      }
    }
    inner.add(newRows, newSlots, kept, arguments);
  }

  private static @Nullable List<Object> values(List<Column> arguments, int row) {
    List<Object> values = new ArrayList<>(arguments.size());
    for (Column argument : arguments) {
      Object value = argument.value(row);
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    return values;
  }

  private Set<List<Object>> set(int slot) {
    Set<List<Object>> set = seen[slot];
    if (set == null) {
      set = new LinkedHashSet<>();
      seen[slot] = set;
    }
    return set;
  }

  /** Adds values that are not rows of a batch. */
  private void addValues(int slot, Iterable<List<Object>> added) {
    List<ColumnBuilder> builders = types.stream().map(ColumnBuilder::of).toList();
    int count = 0;
    for (List<Object> values : added) {
      if (set(slot).add(values)) {
        for (int i = 0; i < values.size(); i++) {
          builders.get(i).add(values.get(i));
        }
        count++;
      }
    }
    if (count > 0) {
      int[] rows = new int[count];
      Arrays.setAll(rows, i -> i);
      int[] slots = new int[count];
      Arrays.fill(slots, slot);
      List<Column> columns = new ArrayList<>();
      for (ColumnBuilder builder : builders) {
        columns.add(builder.build());
      }
      inner.add(rows, slots, count, columns);
    }
  }

  @Override
  public void merge(int slot, Accumulators other, int otherSlot) {
    Set<List<Object>> others = ((Distinct) other).seen[otherSlot];
    if (others != null) {
      addValues(slot, others);
    }
  }

  @Override
  public void result(int slot, ColumnBuilder output) {
    inner.result(slot, output);
  }

  @Override
  public void write(int slot, DataOutput output) throws IOException {
    Set<List<Object>> set = seen[slot];
    output.writeInt(set == null ? 0 : set.size());
    if (set != null) {
      for (List<Object> values : set) {
        for (int i = 0; i < types.size(); i++) {
          ValueCodec.write(types.get(i), values.get(i), output);
        }
      }
    }
  }

  @Override
  public void read(int slot, DataInput input) throws IOException {
    clear(slot);
    int size = input.readInt();
    // Parts come from other machines: what is read costs no more memory than it is long.
    List<List<Object>> sets = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      List<Object> values = new ArrayList<>(types.size());
      for (Type type : types) {
        Object value = ValueCodec.read(type, input);
        if (value == null) {
          throw new IOException("a null among distinct values");
        }
        values.add(value);
      }
      sets.add(values);
    }
    addValues(slot, sets);
  }
}
