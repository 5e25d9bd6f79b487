package io.sedge.tensor.runtime;

import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.ndarray.NdArray;
import org.tensorflow.types.TFloat32;

/** Reads what a session computes. */
final class Values {
  private Values() {}

  static float[] floats(ClusterSession session, Operand<TFloat32> operand) {
    return floats(session.step().fetch(operand));
  }

  static float[] floats(ClusterStep step) {
    try (Result result = step.run()) {
      return floats((TFloat32) result.get(0));
    }
  }

  static float[] floats(NdArray<Float> values) {
    float[] flat = new float[Math.toIntExact(values.size())];
    int i = 0;
    for (NdArray<Float> scalar : values.scalars()) {
      flat[i++] = scalar.getObject();
    }
    return flat;
  }
}
