package io.sedge.connector.history.internal;

import static java.util.Objects.requireNonNull;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.LongColumn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Rows in the order of their time, those of equal time as they came.
 *
 * @param times of each row, in microseconds: its time column, or when it came if that is null
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record Rows(Shape shape, int count, List<Column> columns, long[] times) {

  /** Collects rows as they came. */
  static final class Builder {
    private final Shape shape;
    private final BatchCodec codec;
    private final List<ColumnBuilder> columns;
    private long[] arrivals = new long[1024];
    private int count;

    Builder(Shape shape) {
      this.shape = shape;
      this.codec = new BatchCodec(shape.schema());
      this.columns = shape.schema().types().stream().map(ColumnBuilder::of).toList();
    }

    /** Adds the rows of a frame of kind {@link Frames#ROWS}. */
    void add(Frames.Frame frame) throws IOException {
      long arrivedMicros = frame.content().getLong() * 1000;
      int rows = frame.content().getInt();
      codec.decode(frame.content(), rows, columns);
      if (count + rows > arrivals.length) {
        arrivals = Arrays.copyOf(arrivals, Math.max(count + rows, count * 2));
      }
      Arrays.fill(arrivals, count, count + rows, arrivedMicros);
      count += rows;
    }

    Rows build() {
      List<Column> built = columns.stream().map(ColumnBuilder::build).toList();
      long[] times = arrivals;
      if (shape.timeColumn() >= 0) {
        LongColumn column = (LongColumn) built.get(shape.timeColumn());
        for (int row = 0; row < count; row++) {
          times[row] = column.isNull(row) ? times[row] : column.values()[row];
        }
      }
      return new Rows(shape, count, built, times).sorted();
    }
  }

  private boolean isSorted() {
    for (int row = 1; row < count; row++) {
      if (times[row] < times[row - 1]) {
        return false;
      }
    }
    return true;
  }

  private Rows sorted() {
    if (isSorted()) {
      return this;
    }
    Integer[] order = new Integer[count];
    Arrays.setAll(order, row -> row);
    Arrays.sort(order, Comparator.comparingLong(row -> times[requireNonNull(row)]));
    int[] rows = new int[count];
    long[] sortedTimes = new long[count];
    for (int row = 0; row < count; row++) {
      rows[row] = order[row];
      sortedTimes[row] = times[rows[row]];
    }
    List<Column> sortedColumns = new ArrayList<>(columns.size());
    for (Column column : columns) {
      sortedColumns.add(column.gather(rows, count));
    }
    return new Rows(shape, count, sortedColumns, sortedTimes);
  }
}
