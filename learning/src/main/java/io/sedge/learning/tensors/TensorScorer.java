package io.sedge.learning.tensors;

import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.learning.Scorer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Scores in portions. Memory for the inputs is taken at the first one and used again; a portion has
 * at most {@value #PORTION_BYTES} bytes of an input, or one row.
 */
public final class TensorScorer implements Scorer {
  private static final int PORTION_BYTES = 1 << 20;
  private static final int PORTION_ROWS = 4096;

  private final String model;
  private final Binding binding;
  private final Computation computation;
  private final int portion;
  private final List<InputBuffer> inputs = new ArrayList<>();

  /** A runtime with a model; belongs to the thread of the scorer. */
  @FunctionalInterface
  public interface Computation {
    /**
     * Computes the outputs that {@link Binding#outputNames} has, by name.
     *
     * @param inputs filled, in the order of {@link Binding#inputs}
     * @param rows of each input
     * @throws EvaluationException if the model gives none for a row
     */
    Map<String, OutputTensor> compute(List<InputBuffer> inputs, int rows);
  }

  /**
   * @param model its name, for messages
   */
  public TensorScorer(String model, Binding binding, Computation computation) {
    this.model = model;
    this.binding = binding;
    this.computation = computation;
    int widest = binding.inputs().stream().mapToInt(InputBuffer.Plan::bytesOfRow).max().orElse(1);
    this.portion =
        binding.fixedRows() > 0
            ? binding.fixedRows()
            : Math.clamp(PORTION_BYTES / Math.max(widest, 1), 1, PORTION_ROWS);
  }

  @Override
  public List<Column> score(List<Column> features, int rows) {
    if (inputs.isEmpty()) {
      binding.inputs().forEach(plan -> inputs.add(new InputBuffer(plan, portion)));
    }
    List<ColumnBuilder> results = new ArrayList<>();
    for (OutputColumn output : binding.outputs()) {
      results.add(ColumnBuilder.of(output.column()));
    }
    for (int from = 0; from < rows; from += portion) {
      score(features, from, Math.min(portion, rows - from), results);
    }
    return results.stream().map(ColumnBuilder::build).toList();
  }

  private void score(List<Column> features, int from, int count, List<ColumnBuilder> results) {
    int tensorRows = binding.fixedRows() > 0 ? portion : count;
    inputs.forEach(input -> input.fill(features, from, count));
    Map<String, OutputTensor> tensors = computation.compute(inputs, tensorRows);
    for (int i = 0; i < results.size(); i++) {
      OutputColumn output = binding.outputs().get(i);
      OutputTensor tensor = tensors.get(output.name());
      int width = tensor == null ? -1 : tensor.width(tensorRows);
      if (tensor == null || output.index() >= width) {
        throw new EvaluationException(
            "model %s: the output %s has no value %d for a row of %d rows"
                .formatted(model, output.name(), output.index(), tensorRows));
      }
      output.append(tensor, count, width, results.get(i));
    }
  }
}
