package io.sedge.tensor.training.command;

import io.sedge.tensor.training.ClusterTraining;
import io.sedge.tensor.training.ClusterTrainingOptions;
import io.sedge.tensor.training.TrainedModel;
import io.sedge.tensor.training.TrainingListener;
import io.sedge.tensor.training.TrainingOptions;
import io.sedge.tensor.training.Weights;
import io.sedge.tensor.training.WorkerData;
import io.sedge.tensor.training.cluster.ClusterListener;
import io.sedge.tensor.training.cluster.CoordinatorOptions;
import io.sedge.tensor.training.cluster.ParameterServerStrategy;
import io.sedge.tensor.training.data.Batches;
import io.sedge.tensor.training.data.DataException;
import io.sedge.tensor.training.data.Examples;
import io.sedge.tensor.training.data.Scaling;
import io.sedge.tensor.training.data.WorkerFiles;
import java.nio.file.Path;
import java.util.Map;

/** The data of a training, wherever it is read. */
sealed interface Rows {
  /** How many examples are trained on. */
  long examples();

  /** How many are held back. */
  long heldBack();

  /** How many batches an epoch has. */
  long batches(int shards, int batchSize);

  Scaling featureScaling();

  Scaling targetScaling();

  Weights train(
      ParameterServerStrategy strategy,
      TrainingFile file,
      TrainingOptions options,
      ClusterTrainingOptions cluster,
      TrainingListener listener)
      throws InterruptedException;

  /** Metrics of what is held back, or of all where nothing is. */
  Map<String, Double> evaluate(
      ParameterServerStrategy strategy, TrainingFile file, Weights weights, TrainedModel model)
      throws InterruptedException;

  /** Rows that the chief has read. */
  record Fed(PreparedData data) implements Rows {
    @Override
    public long examples() {
      return data.training().size();
    }

    @Override
    public long heldBack() {
      Examples held = data.validation();
      return held == null ? 0 : held.size();
    }

    @Override
    public long batches(int shards, int batchSize) {
      return new Batches(data.training(), shards, batchSize, false, 0, 0).perEpoch();
    }

    @Override
    public Scaling featureScaling() {
      return data.featureScaling();
    }

    @Override
    public Scaling targetScaling() {
      return data.targetScaling();
    }

    @Override
    public Weights train(
        ParameterServerStrategy strategy,
        TrainingFile file,
        TrainingOptions options,
        ClusterTrainingOptions cluster,
        TrainingListener listener)
        throws InterruptedException {
      return ClusterTraining.run(
          strategy,
          file.model(),
          file.training().optimizer(),
          data.training(),
          options,
          cluster,
          listener);
    }

    @Override
    public Map<String, Double> evaluate(
        ParameterServerStrategy strategy, TrainingFile file, Weights weights, TrainedModel model) {
      Examples held = data.validation();
      return model.evaluate(held == null ? data.training() : held);
    }
  }

  /** Rows that workers read. */
  record Read(WorkerData data, CoordinatorOptions coordinator) implements Rows {
    /** Goes through all of them, on the workers. */
    static Read survey(
        TrainingFile file,
        ParameterServerStrategy strategy,
        CoordinatorOptions coordinator,
        ClusterListener told)
        throws InterruptedException {
      TrainingFile.Data data = file.data();
      WorkerFiles files =
          new WorkerFiles(
              data.files().stream().map(Path::toString).toList(),
              data.columns(),
              data.readBy() == TrainingFile.ReadBy.OWNERS
                  ? WorkerFiles.Ownership.OWN
                  : WorkerFiles.Ownership.SHARED,
              data.validation());
      return new Read(
          WorkerData.survey(strategy, files, file.model(), data.scaled(), coordinator, told),
          coordinator);
    }

    @Override
    public long examples() {
      return data.examples();
    }

    @Override
    public long heldBack() {
      return data.heldBack();
    }

    @Override
    public long batches(int shards, int batchSize) {
      return Math.ceilDiv(data.examples(), batchSize);
    }

    @Override
    public Scaling featureScaling() {
      return data.featureScaling();
    }

    @Override
    public Scaling targetScaling() {
      return data.targetScaling();
    }

    @Override
    public Weights train(
        ParameterServerStrategy strategy,
        TrainingFile file,
        TrainingOptions options,
        ClusterTrainingOptions cluster,
        TrainingListener listener)
        throws InterruptedException {
      return ClusterTraining.run(
          strategy, file.model(), file.training().optimizer(), data, options, cluster, listener);
    }

    @Override
    public Map<String, Double> evaluate(
        ParameterServerStrategy strategy, TrainingFile file, Weights weights, TrainedModel model)
        throws InterruptedException {
      return data.evaluate(strategy, file.model(), weights, coordinator, what -> {});
    }
  }

  /** Checks that each shard has an example. */
  default void check(int workers) {
    if (examples() < workers) {
      throw new DataException(
          "%d examples for %d workers: each needs one".formatted(examples(), workers));
    }
  }
}
