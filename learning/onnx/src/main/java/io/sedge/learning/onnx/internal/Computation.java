package io.sedge.learning.onnx.internal;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.learning.tensors.ElementType;
import io.sedge.learning.tensors.InputBuffer;
import io.sedge.learning.tensors.OutputTensor;
import io.sedge.learning.tensors.TensorScorer;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A session of ONNX Runtime that computes portions. */
final class Computation implements TensorScorer.Computation {
  private final OnnxModel model;

  Computation(OnnxModel model) {
    this.model = model;
  }

  @Override
  public Map<String, OutputTensor> compute(List<InputBuffer> inputs, int rows) {
    Map<String, OnnxTensor> tensors = new LinkedHashMap<>();
    try {
      for (InputBuffer input : inputs) {
        tensors.put(input.plan().name(), tensor(model.environment(), input, rows));
      }
      try (OrtSession.Result result = model.session().run(tensors, model.binding().outputNames())) {
        Map<String, OutputTensor> outputs = new HashMap<>();
        for (String name : model.binding().outputNames()) {
          outputs.put(name, output((OnnxTensor) result.get(name).orElseThrow()));
        }
        return outputs;
      }
    } catch (OrtException e) {
      String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new EvaluationException("model %s: %s".formatted(model.name(), why), e);
    } finally {
      tensors.values().forEach(OnnxTensor::close);
      Reference.reachabilityFence(model); // Its session is closed once nobody refers to it.
    }
  }

  private static OnnxTensor tensor(OrtEnvironment environment, InputBuffer input, int rows)
      throws OrtException {
    ElementType type = input.plan().type();
    return type == ElementType.STRING
        ? OnnxTensor.createTensor(environment, input.texts(rows), input.shape(rows))
        : OnnxTensor.createTensor(
            environment, input.bytes(rows), input.shape(rows), Tensors.type(type));
  }

  private static OutputTensor output(OnnxTensor tensor) throws OrtException {
    List<Long> shape = Arrays.stream(tensor.getInfo().getShape()).boxed().toList();
    if (tensor.getInfo().type != OnnxJavaType.STRING) {
      return new OutputTensor(shape, tensor.getByteBuffer(), List.of());
    }
    List<String> texts =
        switch (tensor.getValue()) {
          case String[][] rows -> Stream.of(rows).flatMap(Stream::of).toList();
          case String[] rows -> List.of(rows);
          default -> List.of();
        };
    return new OutputTensor(shape, ByteBuffer.allocate(0), texts);
  }
}
