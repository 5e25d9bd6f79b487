package io.sedge.engine.column;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A column of ROW values: one column per field. */
public final class RowColumn extends Column {
  private final List<Column> fields;

  public RowColumn(List<Column> fields, boolean @Nullable [] nulls, int size) {
    super(size, nulls);
    this.fields = List.copyOf(fields);
  }

  public Column field(int index) {
    return fields.get(index);
  }

  public int fieldCount() {
    return fields.size();
  }

  @Override
  public RowColumn gather(int[] rows, int count) {
    List<Column> gathered = new ArrayList<>(fields.size());
    for (Column field : fields) {
      gathered.add(field.gather(rows, count));
    }
    return new RowColumn(gathered, gatherNulls(rows, count), count);
  }

  @Override
  public RowColumn slice(int from, int to) {
    List<Column> sliced = new ArrayList<>(fields.size());
    for (Column field : fields) {
      sliced.add(field.slice(from, to));
    }
    return new RowColumn(sliced, sliceNulls(from, to), to - from);
  }

  @Override
  public @Nullable List<@Nullable Object> value(int row) {
    if (isNull(row)) {
      return null;
    }
    List<@Nullable Object> list = new ArrayList<>(fields.size());
    for (Column field : fields) {
      list.add(field.value(row));
    }
    return list;
  }
}
