package io.sedge.engine.expression.internal;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import org.jspecify.annotations.Nullable;

/**
 * The rows over which nodes are being evaluated: those of a batch, or some of another frame's,
 * whose input columns are gathered when a node asks for them. Keeps the results of shared nodes.
 */
public final class Frame {
  private final int rows;
  private final @Nullable Batch batch;
  private final @Nullable Frame parent;
  private final int[] selected;
  private final @Nullable Column[] inputs;
  private final @Nullable Column[] shared;

  /**
   * @param sharedNodes how many nodes keep their result for others
   */
  public Frame(Batch batch, int sharedNodes) {
    this.rows = batch.rows();
    this.batch = batch;
    this.parent = null;
    this.selected = new int[0];
    this.inputs = new Column[0];
    this.shared = new Column[sharedNodes];
  }

  private Frame(Frame parent, int[] selected, int rows) {
    this.rows = rows;
    this.batch = null;
    this.parent = parent;
    this.selected = selected;
    this.inputs = new Column[parent.width()];
    this.shared = new Column[parent.shared.length];
  }

  int rows() {
    return rows;
  }

  private int width() {
    return batch != null ? batch.width() : inputs.length;
  }

  /** A frame of the rows named; the array must not change while the frame is in use. */
  Frame select(int[] someRows, int count) {
    return count == rows ? this : new Frame(this, someRows, count);
  }

  Column input(int index) {
    if (batch != null) {
      return batch.column(index);
    }
    Column column = inputs[index];
    if (column == null && parent != null) {
      column = parent.input(index).gather(selected, rows);
      inputs[index] = column;
    }
    if (column == null) {
      throw new IllegalStateException("a frame has neither a batch nor a parent");
    }
    return column;
  }

  /** The result that a shared node left here or, for more rows, in a frame above; else null. */
  @Nullable Column shared(int slot) {
    Column column = shared[slot];
    if (column == null && parent != null) {
      Column above = parent.shared(slot);
      if (above != null) {
        column = above.gather(selected, rows);
        shared[slot] = column;
      }
    }
    return column;
  }

  void share(int slot, Column column) {
    shared[slot] = column;
  }
}
