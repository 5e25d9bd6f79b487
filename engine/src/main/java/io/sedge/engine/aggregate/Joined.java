package io.sedge.engine.aggregate;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.state.ValueCodec;
import io.sedge.engine.type.Type;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** LISTAGG: the strings of a group, joined by a separator, in the order of the rows. */
final class Joined extends SingleArgument {
  private final String separator;
  private @Nullable StringBuilder[] texts = new StringBuilder[0];

  Joined(String separator) {
    this.separator = separator;
  }

  @Override
  public void ensureSlots(int slots) {
    if (slots > texts.length) {
      texts = Arrays.copyOf(texts, Shared.grown(slots));
    }
  }

  @Override
  public void clear(int slot) {
    texts[slot] = null;
  }

  @Override
  void addPresent(Selection selection, Column argument) {
    StringColumn strings = (StringColumn) argument;
    for (int i = 0; i < selection.count(); i++) {
      append(selection.slots()[i], strings.string(selection.rows()[i]));
    }
  }

  private void append(int slot, CharSequence text) {
    StringBuilder builder = texts[slot];
    if (builder == null) {
      texts[slot] = new StringBuilder(text);
    } else {
      builder.append(separator).append(text);
    }
  }

  @Override
  public void merge(int slot, Accumulators other, int otherSlot) {
    StringBuilder text = ((Joined) other).texts[otherSlot];
    if (text != null) {
      append(slot, text);
    }
  }

  @Override
  public void result(int slot, ColumnBuilder output) {
    StringBuilder text = texts[slot];
    output.add(text == null ? null : text.toString());
  }

  @Override
  public void write(int slot, DataOutput output) throws IOException {
    StringBuilder text = texts[slot];
    ValueCodec.write(Type.STRING, text == null ? null : text.toString(), output);
  }

  @Override
  public void read(int slot, DataInput input) throws IOException {
    Object text = ValueCodec.read(Type.STRING, input);
    texts[slot] = text == null ? null : new StringBuilder((String) text);
  }
}
