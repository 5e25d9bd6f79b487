package io.sedge.learning.internal;

import io.sedge.engine.aggregate.Accumulators;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Errors of many groups. The arguments are label and score.
 *
 * <p>Format of a slot: its version (1 byte), then what {@link Errors} writes.
 */
public final class EvaluationAccumulators implements Accumulators {
  private static final byte VERSION = 1;

  private final Supplier<Errors> empty;
  private final List<Errors> slots = new ArrayList<>();

  /** Empty ones. */
  public EvaluationAccumulators(Supplier<Errors> empty) {
    this.empty = empty;
  }

  @Override
  public void ensureSlots(int count) {
    while (slots.size() < count) {
      slots.add(empty.get());
    }
  }

  @Override
  public void clear(int slot) {
    slots.set(slot, empty.get());
  }

  @Override
  public void add(int[] rows, int[] targets, int count, List<Column> arguments) {
    Column labels = arguments.getFirst();
    Column scores = arguments.getLast();
    for (int i = 0; i < count; i++) {
      slots.get(targets[i]).add(labels, scores, rows[i]);
    }
  }

  @Override
  public void merge(int slot, Accumulators other, int otherSlot) {
    slots.get(slot).merge(((EvaluationAccumulators) other).slots.get(otherSlot));
  }

  @Override
  public void result(int slot, ColumnBuilder output) {
    output.add(slots.get(slot).metrics());
  }

  @Override
  public void write(int slot, DataOutput output) throws IOException {
    output.writeByte(VERSION);
    slots.get(slot).write(output);
  }

  @Override
  public void read(int slot, DataInput input) throws IOException {
    byte version = input.readByte();
    if (version != VERSION) {
      throw new IOException(
          "what is kept of an evaluation has version %d, not %d".formatted(version, VERSION));
    }
    Errors read = empty.get();
    read.read(input);
    slots.set(slot, read);
  }
}
