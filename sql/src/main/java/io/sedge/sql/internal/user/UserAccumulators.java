package io.sedge.sql.internal.user;

import io.sedge.engine.aggregate.Accumulators;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The accumulators of a user's aggregate: an object per slot, made when it is needed. */
final class UserAccumulators implements Accumulators {
  private final UserAggregate function;
  private final Signature signature;
  private final List<@Nullable Object> slots = new ArrayList<>();

  UserAccumulators(UserAggregate function, Signature signature) {
    this.function = function;
    this.signature = signature;
  }

  @Override
  public void ensureSlots(int count) {
    while (slots.size() < count) {
      slots.add(null);
    }
  }

  @Override
  public void clear(int slot) {
    slots.set(slot, null);
  }

  /**
   * Nulls are given to the function, as Flink does; one for a primitive parameter is passed over.
   */
  @Override
  public void add(int[] rows, int[] targets, int count, List<Column> arguments) {
    for (int i = 0; i < count; i++) {
      @Nullable Object[] values = new Object[arguments.size() + 1];
      boolean nullForPrimitive = false;
      for (int j = 0; j < arguments.size(); j++) {
        Object value =
            JavaTypes.toJava(arguments.get(j).value(rows[i]), signature.parameters().get(j));
        nullForPrimitive |= value == null && !signature.parameters().get(j).nullable();
        values[j + 1] = value;
      }
      if (!nullForPrimitive) {
        values[0] = accumulator(targets[i]);
        Calls.invoke(function.name(), signature.handle(), values);
      }
    }
  }

  private Object accumulator(int slot) {
    Object accumulator = slots.get(slot);
    if (accumulator == null) {
      accumulator = function.newAccumulator();
      slots.set(slot, accumulator);
    }
    return accumulator;
  }

  @Override
  public void merge(int slot, Accumulators other, int otherSlot) {
    Object from = ((UserAccumulators) other).slots.get(otherSlot);
    if (from != null) {
      Calls.invoke(function.name(), function.mergeHandle(), accumulator(slot), List.of(from));
    }
  }

  @Override
  public void result(int slot, ColumnBuilder output) {
    Object accumulator = slots.get(slot);
    Object value =
        Calls.invoke(
            function.name(),
            function.valueHandle(),
            accumulator == null ? function.newAccumulator() : accumulator);
    output.add(JavaTypes.fromJava(value, function.result()));
  }

  @Override
  public void write(int slot, DataOutput output) throws IOException {
    Object accumulator = slots.get(slot);
    output.writeBoolean(accumulator != null);
    if (accumulator != null) {
      function.fields().write(accumulator, output);
    }
  }

  @Override
  public void read(int slot, DataInput input) throws IOException {
    Object accumulator = null;
    if (input.readBoolean()) {
      accumulator = function.newAccumulator();
      function.fields().read(accumulator, input);
    }
    slots.set(slot, accumulator);
  }
}
