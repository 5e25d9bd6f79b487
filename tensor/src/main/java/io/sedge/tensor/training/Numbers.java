package io.sedge.tensor.training;

import org.tensorflow.Operand;
import org.tensorflow.Tensor;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.buffer.DataBuffers;
import org.tensorflow.op.Ops;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TFloat64;
import org.tensorflow.types.family.TFloating;

/**
 * A precision and its tensors.
 *
 * @param <T> the tensor type
 */
interface Numbers<T extends TFloating> {
  Class<T> type();

  /** A tensor of the first numbers of an array. */
  Tensor tensor(double[] values, Shape shape);

  double[] read(Tensor tensor);

  default Operand<T> constant(Ops ops, double value) {
    return ops.dtypes.cast(ops.constant(value), type());
  }

  static Numbers<? extends TFloating> of(Model.Precision precision) {
    return switch (precision) {
      case FLOAT32 -> new Single();
      case FLOAT64 -> new Wide();
    };
  }

  /** Four bytes. */
  final class Single implements Numbers<TFloat32> {
    @Override
    public Class<TFloat32> type() {
      return TFloat32.class;
    }

    @Override
    public Tensor tensor(double[] values, Shape shape) {
      float[] narrow = new float[Math.toIntExact(shape.size())];
      for (int i = 0; i < narrow.length; i++) {
        narrow[i] = (float) values[i];
      }
      return TFloat32.tensorOf(shape, DataBuffers.of(narrow, true, false));
    }

    @Override
    public Operand<TFloat32> constant(Ops ops, double value) {
      return ops.constant((float) value);
    }

    @Override
    public double[] read(Tensor tensor) {
      float[] narrow = new float[Math.toIntExact(tensor.shape().size())];
      ((TFloat32) tensor).asRawTensor().data().asFloats().read(narrow);
      double[] values = new double[narrow.length];
      for (int i = 0; i < narrow.length; i++) {
        values[i] = narrow[i];
      }
      return values;
    }
  }

  /** Eight bytes. */
  final class Wide implements Numbers<TFloat64> {
    @Override
    public Class<TFloat64> type() {
      return TFloat64.class;
    }

    @Override
    public Tensor tensor(double[] values, Shape shape) {
      int length = Math.toIntExact(shape.size());
      return TFloat64.tensorOf(shape, DataBuffers.of(values, true, false).narrow(length));
    }

    @Override
    public Operand<TFloat64> constant(Ops ops, double value) {
      return ops.constant(value);
    }

    @Override
    public double[] read(Tensor tensor) {
      double[] values = new double[Math.toIntExact(tensor.shape().size())];
      ((TFloat64) tensor).asRawTensor().data().asDoubles().read(values);
      return values;
    }
  }
}
