package io.sedge.tensor.training;

import io.sedge.tensor.training.cluster.GraphRunner;
import io.sedge.tensor.training.cluster.VariableValues;
import io.sedge.tensor.training.cluster.Variables;
import io.sedge.tensor.training.data.Batches;
import io.sedge.tensor.training.data.Examples;
import java.util.List;
import org.tensorflow.Graph;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.types.family.TFloating;

/** Trains in this process, without a cluster. */
public final class LocalTraining {
  private LocalTraining() {}

  /**
   * Trains a model from its initial values.
   *
   * @return what its variables came to
   * @throws TrainingException if the loss is not finite any more
   */
  public static Weights run(
      Model model,
      Optimizer optimizer,
      Examples examples,
      TrainingOptions options,
      TrainingListener listener) {
    return run(Numbers.of(model.precision()), model, optimizer, examples, options, listener);
  }

  private static <T extends TFloating> Weights run(
      Numbers<T> numbers,
      Model model,
      Optimizer optimizer,
      Examples examples,
      TrainingOptions options,
      TrainingListener listener) {
    try (Graph graph = new Graph()) {
      Variables variables = Variables.local(graph);
      TrainingGraph<T> training = new TrainingGraph<>(graph, variables, numbers, model, optimizer);
      VariableValues values = new VariableValues(graph, variables);
      try (Session session = new Session(graph);
          InitialValues initial = new InitialValues(training);
          BatchFeeds<T> feeds = new BatchFeeds<>(training, examples)) {
        GraphRunner runner = GraphRunner.local(session);
        values.assign(runner, initial.byName());
        Batches batches =
            new Batches(examples, 1, options.batchSize(), options.shuffled(), options.seed(), 0);
        for (long step = 1; step <= options.steps(); step++) {
          Batches.Batch batch = batches.next(0);
          double loss = step(training, runner, feeds, batch);
          listener.applied(step, TrainingException.finite(loss, step), batch.examples().length);
        }
        try (Result result = values.read(runner)) {
          return Weights.of(model, numbers, values.byName(result));
        }
      }
    }
  }

  private static <T extends TFloating> double step(
      TrainingGraph<T> training, GraphRunner runner, BatchFeeds<T> feeds, Batches.Batch batch) {
    try (BatchFeeds.Fed fed = feeds.of(batch, batch.examples().length);
        Result result =
            runner.run(fed.feeds(), List.of(training.lossSum()), List.of(training.step()))) {
      return training.numbers().read(result.get(0))[0] / batch.examples().length;
    }
  }
}
