package io.sedge.learning.tensors;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * An output that a model gave for a portion of rows.
 *
 * @param shape how long it is along each axis
 * @param bytes its elements, row by row, in the machine's order; of no use for texts
 * @param texts its elements if they are texts
 */
public record OutputTensor(List<Long> shape, ByteBuffer bytes, List<String> texts) {
  public OutputTensor {
    bytes = bytes.duplicate().order(ByteOrder.nativeOrder());
  }

  /** How many values a row has; -1 if it is not of so many rows. */
  int width(int rows) {
    if (shape.isEmpty() || shape.size() > 2 || shape.getFirst() != rows) {
      return -1;
    }
    return shape.size() == 1 ? 1 : (int) (long) shape.get(1);
  }
}
