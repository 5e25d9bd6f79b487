package io.sedge.engine.column;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of a stream, up to {@link #TARGET_ROWS} as a rule, as columns. Immutable.
 *
 * <p>Two things may ride along, one entry per row, absent where they say nothing:
 *
 * <ul>
 *   <li>{@link #changes()}: what the row does to an updating result; absent means that all rows are
 *       insertions.
 *   <li>{@link #watermarks()}: the watermark (microseconds) in force just before the row. With it,
 *       whether a row is late does not depend on how a stream was cut into batches. Absent: the
 *       last watermark that {@code advance} announced holds for all rows.
 * </ul>
 */
public final class Batch {
  /** The size that sources and operators aim at: large enough to amortise calls, within L2. */
  public static final int TARGET_ROWS = 4096;

  private final int rows;
  private final List<Column> columns;
  private final ChangeKind @Nullable [] changes;
  private final long @Nullable [] watermarks;

  public Batch(
      int rows,
      List<? extends Column> columns,
      ChangeKind @Nullable [] changes,
      long @Nullable [] watermarks) {
    for (Column column : columns) {
      if (column.size() != rows) {
        throw new IllegalArgumentException(
            "a column has %d rows in a batch of %d".formatted(column.size(), rows));
      }
    }
    this.rows = rows;
    this.columns = List.copyOf(columns);
    this.changes = changes;
    this.watermarks = watermarks;
  }

  public Batch(int rows, List<? extends Column> columns) {
    this(rows, columns, null, null);
  }

  public int rows() {
    return rows;
  }

  public List<Column> columns() {
    return columns;
  }

  public Column column(int index) {
    return columns.get(index);
  }

  public ChangeKind @Nullable [] changes() {
    return changes;
  }

  public ChangeKind change(int row) {
    return changes == null ? ChangeKind.INSERT : changes[row];
  }

  public long @Nullable [] watermarks() {
    return watermarks;
  }

  /** The same rows with other columns; what rides along stays. */
  public Batch withColumns(List<? extends Column> newColumns) {
    return new Batch(rows, newColumns, changes, watermarks);
  }

  public Batch withWatermarks(long[] newWatermarks) {
    return new Batch(rows, columns, changes, newWatermarks);
  }

  /** A batch of the rows named, in that order. */
  public Batch gather(int[] selected, int count) {
    List<Column> gathered = new ArrayList<>(columns.size());
    for (Column column : columns) {
      gathered.add(column.gather(selected, count));
    }
    ChangeKind[] gatheredChanges = null;
    if (changes != null) {
      gatheredChanges = new ChangeKind[count];
      for (int i = 0; i < count; i++) {
        gatheredChanges[i] = changes[selected[i]];
      }
    }
    long[] gatheredWatermarks = null;
    if (watermarks != null) {
      gatheredWatermarks = new long[count];
      for (int i = 0; i < count; i++) {
        gatheredWatermarks[i] = watermarks[selected[i]];
      }
    }
    return new Batch(count, gathered, gatheredChanges, gatheredWatermarks);
  }

  /** A batch of the rows {@code from} to {@code to - 1}. */
  public Batch slice(int from, int to) {
    if (from == 0 && to == rows) {
      return this;
    }
    List<Column> sliced = new ArrayList<>(columns.size());
    for (Column column : columns) {
      sliced.add(column.slice(from, to));
    }
    return new Batch(
        to - from,
        sliced,
        changes == null ? null : Arrays.copyOfRange(changes, from, to),
        watermarks == null ? null : Arrays.copyOfRange(watermarks, from, to));
  }

  /** The values of a row as objects; for edges and tests. */
  public List<@Nullable Object> row(int row) {
    List<@Nullable Object> values = new ArrayList<>(columns.size());
    for (Column column : columns) {
      values.add(column.value(row));
    }
    return values;
  }
}
