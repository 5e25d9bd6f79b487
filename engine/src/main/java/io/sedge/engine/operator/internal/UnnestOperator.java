package io.sedge.engine.operator.internal;

import io.sedge.engine.column.ArrayColumn;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.RowColumn;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Each row once for each element of its array. Of a batch as many elements are given at a time as a
 * batch has rows, so that a long array makes many batches and never a large one; where the result
 * keeps an array of the row, or a ROW that has one, fewer, since each row of the result has a copy.
 * So a batch has {@link #MOST_COPIES} values in arrays and those of one row more at most.
 */
final class UnnestOperator implements Operator {
  /** A batch with as many values in arrays takes no more rows. */
  private static final int MOST_COPIES = 1 << 16;

  /** Stands for an element of a row that has none. */
  private static final int NONE = -1;

  private final PlanNode.Unnest plan;
  private final int[] kept;

  /** How far it came in the batch at hand. */
  private int row;

  private int element;

  /** Whether the row at hand has given one. */
  private boolean given;

  private @Nullable Batch pending;

  UnnestOperator(PlanNode.Unnest plan) {
    this.plan = plan;
    this.kept = plan.kept().stream().mapToInt(Integer::intValue).toArray();
  }

  @Override
  public boolean process(int input, Batch batch, Output output) {
    ArrayColumn arrays = (ArrayColumn) batch.column(plan.array());
    Batch rows = batch.project(kept);
    while (true) {
      Batch result = pending == null ? next(batch.rows(), rows, arrays) : pending;
      if (result.rows() > 0 && !output.offer(result)) {
        pending = result;
        return false;
      }
      pending = null;
      if (row == batch.rows()) {
        row = 0;
        element = 0;
        return true;
      }
    }
  }

  /** The next rows of the result, as many as fit into a batch. */
  private Batch next(int count, Batch rows, ArrayColumn arrays) {
    Elements found = new Elements();
    long copies = 0;
    while (row < count && found.size < Batch.TARGET_ROWS && copies < MOST_COPIES) {
      int first = arrays.offsets()[row];
      int length = arrays.isNull(row) ? 0 : arrays.offsets()[row + 1] - first;
      if (element < length) {
        if (!isNullRow(arrays.elements(), first + element)) {
          found.add(row, first + element, element + 1);
          copies += copied(rows, row) + inArrays(arrays.elements(), first + element);
          given = true;
        }
        element++;
      } else if (plan.outer() && !given) {
        found.add(row, NONE, 0);
        given = true;
      } else {
        row++;
        element = 0;
        given = false;
      }
    }
    return found.result(rows, arrays.elements());
  }

  private static boolean isNullRow(Column elements, int index) {
    return elements instanceof RowColumn && elements.isNull(index);
  }

  /** How many values in arrays a row of the result has of its row. */
  private static long copied(Batch rows, int from) {
    long copied = 0;
    for (int i = 0; i < rows.width(); i++) {
      copied += inArrays(rows.column(i), from);
    }
    return copied;
  }

  private static long inArrays(Column column, int row) {
    return switch (column) {
      case ArrayColumn array ->
          values(array.elements(), array.offsets()[row], array.offsets()[row + 1]);
      case RowColumn fields -> {
        long sum = 0;
        for (int i = 0; i < fields.fieldCount(); i++) {
          sum += inArrays(fields.field(i), row);
        }
        yield sum;
      }
      default -> 0;
    };
  }

  /** How many values there are from one row to before another, in ROWs and arrays too. */
  private static long values(Column column, int from, int to) {
    long sum = (long) to - from;
    if (column instanceof ArrayColumn array) {
      sum += values(array.elements(), array.offsets()[from], array.offsets()[to]);
    } else if (column instanceof RowColumn fields) {
      for (int i = 0; i < fields.fieldCount(); i++) {
        sum += values(fields.field(i), from, to);
      }
    }
    return sum;
  }

  /** Rows of the result: of which row, and which element. */
  private final class Elements {
    private final int[] rows = new int[Batch.TARGET_ROWS];
    private final int[] elements = new int[Batch.TARGET_ROWS];
    private final int[] numbers = new int[Batch.TARGET_ROWS];
    private int size;
    private boolean complete = true;

    void add(int ofRow, int ofElement, int number) {
      rows[size] = ofRow;
      elements[size] = ofElement;
      numbers[size] = number;
      size++;
      complete &= ofElement != NONE;
    }

    Batch result(Batch batch, Column values) {
      Batch gathered = batch.gather(rows, size);
      List<Column> columns = new ArrayList<>(gathered.columns());
      columns.addAll(complete ? whole(values) : withNulls(values));
      if (plan.ordinality()) {
        columns.add(numbers());
      }
      return gathered.withColumns(columns);
    }

    private List<Column> whole(Column values) {
      if (!(values instanceof RowColumn spread)) {
        return List.of(values.gather(elements, size));
      }
      List<Column> fields = new ArrayList<>();
      for (int i = 0; i < spread.fieldCount(); i++) {
        fields.add(spread.field(i).gather(elements, size));
      }
      return fields;
    }

    private List<Column> withNulls(Column values) {
      List<Column> columns = new ArrayList<>();
      int fields = values instanceof RowColumn spread ? spread.fieldCount() : 1;
      for (int field = 0; field < fields; field++) {
        Type type = plan.schema().type(kept.length + field);
        ColumnBuilder builder = ColumnBuilder.of(type.withNullable(true));
        Column source = values instanceof RowColumn spread ? spread.field(field) : values;
        for (int i = 0; i < size; i++) {
          builder.add(elements[i] == NONE ? null : source.value(elements[i]));
        }
        columns.add(builder.build());
      }
      return columns;
    }

    private Column numbers() {
      boolean[] nulls = new boolean[size];
      for (int i = 0; i < size; i++) {
        nulls[i] = elements[i] == NONE;
      }
      return new IntColumn(Arrays.copyOf(numbers, size), complete ? null : nulls, size);
    }
  }
}
