package io.sedge.sql.internal.sketch;

import io.sedge.engine.aggregate.Accumulators;
import io.sedge.engine.column.Column;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Accumulators that keep a sketch per slot, made when its first value comes.
 *
 * <p>Format of a slot: the length of the sketch's own serial form (4 bytes, 0 for no sketch), then
 * that form.
 *
 * @param <S> the sketch
 */
abstract class SketchAccumulators<S> implements Accumulators {
  /** Far more than a sketch has. */
  private static final int MAX_BYTES = 1 << 20;

  private final List<@Nullable S> sketches = new ArrayList<>();

  /** An empty sketch. */
  abstract S create();

  /** Adds the value of a row, which is not null. */
  abstract void update(S sketch, Column column, int row);

  /** The sketch with another merged into it; may be the same object. */
  abstract S merged(S sketch, S other);

  abstract byte[] toBytes(S sketch);

  abstract S fromBytes(byte[] bytes);

  /** The sketch of a slot, or null if it has seen no value. */
  final @Nullable S sketch(int slot) {
    return sketches.get(slot);
  }

  @Override
  public final void ensureSlots(int slots) {
    while (sketches.size() < slots) {
      sketches.add(null);
    }
  }

  @Override
  public final void clear(int slot) {
    sketches.set(slot, null);
  }

  @Override
  public final void add(int[] rows, int[] slots, int count, List<Column> arguments) {
    Column column = arguments.getFirst();
    for (int i = 0; i < count; i++) {
      if (!column.isNull(rows[i])) {
        S sketch = sketches.get(slots[i]);
        if (sketch == null) {
          sketch = create();
          sketches.set(slots[i], sketch);
        }
        update(sketch, column, rows[i]);
      }
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public final void merge(int slot, Accumulators other, int otherSlot) {
    S from = ((SketchAccumulators<S>) other).sketches.get(otherSlot);
    if (from == null) {
      return;
    }
    S into = sketches.get(slot);
    sketches.set(slot, merged(into == null ? create() : into, from));
  }

  @Override
  public final void write(int slot, DataOutput output) throws IOException {
    S sketch = sketches.get(slot);
    byte[] bytes = sketch == null ? new byte[0] : toBytes(sketch);
    output.writeInt(bytes.length);
    output.write(bytes);
  }

  @Override
  public final void read(int slot, DataInput input) throws IOException {
    int size = input.readInt();
    if (size < 0 || size > MAX_BYTES) {
      throw new IOException("a sketch of %,d bytes".formatted(size));
    }
    byte[] bytes = new byte[size];
    input.readFully(bytes);
    sketches.set(slot, bytes.length == 0 ? null : fromBytes(bytes));
  }
}
