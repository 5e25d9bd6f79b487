package io.sedge.learning.tensors;

import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Type;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.List;

/**
 * Which value of a model's output a column is.
 *
 * @param name of the model's output
 * @param index of the value among those of a row
 * @param type of the output's elements
 * @param column the type of the column
 */
public record OutputColumn(String name, int index, ElementType type, Type column) {
  /**
   * Appends the values of the first rows of a result.
   *
   * @param width values of a row
   */
  void append(OutputTensor tensor, int count, int width, ColumnBuilder output) {
    switch (type) {
      case FLOAT -> {
        FloatBuffer values = tensor.bytes().asFloatBuffer();
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
        DoubleBuffer values = tensor.bytes().asDoubleBuffer();
        for (int i = 0; i < count; i++) {
          output.addDouble(values.get(i * width + index));
        }
      }
      case INT64 -> {
        LongBuffer values = tensor.bytes().asLongBuffer();
        for (int i = 0; i < count; i++) {
          output.addLong(values.get(i * width + index));
        }
      }
      case INT32 -> {
        IntBuffer values = tensor.bytes().asIntBuffer();
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
        ByteBuffer values = tensor.bytes();
        for (int i = 0; i < count; i++) {
          output.addBoolean(values.get(i * width + index) != 0);
        }
      }
      case STRING -> {
        List<String> values = tensor.texts();
        for (int i = 0; i < count; i++) {
          output.addString(values.get(i * width + index));
        }
      }
    }
  }
}
