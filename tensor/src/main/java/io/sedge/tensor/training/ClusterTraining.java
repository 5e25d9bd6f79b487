package io.sedge.tensor.training;

import io.sedge.tensor.training.cluster.Checkpoints;
import io.sedge.tensor.training.cluster.Checkpoints.Checkpoint;
import io.sedge.tensor.training.cluster.ClusterCoordinator;
import io.sedge.tensor.training.cluster.ClusterLostException;
import io.sedge.tensor.training.cluster.GraphRunner;
import io.sedge.tensor.training.cluster.ParameterServerStrategy;
import io.sedge.tensor.training.cluster.VariableValues;
import io.sedge.tensor.training.cluster.Variables;
import io.sedge.tensor.training.data.Batches;
import io.sedge.tensor.training.data.Examples;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import org.tensorflow.Graph;
import org.tensorflow.Result;
import org.tensorflow.Tensor;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.family.TFloating;

/**
 * Trains on a cluster: variables on parameter servers, gradients on workers, one shard of the
 * examples for each worker. Goes on from the last checkpoint if there is one.
 *
 * <p>A worker that is lost costs nothing but its share of the speed; others take over its batch,
 * and the rest of its shard of this epoch. A step of synchronous training during which one was lost
 * is done again as a whole, so that the result is that of an undisturbed training; in asynchronous
 * training a gradient may be applied twice. A parameter server that is lost takes the training back
 * to the last checkpoint.
 */
public final class ClusterTraining {
  private ClusterTraining() {}

  /**
   * Trains a model.
   *
   * @return what its variables came to
   * @throws TrainingException if the loss is not finite any more, or the last checkpoint is of
   *     another model or cannot be written
   * @throws ClusterLostException if parameter servers, or all workers, are away for too long
   * @throws InterruptedException if the thread is interrupted; checkpoints stay
   */
  public static Weights run(
      ParameterServerStrategy strategy,
      Model model,
      Optimizer optimizer,
      Examples examples,
      TrainingOptions options,
      ClusterTrainingOptions cluster,
      TrainingListener listener)
      throws InterruptedException {
    Progress progress = new Progress(listener, options.steps());
    try {
      return run(
          strategy,
          Numbers.of(model.precision()),
          model,
          optimizer,
          examples,
          options,
          cluster,
          progress);
    } catch (ClusterLostException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException(e.getMessage());
      }
      throw e;
    }
  }

  private static <T extends TFloating> Weights run(
      ParameterServerStrategy strategy,
      Numbers<T> numbers,
      Model model,
      Optimizer optimizer,
      Examples examples,
      TrainingOptions options,
      ClusterTrainingOptions cluster,
      Progress progress)
      throws InterruptedException {
    Graph graph = new Graph();
    try {
      Variables variables = strategy.variables(graph);
      TrainingGraph<T> training = new TrainingGraph<>(graph, variables, numbers, model, optimizer);
      VariableValues values = new VariableValues(graph, variables);
      try (InitialValues initial = new InitialValues(training);
          BatchFeeds<T> feeds = new BatchFeeds<>(training, examples);
          ClusterCoordinator coordinator =
              ClusterCoordinator.start(
                  strategy, graph, cluster.coordinator(), progress::happened)) {
        Store store = new Store(values, initial, cluster, progress);
        coordinator.onParameterServers(store::restore);
        coordinator.protect(values, store::restore);
        Batches batches =
            new Batches(
                examples,
                Math.min(strategy.workers(), examples.size()),
                options.batchSize(),
                options.shuffled(),
                options.seed(),
                0);
        Steps steps =
            switch (options.mode()) {
              case ASYNCHRONOUS ->
                  new AsynchronousSteps<>(training, feeds, batches, coordinator, progress);
              case SYNCHRONOUS ->
                  new SynchronousSteps<>(
                      training, feeds, batches, coordinator, progress, options.backupWorkers());
            };
        while (steps.next()) {
          store.saveIfDue(coordinator);
        }
        coordinator.join();
        return store.finish(coordinator, model, numbers);
      }
    } finally {
      // Closing waits for sessions, and those for servers that have died.
      Thread.ofPlatform().daemon().name("sedge-closing").start(graph::close);
    }
  }

  /** One way to train. */
  interface Steps {
    /** Goes on a little; false when all steps were applied. */
    boolean next() throws InterruptedException;
  }

  /** Where values come from and go to. */
  private static final class Store {
    private final VariableValues values;
    private final InitialValues initial;
    private final ClusterTrainingOptions options;
    private final Progress progress;
    private long lastSaveNs = System.nanoTime();

    Store(
        VariableValues values,
        InitialValues initial,
        ClusterTrainingOptions options,
        Progress progress) {
      this.values = values;
      this.initial = initial;
      this.options = options;
      this.progress = progress;
    }

    /** Gives all variables the values of the last checkpoint, or those that they begin with. */
    String restore(GraphRunner runner) {
      Checkpoints checkpoints = options.checkpoints();
      Optional<Checkpoint> latest = checkpoints == null ? Optional.empty() : checkpoints.latest();
      if (latest.isEmpty()) {
        values.assign(runner, initial.byName());
        progress.resume(0);
        return "the variables have their initial values";
      }
      try (Result saved = Checkpoints.read(latest.get().prefix(), values.types())) {
        Map<String, Tensor> named = Checkpoints.byName(saved, values.types());
        values.assign(runner, named);
        progress.resume(step(named));
      } catch (IllegalArgumentException e) {
        throw new TrainingException(
            "the checkpoints in %s are of another model: %s. Name another directory, or remove it"
                .formatted(latest.get().prefix().getParent(), e.getMessage()),
            e);
      }
      return "the variables are those of step " + latest.get().step();
    }

    private static long step(Map<String, Tensor> values) {
      Tensor step = values.get(TrainingGraph.GLOBAL_STEP);
      if (step instanceof TInt64 number) {
        return number.getLong();
      }
      throw new IllegalArgumentException("no " + TrainingGraph.GLOBAL_STEP);
    }

    void saveIfDue(ClusterCoordinator coordinator) {
      long now = System.nanoTime();
      if (options.checkpoints() == null
          || now - lastSaveNs < options.checkpointInterval().toNanos()) {
        return;
      }
      lastSaveNs = now;
      try (Result read = coordinator.onParameterServers(values::read)) {
        save(options.checkpoints(), values.byName(read));
      } catch (UncheckedIOException e) {
        if (Thread.currentThread().isInterrupted()) {
          return; // That is why; the caller will notice.
        }
        progress.happened(e.getMessage() + "; training goes on without");
      }
    }

    private static void save(Checkpoints checkpoints, Map<String, Tensor> named) {
      checkpoints.save(step(named), named);
    }

    Weights finish(ClusterCoordinator coordinator, Model model, Numbers<?> numbers) {
      try (Result read = coordinator.onParameterServers(values::read)) {
        Map<String, Tensor> named = values.byName(read);
        if (options.checkpoints() != null) {
          save(options.checkpoints(), named);
        }
        return Weights.of(model, numbers, named);
      } catch (UncheckedIOException e) {
        throw new TrainingException("trained, but " + e.getMessage(), e);
      }
    }
  }
}
