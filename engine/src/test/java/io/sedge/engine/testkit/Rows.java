package io.sedge.engine.testkit;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes batches tersely and prints them.
 *
 * <pre>
 * Batch batch = Rows.of(schema).add("a", 1L).add(ChangeKind.DELETE, "b", 2L).build();
 * </pre>
 */
public final class Rows {
  private final BatchBuilder builder;
  private final List<Long> watermarks = new ArrayList<>();

  private Rows(Schema schema) {
    builder = new BatchBuilder(schema);
  }

  public static Rows of(Schema schema) {
    return new Rows(schema);
  }

  /** A schema from name, type, name, type ... */
  public static Schema schema(Object... namesAndTypes) {
    Schema.Builder schema = Schema.builder();
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      schema.add((String) namesAndTypes[i], (Type) namesAndTypes[i + 1]);
    }
    return schema.build();
  }

  /** Adds an insertion. */
  public Rows add(@Nullable Object... values) {
    return add(ChangeKind.INSERT, values);
  }

  public Rows add(ChangeKind change, @Nullable Object... values) {
    if (values.length != builder.schema().size()) {
      throw new IllegalArgumentException(
          "%d values for %s".formatted(values.length, builder.schema()));
    }
    for (int i = 0; i < values.length; i++) {
      builder.column(i).add(values[i]);
    }
    builder.endRow(change);
    return this;
  }

  /** Adds an insertion before which {@code watermark} was in force; then all rows must have one. */
  public Rows addAt(long watermark, @Nullable Object... values) {
    watermarks.add(watermark);
    return add(values);
  }

  public int size() {
    return builder.rows();
  }

  public Batch build() {
    Batch batch = builder.build();
    if (watermarks.isEmpty()) {
      return batch;
    }
    if (watermarks.size() != batch.rows()) {
      throw new IllegalStateException("some rows have a watermark and some have none");
    }
    long[] marks = watermarks.stream().mapToLong(Long::longValue).toArray();
    watermarks.clear();
    return batch.withWatermarks(marks);
  }

  /** The rows of a batch. */
  public static List<Change> changes(Batch batch) {
    List<Change> changes = new ArrayList<>(batch.rows());
    for (int i = 0; i < batch.rows(); i++) {
      changes.add(new Change(batch.change(i), batch.row(i)));
    }
    return changes;
  }

  /** One line per row: {@code +I[a, 1]}. */
  public static String print(Batch batch) {
    return changes(batch).stream().map(Change::toString).collect(Collectors.joining("\n"));
  }

  /** A row and what it does to the result. */
  public record Change(ChangeKind kind, List<@Nullable Object> values) {
    /** An insertion. */
    public static Change of(@Nullable Object... values) {
      return of(ChangeKind.INSERT, values);
    }

    public static Change of(ChangeKind kind, @Nullable Object... values) {
      List<@Nullable Object> list = new ArrayList<>();
      for (Object value : values) {
        list.add(value);
      }
      return new Change(kind, list);
    }

    public boolean adds() {
      return kind == ChangeKind.INSERT || kind == ChangeKind.UPDATE_AFTER;
    }

    @Override
    public String toString() {
      return kind.symbol() + values;
    }
  }
}
