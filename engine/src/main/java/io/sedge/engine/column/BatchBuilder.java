package io.sedge.engine.column;

import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects rows into a {@link Batch}. Each row is given column by column through {@link #column},
 * then ended with {@link #endRow}; a column that was not given is null. {@link #discardRow} takes
 * an unfinished row back, so a decoder that finds a payload malformed half-way leaves no trace. One
 * thread; may be used again after {@link #build}.
 */
public final class BatchBuilder {
  private final List<ColumnBuilder> builders;
  private final List<ChangeKind> changes = new ArrayList<>();
  private final Schema schema;
  private boolean updating;
  private int rows;

  public BatchBuilder(Schema schema) {
    this.schema = schema;
    this.builders = schema.types().stream().map(ColumnBuilder::of).toList();
  }

  public Schema schema() {
    return schema;
  }

  public int rows() {
    return rows;
  }

  public boolean isFull() {
    return rows >= Batch.TARGET_ROWS;
  }

  /** The builder of a column; it must have {@link #rows()} values before the row's own is added. */
  public ColumnBuilder column(int index) {
    return builders.get(index);
  }

  public void endRow() {
    endRow(ChangeKind.INSERT);
  }

  public void endRow(ChangeKind change) {
    rows++;
    for (ColumnBuilder builder : builders) {
      if (builder.size() < rows) {
        builder.addNull();
      }
    }
    changes.add(change);
    updating |= change != ChangeKind.INSERT;
  }

  /** Takes back what was added since the last {@link #endRow}. */
  public void discardRow() {
    for (ColumnBuilder builder : builders) {
      while (builder.size() > rows) {
        builder.removeLast();
      }
    }
  }

  /** Adds a whole row by its object values. */
  public BatchBuilder addRow(@Nullable Object... values) {
    for (int i = 0; i < values.length; i++) {
      builders.get(i).add(values[i]);
    }
    endRow();
    return this;
  }

  /** The rows so far, which may be none; the builder is empty afterwards. */
  public Batch build() {
    List<Column> columns = new ArrayList<>(builders.size());
    for (ColumnBuilder builder : builders) {
      columns.add(builder.build());
    }
    Batch batch =
        new Batch(rows, columns, updating ? changes.toArray(ChangeKind[]::new) : null, null);
    rows = 0;
    changes.clear();
    updating = false;
    return batch;
  }
}
