package io.sedge.engine.aggregate;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.state.ValueCodec;
import io.sedge.engine.type.Type;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates whose result is one of the values: FIRST_VALUE, LAST_VALUE, SINGLE_VALUE, and MIN and
 * MAX of types that are not numbers. All but SINGLE_VALUE pass over nulls.
 */
final class KeptValue implements Accumulators {

  /** Which value is kept. */
  enum Choice {
    FIRST,
    LAST,
    LEAST,
    GREATEST,
    /** The only one; a second row is an error, a null counts as a row. */
    ONLY
  }

  private final Choice choice;
  private final Type type;
  private @Nullable Object[] values = new Object[0];

  /** Whether a slot has had a row, for {@link Choice#ONLY}, where the row may be null. */
  private boolean[] filled = new boolean[0];

  KeptValue(Choice choice, Type type) {
    this.choice = choice;
    this.type = type;
  }

  @Override
  public void ensureSlots(int slots) {
    if (slots > values.length) {
      int length = Shared.grown(slots);
      values = Arrays.copyOf(values, length);
      filled = Arrays.copyOf(filled, length);
    }
  }

  @Override
  public void clear(int slot) {
    values[slot] = null;
    filled[slot] = false;
  }

  @Override
  public void add(int[] rows, int[] slots, int count, List<Column> arguments) {
    Column argument = arguments.getFirst();
    for (int i = 0; i < count; i++) {
      if (choice == Choice.ONLY || !argument.isNull(rows[i])) {
        offer(slots[i], argument, rows[i]);
      }
    }
  }

  /** FIRST_VALUE looks at no more values than it keeps. */
  private void offer(int slot, Column argument, int row) {
    if (choice != Choice.FIRST || values[slot] == null) {
      offer(slot, argument.value(row));
    }
  }

  private void offer(int slot, @Nullable Object value) {
    if (replaces(slot, value)) {
      values[slot] = value;
      filled[slot] = true;
    }
  }

  private boolean replaces(int slot, @Nullable Object value) {
    if (!filled[slot]) {
      return true;
    }
    return switch (choice) {
      case FIRST -> false;
      case LAST -> true;
      case LEAST -> Ordered.compare(value, values[slot]) < 0;
      case GREATEST -> Ordered.compare(value, values[slot]) > 0;
      case ONLY ->
          throw new EvaluationException(
              "a subquery that must give one row gave more: %s, then %s; limit it to one row"
                  .formatted(values[slot], value));
    };
  }

  @Override
  public void merge(int slot, Accumulators other, int otherSlot) {
    KeptValue from = (KeptValue) other;
    if (from.filled[otherSlot]) {
      offer(slot, from.values[otherSlot]);
    }
  }

  @Override
  public void result(int slot, ColumnBuilder output) {
    output.add(values[slot]);
  }

  @Override
  public void write(int slot, DataOutput output) throws IOException {
    output.writeBoolean(filled[slot]);
    if (filled[slot]) {
      ValueCodec.write(type, values[slot], output);
    }
  }

  @Override
  public void read(int slot, DataInput input) throws IOException {
    clear(slot);
    if (input.readBoolean()) {
      filled[slot] = true;
      values[slot] = ValueCodec.read(type, input);
    }
  }

  /** The order of SQL among values in object form. */
  private static final class Ordered {
    private Ordered() {}

    static int compare(@Nullable Object left, @Nullable Object right) {
      Objects.requireNonNull(left);
      Objects.requireNonNull(right);
      if (left instanceof String leftString) {
        return StringColumn.compare(leftString, (String) right);
      }
      if (left instanceof Boolean leftBoolean) {
        return leftBoolean.compareTo((Boolean) right);
      }
      throw new IllegalArgumentException("no order among " + left.getClass().getSimpleName());
    }
  }
}
