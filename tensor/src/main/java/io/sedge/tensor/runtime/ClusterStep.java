package io.sedge.tensor.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.PointerScope;
import org.jspecify.annotations.Nullable;
import org.tensorflow.GraphOperation;
import org.tensorflow.Operand;
import org.tensorflow.Operation;
import org.tensorflow.Output;
import org.tensorflow.Result;
import org.tensorflow.Tensor;
import org.tensorflow.internal.c_api.TF_Buffer;
import org.tensorflow.internal.c_api.TF_Operation;
import org.tensorflow.internal.c_api.TF_Output;
import org.tensorflow.internal.c_api.TF_Session;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.TF_Tensor;
import org.tensorflow.internal.c_api.global.tensorflow;
import org.tensorflow.op.Op;
import org.tensorflow.proto.RunMetadata;
import org.tensorflow.proto.RunOptions;

/**
 * A step of a {@link ClusterSession}: what is fed, what is fetched, what is run besides. The
 * counterpart of TensorFlow's {@code Session.Runner}, with errors that keep their code.
 *
 * <p>Names are those of operations, or of outputs as in {@code add:1}. An unknown one is refused
 * with an {@link IllegalArgumentException}. For one thread.
 */
public final class ClusterStep {
  private final ClusterSession session;
  private final List<Output<?>> inputs = new ArrayList<>();
  private final List<Tensor> values = new ArrayList<>();
  private final List<Output<?>> outputs = new ArrayList<>();
  private final List<GraphOperation> targets = new ArrayList<>();
  private RunOptions options = RunOptions.getDefaultInstance();

  ClusterStep(ClusterSession session) {
    this.session = session;
  }

  /** Feeds a tensor, which stays the caller's and must stay open until the run returns. */
  public ClusterStep feed(String output, Tensor value) {
    return feed(session.graph().outputOrThrow(output), value);
  }

  /**
   * Feeds a tensor, which stays the caller's and must stay open until the run returns.
   *
   * @throws IllegalArgumentException for one of another shape than the graph says, as in Python
   */
  public ClusterStep feed(Operand<?> operand, Tensor value) {
    Output<?> input = own(operand.asOutput());
    if (!input.shape().isCompatibleWith(value.shape())) {
      throw new IllegalArgumentException(
          "Cannot feed value of shape "
              + value.shape()
              + " for Tensor '"
              + input.op().name()
              + ":"
              + input.index()
              + "', which has shape "
              + input.shape());
    }
    inputs.add(input);
    values.add(value);
    return this;
  }

  /** Fetches an output. */
  public ClusterStep fetch(String output) {
    return fetch(session.graph().outputOrThrow(output));
  }

  /** Fetches an output. */
  public ClusterStep fetch(Operand<?> operand) {
    outputs.add(own(operand.asOutput()));
    return this;
  }

  /** Runs an operation besides. */
  public ClusterStep target(String operation) {
    return target(session.graph().operationOrThrow(operation));
  }

  /** Runs an operation besides. */
  public ClusterStep target(Op op) {
    return target(op.op());
  }

  /** Runs an operation besides. */
  public ClusterStep target(Operation operation) {
    targets.add(own(operation));
    return this;
  }

  /** TensorFlow's options of a run. */
  public ClusterStep options(RunOptions newOptions) {
    options = newOptions;
    return this;
  }

  /**
   * How long the step may take, in place of the session's limit.
   *
   * @throws IllegalArgumentException unless it is from a millisecond to a day
   */
  public ClusterStep limit(Duration limit) {
    ClusterSessionOptions.checkLimit(limit);
    options = options.toBuilder().setTimeoutInMs(limit.toMillis()).build();
    return this;
  }

  boolean isEmpty() {
    return outputs.isEmpty() && targets.isEmpty();
  }

  /**
   * Runs the step.
   *
   * @return what was fetched, in order; the caller closes it
   * @throws TensorFlowStatusException if it fails
   * @throws IllegalStateException if the session, the graph or a tensor was closed
   */
  public Result run() {
    return session.withHandle(handle -> run(handle, false));
  }

  /** Runs the step as {@link #run}, and notes what TensorFlow measured while it ran. */
  public Result runWithMetadata() {
    return session.withHandle(handle -> run(handle, true));
  }

  private Result run(TF_Session handle, boolean withMetadata) {
    try (PointerScope _ = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      PointerPointer<TF_Tensor> fetched = new PointerPointer<>(Math.max(1, outputs.size()));
      @Nullable TF_Buffer metadata = withMetadata ? TF_Buffer.newBuffer() : null;
      tensorflow.TF_SessionRun(
          handle,
          options.getSerializedSize() == 0 ? null : TF_Buffer.newBufferFromString(options),
          places(inputs),
          tensors(),
          inputs.size(),
          places(outputs),
          fetched,
          outputs.size(),
          operations(),
          targets.size(),
          metadata,
          status);
      session.check(status);
      return TensorFlowInternals.result(
          names(), take(fetched), metadata == null ? null : read(metadata));
    }
  }

  private static TF_Output places(List<Output<?>> outputs) {
    TF_Output places = new TF_Output(Math.max(1, outputs.size()));
    for (int i = 0; i < outputs.size(); i++) {
      Output<?> output = outputs.get(i);
      places.position(i).oper(handle(output.op())).index(output.index());
    }
    return places.position(0);
  }

  private PointerPointer<TF_Tensor> tensors() {
    PointerPointer<TF_Tensor> tensors = new PointerPointer<>(Math.max(1, values.size()));
    for (int i = 0; i < values.size(); i++) {
      tensors.put(i, TensorFlowInternals.handle(values.get(i)));
    }
    return tensors;
  }

  private PointerPointer<TF_Operation> operations() {
    PointerPointer<TF_Operation> operations = new PointerPointer<>(Math.max(1, targets.size()));
    for (int i = 0; i < targets.size(); i++) {
      operations.put(i, handle(targets.get(i)));
    }
    return operations;
  }

  private static TF_Operation handle(Operation operation) {
    return ((GraphOperation) operation).getUnsafeNativeHandle();
  }

  private List<Tensor> take(PointerPointer<TF_Tensor> fetched) {
    List<Tensor> tensors = new ArrayList<>();
    try {
      for (int i = 0; i < outputs.size(); i++) {
        TF_Tensor tensor = fetched.get(TF_Tensor.class, i).withDeallocator();
        tensors.add(TensorFlowInternals.tensor(tensor));
      }
    } catch (RuntimeException e) {
      // Of a type that Java has no class for; all belong to the scope around, which frees them.
      tensors.forEach(Tensor::close);
      throw e;
    }
    return tensors;
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    for (Output<?> output : outputs) {
      names.add(output.name());
    }
    return names;
  }

  private static RunMetadata read(TF_Buffer metadata) {
    try {
      return RunMetadata.parseFrom(metadata.dataAsByteBuffer());
    } catch (com.google.protobuf.InvalidProtocolBufferException e) {
      throw new TensorFlowStatusException(
          StatusCode.INTERNAL, "The metadata of a run cannot be read: " + e.getMessage(), e);
    }
  }

  private Output<?> own(Output<?> output) {
    own(output.op());
    return output;
  }

  /** An operation of another graph would be read as memory of this one's. */
  private GraphOperation own(Operation operation) {
    if (operation instanceof GraphOperation graphOperation
        && graphOperation.env() == session.graph()) {
      return graphOperation;
    }
    throw new IllegalArgumentException(
        "Operation '"
            + operation.name()
            + "' is not of the graph of the session on "
            + session.target());
  }
}
