package io.sedge.engine.column;

import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
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
  private final ColumnBuilder[] builderArray;
  private final Schema schema;
  private int rows;

  /** One entry per row; absent as long as all are insertions. */
  private ChangeKind @Nullable [] changes;

  public BatchBuilder(Schema schema) {
    this.schema = schema;
    this.builders = schema.types().stream().map(ColumnBuilder::of).toList();
    this.builderArray = builders.toArray(ColumnBuilder[]::new);
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
    return builderArray[index];
  }

  public void endRow() {
    if (changes != null) {
      endRow(ChangeKind.INSERT);
      return;
    }
    rows++;
    fillColumns();
  }

  public void endRow(ChangeKind change) {
    if (changes == null && change != ChangeKind.INSERT) {
      changes = new ChangeKind[Math.max(Batch.TARGET_ROWS, rows + 1)];
      Arrays.fill(changes, ChangeKind.INSERT);
    }
    if (changes != null) {
      if (rows == changes.length) {
        changes = Arrays.copyOf(changes, rows * 2);
      }
      changes[rows] = change;
    }
    rows++;
    fillColumns();
  }

  /** A column that was not given in this row is null. */
  private void fillColumns() {
    for (ColumnBuilder builder : builderArray) {
      if (builder.size() < rows) {
        builder.addNull();
      }
    }
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
        new Batch(rows, columns, changes == null ? null : Arrays.copyOf(changes, rows), null);
    rows = 0;
    changes = null;
    return batch;
  }
}
