package io.sedge.tensor.training;

import io.sedge.tensor.ClusterResolver;
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
import java.util.function.Function;
import org.tensorflow.Graph;
import org.tensorflow.Result;
import org.tensorflow.Tensor;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.family.TFloating;

/**
 * Trains on a cluster: variables on parameter servers, gradients on workers, one shard of the
 * examples for each worker, which the chief feeds or the worker reads. Goes on from the last
 * checkpoint if there is one.
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
   * Trains a model on examples that the chief has and feeds.
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
    return run(
        strategy,
        new Plan(model, optimizer, options, cluster),
        new Inputs() {
          @Override
          public <T extends TFloating> Built<T> build(
              Graph graph, Variables variables, Numbers<T> numbers) {
            TrainingGraph<T> training =
                new TrainingGraph<>(graph, variables, numbers, model, optimizer);
            Batches batches =
                new Batches(
                    examples,
                    Math.min(strategy.workers(), examples.size()),
                    options.batchSize(),
                    options.shuffled(),
                    options.seed(),
                    0);
            BatchFeeds<T> feeds = new BatchFeeds<>(training, examples);
            return new Built<>(
                training, coordinator -> new Source.Feeding(feeds, batches), feeds::close);
          }
        },
        new Progress(listener, options.steps()));
  }

  /**
   * Trains a model on examples that each worker reads from its own disk. A worker that was lost
   * begins its data anew; a gradient that is computed again is of other examples.
   *
   * @param data surveyed on this cluster for this model
   * @throws IllegalArgumentException for a batch size of 0: nobody holds a whole shard
   * @throws TrainingException as for examples of the chief
   * @throws ClusterLostException as for examples of the chief
   * @throws InterruptedException if the thread is interrupted; checkpoints stay
   */
  public static Weights run(
      ParameterServerStrategy strategy,
      Model model,
      Optimizer optimizer,
      WorkerData data,
      TrainingOptions options,
      ClusterTrainingOptions cluster,
      TrainingListener listener)
      throws InterruptedException {
    if (options.batchSize() == 0) {
      throw new IllegalArgumentException(
          "batch size 0, a whole shard, needs examples that the chief has; workers read batches");
    }
    return run(
        strategy,
        new Plan(model, optimizer, options, cluster),
        new Inputs() {
          @Override
          public <T extends TFloating> Built<T> build(
              Graph graph, Variables variables, Numbers<T> numbers) {
            WorkerData.Read<T> read =
                data.training(
                    graph, numbers, options.batchSize(), options.shuffled(), options.seed());
            TrainingGraph<T> training =
                new TrainingGraph<>(graph, variables, numbers, model, optimizer, read.input());
            return new Built<>(
                training,
                coordinator ->
                    new Source.Reading(
                        coordinator.createPerWorker(read.iterator()), strategy.workers()),
                () -> {});
          }
        },
        new Progress(listener, options.steps()));
  }

  /** What is trained and how. */
  private record Plan(
      Model model, Optimizer optimizer, TrainingOptions options, ClusterTrainingOptions cluster) {}

  /** A graph with its examples. */
  private record Built<T extends TFloating>(
      TrainingGraph<T> training, Function<ClusterCoordinator, Source> source, Runnable end)
      implements AutoCloseable {
    @Override
    public void close() {
      end.run();
    }
  }

  /** Makes the graph, once the type of its numbers is known. */
  private interface Inputs {
    <T extends TFloating> Built<T> build(Graph graph, Variables variables, Numbers<T> numbers);
  }

  private static Weights run(
      ParameterServerStrategy strategy, Plan plan, Inputs inputs, Progress progress)
      throws InterruptedException {
    try {
      return run(strategy, Numbers.of(plan.model().precision()), plan, inputs, progress);
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
      Plan plan,
      Inputs inputs,
      Progress progress)
      throws InterruptedException {
    Graph graph = new Graph();
    ClusterTrainingOptions cluster = plan.cluster();
    try {
      Variables variables = strategy.variables(graph);
      try (Built<T> built = inputs.build(graph, variables, numbers);
          InitialValues initial = new InitialValues(built.training())) {
        TrainingGraph<T> training = built.training();
        VariableValues values = new VariableValues(graph, variables);
        try (ClusterCoordinator coordinator =
            ClusterCoordinator.start(strategy, graph, cluster.coordinator(), progress::happened)) {
          Store store = new Store(values, initial, cluster, progress);
          coordinator.onParameterServers(
              runner -> {
                values.remove(runner);
                return store.restore(runner);
              });
          coordinator.protect(values, store::restore);
          ClusterResolver membership = cluster.membership();
          if (membership != null) {
            coordinator.follow(membership, cluster.membershipInterval());
          }
          Source source = built.source().apply(coordinator);
          Steps steps =
              switch (plan.options().mode()) {
                case ASYNCHRONOUS ->
                    new AsynchronousSteps<>(training, source, coordinator, progress);
                case SYNCHRONOUS ->
                    new SynchronousSteps<>(
                        training, source, coordinator, progress, plan.options().backupWorkers());
              };
          while (steps.next()) {
            store.saveIfDue(coordinator);
          }
          coordinator.join();
          return store.finish(coordinator, plan.model(), numbers);
        }
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
