package io.sedge.learning.tensors;

import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * Memory for an input of a model, filled from columns row by row beside each other, that a runtime
 * reads as it is. One thread.
 */
public final class InputBuffer {
  private final Plan plan;
  private final ByteBuffer bytes;
  private final String[] texts;

  /**
   * How a tensor is filled.
   *
   * @param name of the model's input
   * @param type of its elements
   * @param columns the features, side by side
   * @param matrix whether it has the shape (rows, columns), not (rows)
   */
  public record Plan(String name, ElementType type, List<Integer> columns, boolean matrix) {
    public Plan {
      columns = List.copyOf(columns);
    }

    int bytesOfRow() {
      return columns.size() * type.bytes();
    }
  }

  /**
   * One with room.
   *
   * @param rows at most
   */
  InputBuffer(Plan plan, int rows) {
    boolean text = plan.type() == ElementType.STRING;
    this.plan = plan;
    this.texts = new String[text ? rows * plan.columns().size() : 0];
    Arrays.fill(texts, "");
    this.bytes =
        ByteBuffer.allocateDirect(text ? 0 : rows * plan.bytesOfRow())
            .order(ByteOrder.nativeOrder());
  }

  /** What it fills. */
  public Plan plan() {
    return plan;
  }

  /**
   * The shape of a tensor.
   *
   * @param rows of it
   */
  public long[] shape(int rows) {
    return plan.matrix() ? new long[] {rows, plan.columns().size()} : new long[] {rows};
  }

  /**
   * What is filled, of numbers; changes when it is filled again.
   *
   * @param rows of the tensor; those that were not filled hold whatever there was
   */
  public ByteBuffer bytes(int rows) {
    return bytes.slice(0, rows * plan.bytesOfRow()).order(ByteOrder.nativeOrder());
  }

  /**
   * What is filled, of texts.
   *
   * @param rows of the tensor
   */
  public String[] texts(int rows) {
    return Arrays.copyOf(texts, rows * plan.columns().size());
  }

  /**
   * Fills it.
   *
   * @param from the first row of the features
   * @param count how many rows
   */
  void fill(List<Column> features, int from, int count) {
    int width = plan.columns().size();
    for (int i = 0; i < width; i++) {
      put(features.get(plan.columns().get(i)), from, count, i, width);
    }
  }

  private void put(Column column, int from, int count, int first, int step) {
    switch (plan.type()) {
      case FLOAT -> putFloats(column, from, count, first, step);
      case DOUBLE -> putDoubles(column, from, count, first, step);
      case INT64 -> {
        for (int i = 0; i < count; i++) {
          bytes.putLong((first + i * step) * Long.BYTES, integer(column, from + i));
        }
      }
      case INT32 -> {
        for (int i = 0; i < count; i++) {
          bytes.putInt((first + i * step) * Integer.BYTES, (int) integer(column, from + i));
        }
      }
      case BOOL -> {
        boolean[] values = ((BooleanColumn) column).values();
        for (int i = 0; i < count; i++) {
          bytes.put(first + i * step, (byte) (values[from + i] ? 1 : 0));
        }
      }
      case STRING -> {
        StringColumn strings = (StringColumn) column;
        for (int i = 0; i < count; i++) {
          texts[first + i * step] = strings.string(from + i);
        }
      }
    }
  }

  private void putFloats(Column column, int from, int count, int first, int step) {
    int place = first * Float.BYTES;
    int stride = step * Float.BYTES;
    switch (column) {
      case DoubleColumn doubles -> {
        double[] values = doubles.values();
        for (int i = 0; i < count; i++) {
          bytes.putFloat(place + i * stride, (float) values[from + i]);
        }
      }
      case FloatColumn floats -> {
        float[] values = floats.values();
        for (int i = 0; i < count; i++) {
          bytes.putFloat(place + i * stride, values[from + i]);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          bytes.putFloat(place + i * stride, (float) integer(column, from + i));
        }
      }
    }
  }

  private void putDoubles(Column column, int from, int count, int first, int step) {
    int place = first * Double.BYTES;
    int stride = step * Double.BYTES;
    switch (column) {
      case DoubleColumn doubles -> {
        double[] values = doubles.values();
        for (int i = 0; i < count; i++) {
          bytes.putDouble(place + i * stride, values[from + i]);
        }
      }
      case FloatColumn floats -> {
        float[] values = floats.values();
        for (int i = 0; i < count; i++) {
          bytes.putDouble(place + i * stride, values[from + i]);
        }
      }
      default -> {
        for (int i = 0; i < count; i++) {
          bytes.putDouble(place + i * stride, (double) integer(column, from + i));
        }
      }
    }
  }

  private static long integer(Column column, int row) {
    return switch (column) {
      case LongColumn longs -> longs.values()[row];
      case IntColumn ints -> ints.values()[row];
      default -> throw new IllegalStateException(column.getClass() + " holds no integers");
    };
  }
}
