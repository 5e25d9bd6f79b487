package io.sedge.learning.onnx.internal;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Fills a tensor of a model from columns, row by row beside each other, in memory that the runtime
 * reads as it is.
 */
final class InputTensor {
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
  record Plan(String name, OnnxJavaType type, List<Integer> columns, boolean matrix) {
    Plan {
      columns = List.copyOf(columns);
    }

    int bytesOfRow() {
      return columns.size() * (type == OnnxJavaType.STRING ? Long.BYTES : type.size);
    }
  }

  /**
   * One with room.
   *
   * @param rows at most
   */
  InputTensor(Plan plan, int rows) {
    boolean text = plan.type() == OnnxJavaType.STRING;
    this.plan = plan;
    this.texts = new String[text ? rows * plan.columns().size() : 0];
    this.bytes =
        ByteBuffer.allocateDirect(text ? 0 : rows * plan.bytesOfRow())
            .order(ByteOrder.nativeOrder());
  }

  String name() {
    return plan.name();
  }

  /**
   * A tensor over this memory.
   *
   * @param from the first row of the features
   * @param count how many rows
   * @param rows of the tensor; those at and beyond {@code count} hold whatever there was
   */
  OnnxTensor fill(OrtEnvironment environment, List<Column> features, int from, int count, int rows)
      throws OrtException {
    int width = plan.columns().size();
    for (int i = 0; i < width; i++) {
      put(features.get(plan.columns().get(i)), from, count, i, width);
    }
    long[] shape = plan.matrix() ? new long[] {rows, width} : new long[] {rows};
    if (plan.type() == OnnxJavaType.STRING) {
      String[] flat = new String[rows * width];
      for (int i = 0; i < flat.length; i++) {
        flat[i] = i < count * width ? texts[i] : "";
      }
      return OnnxTensor.createTensor(environment, flat, shape);
    }
    ByteBuffer filled = bytes.duplicate().order(ByteOrder.nativeOrder());
    filled.position(0).limit(rows * plan.bytesOfRow());
    return OnnxTensor.createTensor(environment, filled, shape, plan.type());
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
      default -> throw new IllegalStateException("no columns fill a tensor of " + plan.type());
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
