package io.sedge.engine.aggregate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;

/** All aggregates of a group as one, whose result is the accumulators themselves, as a text. */
final class Partials implements Accumulators {
  private static final Base64.Encoder ENCODER = Base64.getEncoder().withoutPadding();

  private final GroupAccumulators groups;

  Partials(GroupAccumulators groups) {
    this.groups = groups;
  }

  static String encode(GroupAccumulators groups, int slot) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      groups.write(slot, new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory", e);
    }
    return ENCODER.encodeToString(bytes.toByteArray());
  }

  /** Replaces a slot with what {@link #encode} gave for the same aggregates. */
  static void decode(String text, GroupAccumulators groups, int slot) {
    byte[] bytes = Base64.getDecoder().decode(text.getBytes(ISO_8859_1));
    try {
      groups.read(slot, new DataInputStream(new ByteArrayInputStream(bytes)));
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "%d bytes are not the accumulators of these aggregates".formatted(bytes.length), e);
    }
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
    groups.add(rows, slots, count, new Batch(arguments.getFirst().size(), arguments));
  }

  @Override
  public void merge(int slot, Accumulators other, int otherSlot) {
    groups.merge(slot, ((Partials) other).groups, otherSlot);
  }

  @Override
  public void result(int slot, ColumnBuilder output) {
    output.addString(encode(groups, slot));
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
