package io.sedge.tensor.runtime;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tensorflow.Graph;
import org.tensorflow.RawTensor;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.Tensor;
import org.tensorflow.internal.c_api.TF_Graph;
import org.tensorflow.internal.c_api.TF_Session;
import org.tensorflow.internal.c_api.TF_Tensor;
import org.tensorflow.proto.RunMetadata;
import org.tensorflow.types.family.TType;

/**
 * The few members of TensorFlow's Java classes that are not public and without which there is no
 * session on a cluster. Looked up once; a version of TensorFlow that lacks one is refused with its
 * name.
 */
final class TensorFlowInternals {
  private static final MethodHandle NEW_SESSION;
  private static final MethodHandle GRAPH_REFERENCE;
  private static final MethodHandle GRAPH_HANDLE;
  private static final MethodHandle TENSOR_HANDLE;
  private static final MethodHandle TENSOR_FROM_HANDLE;
  private static final MethodHandle TYPED_TENSOR;
  private static final MethodHandle NEW_RESULT;

  static {
    try {
      Lookup session = MethodHandles.privateLookupIn(Session.class, MethodHandles.lookup());
      NEW_SESSION =
          session.findConstructor(
              Session.class, MethodType.methodType(void.class, Graph.class, TF_Session.class));
      Lookup graph = MethodHandles.privateLookupIn(Graph.class, session);
      Class<?> reference = graph.findClass("org.tensorflow.Graph$Reference");
      GRAPH_REFERENCE =
          graph
              .findVirtual(Graph.class, "ref", MethodType.methodType(reference))
              .asType(MethodType.methodType(AutoCloseable.class, Graph.class));
      GRAPH_HANDLE = graph.findGetter(Graph.class, "nativeHandle", TF_Graph.class);
      Lookup tensor = MethodHandles.privateLookupIn(RawTensor.class, session);
      TENSOR_HANDLE =
          tensor.findVirtual(
              RawTensor.class, "nativeHandle", MethodType.methodType(TF_Tensor.class));
      TENSOR_FROM_HANDLE =
          tensor.findStatic(
              RawTensor.class,
              "fromHandle",
              MethodType.methodType(RawTensor.class, TF_Tensor.class));
      TYPED_TENSOR =
          tensor.findVirtual(RawTensor.class, "asTypedTensor", MethodType.methodType(TType.class));
      NEW_RESULT =
          MethodHandles.privateLookupIn(Result.class, session)
              .findConstructor(
                  Result.class,
                  MethodType.methodType(void.class, List.class, List.class, RunMetadata.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "This version of TensorFlow's Java classes is not one that io.sedge.tensor knows; it was"
              + " made for org.tensorflow:tensorflow-core-api 1.1.0: "
              + e.getMessage(),
          e);
    }
  }

  private TensorFlowInternals() {}

  static Session newSession(Graph graph, TF_Session handle) {
    try {
      return (Session) NEW_SESSION.invokeExact(graph, handle);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /**
   * Until it is closed the graph is not freed. Throws an IllegalStateException if that was done.
   */
  static AutoCloseable reference(Graph graph) {
    try {
      return (AutoCloseable) GRAPH_REFERENCE.invokeExact(graph);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static void release(AutoCloseable reference) {
    try {
      reference.close();
    } catch (Exception e) {
      throw unchecked(e);
    }
  }

  /** Only while a {@link #reference} is held. */
  static TF_Graph handle(Graph graph) {
    try {
      return (TF_Graph) GRAPH_HANDLE.invokeExact(graph);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** Throws an IllegalStateException once the tensor was closed. */
  static TF_Tensor handle(Tensor tensor) {
    try {
      return (TF_Tensor) TENSOR_HANDLE.invokeExact(tensor.asRawTensor());
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  /** A tensor that owns the handle, which must have a deallocator. */
  static Tensor tensor(TF_Tensor handle) {
    try {
      RawTensor raw = (RawTensor) TENSOR_FROM_HANDLE.invokeExact(handle);
      return (TType) TYPED_TENSOR.invokeExact(raw);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  static Result result(List<String> names, List<Tensor> tensors, @Nullable RunMetadata metadata) {
    try {
      return (Result) NEW_RESULT.invokeExact(names, tensors, metadata);
    } catch (Throwable e) {
      throw unchecked(e);
    }
  }

  private static RuntimeException unchecked(Throwable failure) {
    return switch (failure) {
      case RuntimeException e -> e;
      case Error e -> throw e;
      default -> new IllegalStateException(failure);
    };
  }
}
