package io.sedge.center.store;

import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.uplink.RowBlock;
import io.sedge.uplink.StreamOpening;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows and streams as sites send them. */
final class TestRows {
  /** Window results, as most jobs have them. */
  static final Schema WINDOWS =
      Schema.builder()
          .add("window_end", Type.timestamp(3))
          .add("sensor", Type.STRING)
          .add("average", Type.DOUBLE)
          .build();

  private TestRows() {}

  static StreamOpening opening(String table, Schema schema, Integer... key) {
    return new StreamOpening("job", "task", "sink", table, schema, List.of(key));
  }

  /** A row: what it does, if that is first, and its values. */
  static RowBlock block(Schema schema, long first, Object[]... rows) {
    BatchBuilder builder = new BatchBuilder(schema);
    for (Object[] row : rows) {
      boolean kind = row.length > 0 && row[0] instanceof ChangeKind;
      Object[] values = kind ? Arrays.copyOfRange(row, 1, row.length) : row;
      for (int i = 0; i < values.length; i++) {
        builder.column(i).add(values[i]);
      }
      builder.endRow(kind ? (ChangeKind) row[0] : ChangeKind.INSERT);
    }
    return new RowBlock(first, rows.length, new RowsCodec(schema).encode(List.of(builder.build())));
  }

  /** Rows of {@link #WINDOWS} whose average is their sequence. */
  static RowBlock windows(long first, int rows) {
    Object[][] values = new Object[rows][];
    for (int i = 0; i < rows; i++) {
      long sequence = first + i;
      values[i] = new Object[] {sequence * 10_000_000, "s" + sequence % 5, (double) sequence};
    }
    return block(WINDOWS, first, values);
  }

  static Object[] row(Object... values) {
    return values;
  }

  /** What a query returns, all of it. */
  static List<List<Object>> ask(Store store, String sql) throws StoreException {
    List<List<Object>> rows = new ArrayList<>();
    QueryResult result =
        store.query(
            sql,
            QueryLimits.DEFAULT,
            new RowReceiver() {
              @Override
              public void columns(List<Column> columns) {}

              @Override
              public void row(List<Object> values) {
                rows.add(values);
              }
            });
    if (!result.complete()) {
      throw new AssertionError("more rows than a test asks for");
    }
    return rows;
  }
}
