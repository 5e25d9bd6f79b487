package io.sedge.engine.operator.internal;

import io.sedge.engine.aggregate.Accumulators;
import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.state.ValueCodec;
import io.sedge.engine.type.Type;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * ROW_NUMBER and LAG as accumulators, for OVER. LEAD is not there: Flink has none on streams,
 * because a row's result would have to wait for a later row.
 */
final class OffsetAggregates {
  static final AggregateRegistry REGISTRY =
      call ->
          switch (call.function()) {
            case "ROW_NUMBER" -> Optional.<Supplier<Accumulators>>of(RowNumbers::new);
            case "LAG" -> Optional.of(() -> lag(call));
            default -> Optional.empty();
          };

  private OffsetAggregates() {}

  private static Accumulators lag(AggregateCall call) {
    List<Expression.Literal> parameters = call.parameters();
    Object offset = parameters.isEmpty() ? Integer.valueOf(1) : parameters.getFirst().value();
    if (!(offset instanceof Number number) || number.longValue() < 0) {
      throw new IllegalArgumentException(
          "LAG (column `%s`) looks back %s rows; it must be a number, 0 or more"
              .formatted(call.name(), offset));
    }
    Object missing = parameters.size() > 1 ? parameters.get(1).value() : null;
    return new Lag(call.argumentTypes().getFirst(), number.intValue(), missing);
  }

  /** Counts rows. */
  private static final class RowNumbers implements Accumulators {
    private long[] counts = {};

    @Override
    public void ensureSlots(int slots) {
      if (slots > counts.length) {
        counts = Arrays.copyOf(counts, Math.max(slots, counts.length * 2));
      }
    }

    @Override
    public void clear(int slot) {
      counts[slot] = 0;
    }

    @Override
    public void add(int[] rows, int[] slots, int count, List<Column> arguments) {
      for (int i = 0; i < count; i++) {
        counts[slots[i]]++;
      }
    }

    @Override
    public void merge(int slot, Accumulators other, int otherSlot) {
      counts[slot] += ((RowNumbers) other).counts[otherSlot];
    }

    @Override
    public void result(int slot, ColumnBuilder output) {
      output.addLong(counts[slot]);
    }

    @Override
    public void write(int slot, DataOutput output) throws IOException {
      output.writeLong(counts[slot]);
    }

    @Override
    public void read(int slot, DataInput input) throws IOException {
      counts[slot] = input.readLong();
    }
  }

  /** Keeps the last {@code offset + 1} values, nulls among them. */
  private static final class Lag implements Accumulators {
    private final Type type;
    private final int offset;
    private final @Nullable Object missing;
    private final List<Deque<Optional<Object>>> values = new ArrayList<>();

    Lag(Type type, int offset, @Nullable Object missing) {
      this.type = type;
      this.offset = offset;
      this.missing = missing;
    }

    @Override
    public void ensureSlots(int slots) {
      while (values.size() < slots) {
        values.add(new ArrayDeque<>(2));
      }
    }

    @Override
    public void clear(int slot) {
      values.get(slot).clear();
    }

    @Override
    public void add(int[] rows, int[] slots, int count, List<Column> arguments) {
      for (int i = 0; i < count; i++) {
        append(slots[i], Optional.ofNullable(arguments.getFirst().value(rows[i])));
      }
    }

    private void append(int slot, Optional<Object> value) {
      Deque<Optional<Object>> kept = values.get(slot);
      kept.addLast(value);
      if (kept.size() > offset + 1) {
        kept.removeFirst();
      }
    }

    @Override
    public void merge(int slot, Accumulators other, int otherSlot) {
      ((Lag) other).values.get(otherSlot).forEach(value -> append(slot, value));
    }

    @Override
    public void result(int slot, ColumnBuilder output) {
      Deque<Optional<Object>> kept = values.get(slot);
      output.add(kept.size() > offset ? kept.getFirst().orElse(null) : missing);
    }

    @Override
    public void write(int slot, DataOutput output) throws IOException {
      output.writeInt(values.get(slot).size());
      for (Optional<Object> value : values.get(slot)) {
        ValueCodec.write(type, value.orElse(null), output);
      }
    }

    @Override
    public void read(int slot, DataInput input) throws IOException {
      clear(slot);
      int size = input.readInt();
      for (int i = 0; i < size; i++) {
        append(slot, Optional.ofNullable(ValueCodec.read(type, input)));
      }
    }
  }
}
