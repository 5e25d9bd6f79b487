package io.sedge.tensor.runtime;

import io.sedge.tensor.DeviceName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.PointerScope;
import org.jspecify.annotations.Nullable;
import org.tensorflow.internal.c_api.TFE_CancellationManager;
import org.tensorflow.internal.c_api.TFE_Context;
import org.tensorflow.internal.c_api.TFE_Op;
import org.tensorflow.internal.c_api.TFE_TensorHandle;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.global.tensorflow;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.OpDef;

/** Executes operations through TensorFlow's eager C interface. No checks of connections here. */
final class EagerCalls {
  private EagerCalls() {}

  /** Executes an operation; the handles of its results, which are the caller's to free. */
  static List<TFE_TensorHandle> execute(
      TFE_Context context,
      RemoteOperation operation,
      @Nullable String device,
      TFE_CancellationManager cancellation) {
    try (PointerScope _ = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      @Nullable TFE_Op op = tensorflow.TFE_NewOp(context, operation.name(), status);
      Statuses.check(status, "operation " + operation.name());
      if (op == null) {
        throw new TensorFlowStatusException(
            StatusCode.INTERNAL, "No operation " + operation.name());
      }
      try {
        prepare(op, operation, device, status);
        tensorflow.TFE_OpSetCancellationManager(op, cancellation, status);
        Statuses.check(status, "");
        return run(op, outputs(op, operation, status), operation, device, status);
      } finally {
        tensorflow.TFE_DeleteOp(op);
      }
    }
  }

  private static void prepare(
      TFE_Op op, RemoteOperation operation, @Nullable String device, TF_Status status) {
    if (device != null) {
      tensorflow.TFE_OpSetDevice(op, device, status);
      Statuses.check(status, "device " + device);
    }
    for (Map.Entry<String, AttrValue> attribute : operation.attributes().entrySet()) {
      BytePointer value = new BytePointer(attribute.getValue().toByteArray());
      tensorflow.TFE_OpSetAttrValueProto(op, attribute.getKey(), value, value.capacity(), status);
      Statuses.check(status, "attribute " + attribute.getKey() + " of " + operation.name());
    }
    for (RemoteOperation.Input input : operation.inputs()) {
      switch (input) {
        case RemoteOperation.Input.One one ->
            tensorflow.TFE_OpAddInput(op, one.tensor().handle(), status);
        case RemoteOperation.Input.Many many -> add(op, many.tensors(), status);
      }
      Statuses.check(status, "inputs of " + operation.name());
    }
  }

  private static void add(TFE_Op op, List<RemoteTensor> tensors, TF_Status status) {
    PointerPointer<TFE_TensorHandle> handles = new PointerPointer<>(Math.max(1, tensors.size()));
    for (int i = 0; i < tensors.size(); i++) {
      handles.put(i, tensors.get(i).handle());
    }
    tensorflow.TFE_OpAddInputList(op, handles, tensors.size(), status);
  }

  /** How many results there will be, which a remote device must be told exactly. */
  private static int outputs(TFE_Op op, RemoteOperation operation, TF_Status status) {
    @Nullable OpDef definition = operation.definition();
    if (definition == null) {
      return operation.functionOutputs();
    }
    int outputs = 0;
    for (OpDef.ArgDef output : definition.getOutputArgList()) {
      boolean several = !output.getNumberAttr().isEmpty() || !output.getTypeListAttr().isEmpty();
      if (several) {
        outputs += tensorflow.TFE_OpGetOutputLength(op, output.getName(), status);
        Statuses.check(status, "results of " + operation.name());
      } else {
        outputs++;
      }
    }
    return outputs;
  }

  private static List<TFE_TensorHandle> run(
      TFE_Op op,
      int outputs,
      RemoteOperation operation,
      @Nullable String device,
      TF_Status status) {
    PointerPointer<TFE_TensorHandle> results = new PointerPointer<>(Math.max(1, outputs));
    IntPointer count = new IntPointer(1);
    count.put(outputs);
    tensorflow.TFE_Execute(op, results, count, status);
    Statuses.check(status, operation.name() + (device == null ? "" : " on " + device));
    List<TFE_TensorHandle> handles = new ArrayList<>();
    for (int i = 0; i < count.get(); i++) {
      handles.add(results.get(TFE_TensorHandle.class, i));
    }
    return handles;
  }

  /** TensorFlow knows devices of other tasks by their full name alone. */
  static DeviceName complete(DeviceName device) {
    if (device.job() == null || device.task() == null) {
      return device;
    }
    boolean typed = device.type() != null;
    @Nullable Integer id = device.id();
    return new DeviceName(
        device.job(), 0, device.task(), typed ? device.type() : "CPU", id == null ? 0 : id);
  }

  /** The device that holds what the handle stands for. */
  static DeviceName device(TFE_TensorHandle handle) {
    try (PointerScope _ = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      BytePointer name = tensorflow.TFE_TensorHandleBackingDeviceName(handle, status);
      Statuses.check(status, "device of a tensor");
      return DeviceName.of(name.getString());
    }
  }
}
