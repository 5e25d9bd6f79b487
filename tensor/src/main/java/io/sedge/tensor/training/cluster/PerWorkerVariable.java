package io.sedge.tensor.training.cluster;

import java.util.List;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.VarHandleOp;
import org.tensorflow.types.family.TType;

/**
 * A variable that each worker has of its own, on itself: {@code
 * tf.Variable(per_worker_variable=True)}. It begins with its first value when a function first
 * needs it, and again after the worker was lost. Not for parameter servers: sessions on those have
 * one of their own, which nobody gives a value.
 *
 * @param <T> the type of its values
 */
public final class PerWorkerVariable<T extends TType> {
  private final Class<T> type;
  private final Operand<? extends TType> handle;
  private final Op begin;

  private PerWorkerVariable(Class<T> type, Operand<? extends TType> handle, Op begin) {
    this.type = type;
    this.handle = handle;
    this.begin = begin;
  }

  /**
   * A variable in a graph.
   *
   * @param name unique on each worker
   * @param initial what it begins with; computed on the worker
   */
  public static <T extends TType> PerWorkerVariable<T> create(
      Graph graph, String name, Class<T> type, Shape shape, Operand<T> initial) {
    Ops ops = Ops.create(graph);
    Operand<? extends TType> handle = ops.varHandleOp(type, shape, VarHandleOp.sharedName(name));
    return new PerWorkerVariable<>(type, handle, ops.assignVariableOp(handle, initial));
  }

  /** Its value on the worker that runs it. */
  public Operand<T> read(Ops ops) {
    return ops.readVariableOp(handle, type);
  }

  /** Adds to its value on the worker that runs it. */
  public Op assignAdd(Ops ops, Operand<T> value) {
    return ops.assignAddVariableOp(handle, value);
  }

  /** Replaces its value on the worker that runs it. */
  public Op assign(Ops ops, Operand<T> value) {
    return ops.assignVariableOp(handle, value);
  }

  /** Gives it its first value on a worker. */
  public void begin(WorkerContext worker) {
    worker.runner().run(List.of(), List.of(), List.of(begin)).close();
  }
}
