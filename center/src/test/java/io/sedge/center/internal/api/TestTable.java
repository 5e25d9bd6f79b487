package io.sedge.center.internal.api;

import io.sedge.center.store.Store;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.uplink.RowBlock;
import io.sedge.uplink.StreamOpening;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table {@code machines} that the site {@code north} has sent. */
public final class TestTable {
  private static final Schema SCHEMA =
      Schema.builder()
          .add("window_end", Type.timestamp(3))
          .add("machine", Type.STRING)
          .add("temperature", Type.DOUBLE)
          .add("readings", Type.BIGINT)
          .add("ok", Type.BOOLEAN)
          .build();

  private static final long MICROS = 1_000_000;
  private static final long WINDOW = 10;

  private TestTable() {}

  /** Stores windows of 10 s from 1970 on, of two machines in turn, and a row of oddities first. */
  public static void fill(Store store, int windows) throws Exception {
    store.sites().enrol("north", "ledger-1", "aa");
    long stream =
        store
            .openStream(
                "north",
                new StreamOpening("plant", "press", "machines", "machines", SCHEMA, List.of()))
            .id();
    BatchBuilder rows = new BatchBuilder(SCHEMA);
    add(rows, 0, "a,\"b\"\n", null, Long.MAX_VALUE, null);
    for (int i = 1; i <= windows; i++) {
      add(rows, i * WINDOW * MICROS, i % 2 == 0 ? "press" : "oven", i + 0.5, (long) i, true);
    }
    var _ =
        store
            .append(
                "north",
                stream,
                List.of(
                    new RowBlock(
                        1, windows + 1, new RowsCodec(SCHEMA).encode(List.of(rows.build())))))
            .get();
  }

  private static void add(BatchBuilder rows, @Nullable Object... values) {
    for (int i = 0; i < values.length; i++) {
      rows.column(i).add(values[i]);
    }
    rows.endRow(ChangeKind.INSERT);
  }
}
