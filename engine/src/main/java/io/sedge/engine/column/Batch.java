package io.sedge.engine.column;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of a stream, up to {@link #TARGET_ROWS} as a rule, as columns. Immutable, but for what
 * it works out when it is asked: it belongs to one thread at a time.
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
 *
 * <p>A batch may be a view of some of another's rows ({@link #select}). It copies a column when
 * somebody asks for it; who can work in place uses {@link #source} and {@link #sourceRows}.
 */
public final class Batch {
  /** The size that sources and operators aim at: large enough to amortise calls, within L2. */
  public static final int TARGET_ROWS = 4096;

  private static final @Nullable Column[] NONE = {};

  private final int rows;
  private final List<Column> columns;
  private final ChangeKind @Nullable [] changes;
  private final @Nullable Watermarks watermarks;

  /** Which rows of {@link #columns} these are; null for all. */
  private final int @Nullable [] selected;

  /** The columns of a view that have been asked for. */
  private final @Nullable Column[] gathered;

  public Batch(
      int rows,
      List<? extends Column> columns,
      ChangeKind @Nullable [] changes,
      long @Nullable [] watermarks) {
    this(rows, columns, changes, watermarks == null ? null : Watermarks.of(watermarks, rows));
  }

  private Batch(
      int rows,
      List<? extends Column> columns,
      ChangeKind @Nullable [] changes,
      @Nullable Watermarks watermarks) {
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
    this.selected = null;
    this.gathered = NONE;
  }

  /** A view. */
  private Batch(
      int rows,
      int[] selected,
      List<Column> columns,
      ChangeKind @Nullable [] changes,
      @Nullable Watermarks watermarks) {
    this.rows = rows;
    this.columns = columns;
    this.changes = changes;
    this.watermarks = watermarks;
    this.selected = selected;
    this.gathered = new Column[columns.size()];
  }

  public Batch(int rows, List<? extends Column> columns) {
    this(rows, columns, null, (Watermarks) null);
  }

  public int rows() {
    return rows;
  }

  /** The number of columns. */
  public int width() {
    return columns.size();
  }

  public List<Column> columns() {
    if (selected == null) {
      return columns;
    }
    List<Column> all = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      all.add(column(i));
    }
    return List.copyOf(all);
  }

  public Column column(int index) {
    if (selected == null) {
      return columns.get(index);
    }
    Column column = gathered[index];
    if (column == null) {
      column = columns.get(index).gather(selected, rows);
      gathered[index] = column;
    }
    return column;
  }

  /**
   * The batch that this is a view of, for those who can work on its columns in place; itself if it
   * is none. What rides along is not there.
   */
  public Batch source() {
    if (selected == null) {
      return this;
    }
    return new Batch(columns.isEmpty() ? 0 : columns.getFirst().size(), columns);
  }

  /**
   * The rows of {@link #source} that are this batch's, ascending, one entry per row at least; null
   * if they are all. Not to be written to.
   */
  public int @Nullable [] sourceRows() {
    return selected;
  }

  public ChangeKind @Nullable [] changes() {
    return changes;
  }

  public ChangeKind change(int row) {
    return changes == null ? ChangeKind.INSERT : changes[row];
  }

  public long @Nullable [] watermarks() {
    return watermarks == null ? null : watermarks.perRow();
  }

  /**
   * Whether no row's watermark is as late as an instant; where there are none, whatever the
   * instant. May be false though it is so.
   */
  public boolean watermarksAreBefore(long instant) {
    return watermarks == null || watermarks.bound() < instant;
  }

  /** The same rows with other columns; what rides along stays. */
  public Batch withColumns(List<? extends Column> newColumns) {
    return new Batch(rows, newColumns, changes, watermarks);
  }

  /** The same rows with some of the columns, in the order given. */
  public Batch project(int[] indexes) {
    List<Column> some = new ArrayList<>(indexes.length);
    for (int index : indexes) {
      some.add(columns.get(index));
    }
    return selected == null
        ? new Batch(rows, some, changes, watermarks)
        : new Batch(rows, selected, List.copyOf(some), changes, watermarks);
  }

  public Batch withWatermarks(long[] newWatermarks) {
    return withWatermarks(Watermarks.of(newWatermarks, rows));
  }

  /**
   * The same rows with the watermarks that follow from each row's own, which counts from the row
   * after it on.
   *
   * @param before the watermark in force before the first row
   * @param own each row's watermark; null ones change nothing
   */
  public Batch withWatermarksAfter(long before, LongColumn own) {
    return withWatermarks(Watermarks.after(before, own));
  }

  /** The watermark in force after {@link #withWatermarksAfter} has counted all rows. */
  public long lastWatermark() {
    return watermarks == null ? Long.MIN_VALUE : watermarks.bound();
  }

  private Batch withWatermarks(Watermarks newWatermarks) {
    return selected == null
        ? new Batch(rows, columns, changes, newWatermarks)
        : new Batch(rows, selected, columns, changes, newWatermarks);
  }

  /** A batch of the rows named, in that order. */
  public Batch gather(int[] some, int count) {
    List<Column> copies = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      copies.add(column(i).gather(some, count));
    }
    return new Batch(
        count,
        copies,
        gatherChanges(some, count),
        watermarks == null ? null : watermarks.gather(Arrays.copyOf(some, count), count));
  }

  /**
   * A view of the rows named. It keeps this batch in memory, so it is for selections of most of the
   * rows, and for as long as batches are passed on.
   *
   * @param some the rows, ascending; the caller gives the array up
   */
  public Batch select(int[] some, int count) {
    int[] composed = some;
    if (selected != null) {
      composed = new int[count];
      for (int i = 0; i < count; i++) {
        composed[i] = selected[some[i]];
      }
    }
    return new Batch(
        count,
        composed,
        columns,
        gatherChanges(some, count),
        watermarks == null ? null : watermarks.gather(some, count));
  }

  private ChangeKind @Nullable [] gatherChanges(int[] some, int count) {
    if (changes == null) {
      return null;
    }
    ChangeKind[] copies = new ChangeKind[count];
    for (int i = 0; i < count; i++) {
      copies[i] = changes[some[i]];
    }
    return copies;
  }

  /** A batch of the rows {@code from} to {@code to - 1}. */
  public Batch slice(int from, int to) {
    if (from == 0 && to == rows) {
      return this;
    }
    List<Column> sliced = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      sliced.add(column(i).slice(from, to));
    }
    return new Batch(
        to - from,
        sliced,
        changes == null ? null : Arrays.copyOfRange(changes, from, to),
        watermarks == null ? null : Arrays.copyOfRange(watermarks.perRow(), from, to));
  }

  /** The values of a row as objects; for edges and tests. */
  public List<@Nullable Object> row(int row) {
    List<@Nullable Object> values = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      values.add(column(i).value(row));
    }
    return values;
  }
}
