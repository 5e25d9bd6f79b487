package io.sedge.tensor.training.cluster;

import org.tensorflow.internal.types.registry.TensorTypeRegistry;
import org.tensorflow.proto.DataType;
import org.tensorflow.types.family.TType;

/** What TensorFlow knows of its types. */
final class Types {
  private Types() {}

  static DataType of(Class<? extends TType> type) {
    return TensorTypeRegistry.find(type).dataType();
  }

  static long bytes(DataType type) {
    return switch (type) {
      case DT_DOUBLE, DT_INT64, DT_UINT64, DT_COMPLEX64 -> 8;
      case DT_COMPLEX128, DT_STRING -> 16;
      case DT_HALF, DT_BFLOAT16, DT_INT16, DT_UINT16 -> 2;
      case DT_INT8, DT_UINT8, DT_BOOL -> 1;
      default -> 4;
    };
  }
}
