package io.sedge.learning.onnx.internal;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.learning.Scorer;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Scores in portions. Memory for the tensors is taken at the first one and used again; a portion
 * has at most {@value #PORTION_BYTES} bytes of a tensor, or one row.
 */
final class OnnxScorer implements Scorer {
  private static final int PORTION_BYTES = 1 << 20;
  private static final int PORTION_ROWS = 4096;

  private final OnnxModel model;
  private final int portion;
  private final List<InputTensor> inputs = new ArrayList<>();

  OnnxScorer(OnnxModel model) {
    this.model = model;
    Binding binding = model.binding();
    int widest = binding.inputs().stream().mapToInt(InputTensor.Plan::bytesOfRow).max().orElse(1);
    this.portion =
        binding.fixedRows() > 0
            ? binding.fixedRows()
            : Math.clamp(PORTION_BYTES / Math.max(widest, 1), 1, PORTION_ROWS);
  }

  @Override
  public List<Column> score(List<Column> features, int rows) {
    if (inputs.isEmpty()) {
      model.binding().inputs().forEach(plan -> inputs.add(new InputTensor(plan, portion)));
    }
    List<ColumnBuilder> results = new ArrayList<>();
    for (OutputColumn output : model.binding().outputs()) {
      results.add(ColumnBuilder.of(output.column()));
    }
    try {
      for (int from = 0; from < rows; from += portion) {
        score(features, from, Math.min(portion, rows - from), results);
      }
    } catch (OrtException e) {
      String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new EvaluationException("model %s: %s".formatted(model.name(), why), e);
    } finally {
      Reference.reachabilityFence(model); // Its session is closed once nobody refers to it.
    }
    return results.stream().map(ColumnBuilder::build).toList();
  }

  private void score(List<Column> features, int from, int count, List<ColumnBuilder> results)
      throws OrtException {
    Binding binding = model.binding();
    int tensorRows = binding.fixedRows() > 0 ? portion : count;
    Map<String, OnnxTensor> tensors = new LinkedHashMap<>();
    try {
      for (InputTensor input : inputs) {
        tensors.put(
            input.name(), input.fill(model.environment(), features, from, count, tensorRows));
      }
      try (OrtSession.Result result = model.session().run(tensors, binding.outputNames())) {
        for (int i = 0; i < results.size(); i++) {
          OutputColumn output = binding.outputs().get(i);
          OnnxTensor tensor = (OnnxTensor) result.get(output.name()).orElseThrow();
          int width = Binding.width(tensor.getInfo().getShape(), tensorRows);
          if (output.index() >= width) {
            throw new EvaluationException(
                "model %s: the output %s has no value %d for a row of %d rows"
                    .formatted(model.name(), output.name(), output.index(), tensorRows));
          }
          output.append(tensor, count, width, results.get(i));
        }
      }
    } finally {
      tensors.values().forEach(OnnxTensor::close);
    }
  }
}
