package io.sedge.connector.jdbc.testkit;

import io.sedge.connector.Delivery;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A table of numbers and texts, and rows for it. */
public final class TestTable {
  public static final Schema SCHEMA =
      Schema.builder().add("number", Type.INT).add("text", Type.STRING).build();

  public static final Delivery.Writer WRITER =
      new Delivery.Writer("a site", "job", "delivery", "readings");

  private TestTable() {}

  /** The table {@code readings} for the table {@code results} of a database. */
  public static TableDescriptor of(
      TestDatabase.Place place, boolean keyed, Map<String, String> more) {
    return of(SCHEMA, place, keyed, more);
  }

  /**
   * @param keyed whether the first column is the key
   */
  public static TableDescriptor of(
      Schema schema, TestDatabase.Place place, boolean keyed, Map<String, String> more) {
    Map<String, String> options = new HashMap<>(place.options("results"));
    options.putAll(more);
    return new TableDescriptor(
        "readings",
        schema,
        Map.of(),
        keyed ? List.of(0) : List.of(),
        List.of(),
        options,
        "test.sql:1");
  }

  /** Rows with these numbers, the last one excluded. */
  public static Batch rows(int from, int to) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (int number = from; number < to; number++) {
      builder.addRow(number, "row " + number);
    }
    return builder.build();
  }

  /** One row. */
  public static Batch row(ChangeKind kind, @Nullable Integer number, @Nullable String text) {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    builder.column(0).add(number);
    builder.column(1).add(text);
    builder.endRow(kind);
    return builder.build();
  }
}
