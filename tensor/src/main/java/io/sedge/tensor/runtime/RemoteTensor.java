package io.sedge.tensor.runtime;

import io.sedge.tensor.DeviceName;
import org.jspecify.annotations.Nullable;
import org.tensorflow.Tensor;
import org.tensorflow.internal.c_api.TFE_TensorHandle;
import org.tensorflow.proto.DataType;

/**
 * A tensor on a device of a cluster, or a handle to a variable there. Belongs to one connection of
 * its {@link ClusterContext}; after another it is stale, and using it is a {@link
 * StaleTensorException}. What the device holds is freed when it is closed.
 *
 * <p>For any number of threads.
 */
public final class RemoteTensor implements AutoCloseable {
  private final ClusterContext context;
  private final TFE_TensorHandle handle;
  private final long generation;
  private final DeviceName device;
  private final DataType dataType;
  private boolean closed;

  RemoteTensor(
      ClusterContext context,
      TFE_TensorHandle handle,
      long generation,
      DeviceName device,
      DataType dataType) {
    this.context = context;
    this.handle = handle;
    this.generation = generation;
    this.device = device;
    this.dataType = dataType;
  }

  /** The device that holds it. */
  public DeviceName device() {
    return device;
  }

  /** The type of its elements; {@code DT_RESOURCE} for a handle. */
  public DataType dataType() {
    return dataType;
  }

  /**
   * Its value, copied here if it is elsewhere; the caller closes it.
   *
   * @throws StaleTensorException if it is of an earlier connection
   * @throws IllegalStateException if it was closed
   * @throws TensorFlowStatusException if the device does not answer
   */
  public Tensor toTensor() {
    return context.resolve(this);
  }

  /** The same value on another device. Throws as {@link #toTensor} does. */
  public RemoteTensor copyTo(String deviceName) {
    return context.copy(this, deviceName);
  }

  ClusterContext context() {
    return context;
  }

  long generation() {
    return generation;
  }

  /** Called with the context's lock held, so that nobody frees what is used. */
  synchronized TFE_TensorHandle handle() {
    if (closed) {
      throw new IllegalStateException("The tensor on " + device + " was closed");
    }
    return handle;
  }

  /** The handle to free, the first time. */
  synchronized @Nullable TFE_TensorHandle take() {
    if (closed) {
      return null;
    }
    closed = true;
    return handle;
  }

  /** Frees it. Closing twice, or after the connection, does no harm. */
  @Override
  public void close() {
    context.free(this);
  }

  @Override
  public String toString() {
    return "RemoteTensor(" + dataType + " on " + device + ")";
  }
}
