package io.sedge.learning.onnx.internal;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import io.sedge.connector.ConnectorException;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.tensors.Binding;
import io.sedge.learning.tensors.ElementType;
import io.sedge.learning.tensors.ModelTensor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What ONNX Runtime tells of a model, and its types of elements. */
final class Tensors {
  private Tensors() {}

  /**
   * Matches a declaration and a model.
   *
   * @throws ConnectorException of kind USER if they do not fit
   */
  static Binding binding(ModelDescriptor model, OrtSession session) throws OrtException {
    return Binding.of(model, tensors(session.getInputInfo()), tensors(session.getOutputInfo()));
  }

  private static List<ModelTensor> tensors(Map<String, NodeInfo> nodes) {
    return nodes.values().stream().map(Tensors::tensor).toList();
  }

  private static ModelTensor tensor(NodeInfo node) {
    if (!(node.getInfo() instanceof TensorInfo tensor)) {
      // Such as the list of maps of scikit-learn's classifiers.
      String kind = node.getInfo().getClass().getSimpleName();
      return new ModelTensor(node.getName(), kind, Optional.empty(), Optional.empty());
    }
    List<Long> shape = Arrays.stream(tensor.getShape()).boxed().toList();
    return new ModelTensor(
        node.getName(), tensor.type.name(), element(tensor.type), Optional.of(shape));
  }

  private static Optional<ElementType> element(OnnxJavaType type) {
    return switch (type) {
      case FLOAT -> Optional.of(ElementType.FLOAT);
      case DOUBLE -> Optional.of(ElementType.DOUBLE);
      case INT64 -> Optional.of(ElementType.INT64);
      case INT32 -> Optional.of(ElementType.INT32);
      case BOOL -> Optional.of(ElementType.BOOL);
      case STRING -> Optional.of(ElementType.STRING);
      default -> Optional.empty();
    };
  }

  /** The runtime's type of elements. */
  static OnnxJavaType type(ElementType element) {
    return switch (element) {
      case FLOAT -> OnnxJavaType.FLOAT;
      case DOUBLE -> OnnxJavaType.DOUBLE;
      case INT64 -> OnnxJavaType.INT64;
      case INT32 -> OnnxJavaType.INT32;
      case BOOL -> OnnxJavaType.BOOL;
      case STRING -> OnnxJavaType.STRING;
    };
  }
}
