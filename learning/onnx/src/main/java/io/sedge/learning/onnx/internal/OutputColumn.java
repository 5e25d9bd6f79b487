package io.sedge.learning.onnx.internal;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Type;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/**
 * Which value of a model's output a column is.
 *
 * @param name of the model's output
 * @param index of the value among those of a row
 * @param type of the output's elements
 * @param column the type of the column
 */
record OutputColumn(String name, int index, OnnxJavaType type, Type column) {
  /**
   * Appends the values of the first rows of a result.
   *
   * @param width values of a row
   */
  void append(OnnxTensor tensor, int count, int width, ColumnBuilder output) throws OrtException {
    switch (type) {
      case FLOAT -> {
        FloatBuffer values = tensor.getFloatBuffer();
        boolean narrow = column.kind() == io.sedge.engine.type.Kind.FLOAT;
        for (int i = 0; i < count; i++) {
          float value = values.get(i * width + index);
          if (narrow) {
            output.addFloat(value);
          } else {
            output.addDouble(value);
          }
        }
      }
      case DOUBLE -> {
        DoubleBuffer values = tensor.getDoubleBuffer();
        for (int i = 0; i < count; i++) {
          output.addDouble(values.get(i * width + index));
        }
      }
      case INT64 -> {
        LongBuffer values = tensor.getLongBuffer();
        for (int i = 0; i < count; i++) {
          output.addLong(values.get(i * width + index));
        }
      }
      case INT32 -> {
        IntBuffer values = tensor.getIntBuffer();
        boolean narrow = column.kind() == io.sedge.engine.type.Kind.INT;
        for (int i = 0; i < count; i++) {
          int value = values.get(i * width + index);
          if (narrow) {
            output.addInt(value);
          } else {
            output.addLong(value);
          }
        }
      }
      case BOOL -> {
        ByteBuffer values = tensor.getByteBuffer();
        for (int i = 0; i < count; i++) {
          output.addBoolean(values.get(i * width + index) != 0);
        }
      }
      case STRING -> {
        Object values = tensor.getValue();
        for (int i = 0; i < count; i++) {
          output.addString(
              values instanceof String[][] rows ? rows[i][index] : ((String[]) values)[i]);
        }
      }
      default -> throw new IllegalStateException("no column is made of " + type);
    }
  }
}
