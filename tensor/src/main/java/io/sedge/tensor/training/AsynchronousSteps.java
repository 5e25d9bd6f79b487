package io.sedge.tensor.training;

import io.sedge.tensor.training.cluster.ClusterCoordinator;
import io.sedge.tensor.training.cluster.WorkerContext;
import io.sedge.tensor.training.cluster.WorkerFunction;
import io.sedge.tensor.training.data.Batches;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.tensorflow.Result;
import org.tensorflow.types.family.TFloating;

/** Each worker applies its gradients at once; nobody waits for anybody. */
final class AsynchronousSteps<T extends TFloating> implements ClusterTraining.Steps {
  /** Enough that a worker finds its next step while a checkpoint is written. */
  private static final int WAITING_PER_WORKER = 64;

  private static final long PAUSE_NS = 50_000_000;

  private final TrainingGraph<T> training;
  private final BatchFeeds<T> feeds;
  private final Batches batches;
  private final ClusterCoordinator coordinator;
  private final Progress progress;
  private final int most;

  AsynchronousSteps(
      TrainingGraph<T> training,
      BatchFeeds<T> feeds,
      Batches batches,
      ClusterCoordinator coordinator,
      Progress progress) {
    this.training = training;
    this.feeds = feeds;
    this.batches = batches;
    this.coordinator = coordinator;
    this.progress = progress;
    this.most = WAITING_PER_WORKER * coordinator.strategy().workers();
  }

  @Override
  public boolean next() throws InterruptedException {
    if (progress.begin(most, PAUSE_NS)) {
      coordinator.schedule(new Step());
    } else {
      // Throws what has failed meanwhile.
      coordinator.done();
    }
    return !progress.isDone();
  }

  /** Keeps its batch, so that it is the same that is trained when it is run again elsewhere. */
  private final class Step implements WorkerFunction<Boolean> {
    private Batches.@Nullable Batch batch;

    @Override
    public Boolean run(WorkerContext worker) {
      Batches.Batch own = batch == null ? batches.next(worker.index()) : batch;
      batch = own;
      int count = own.examples().length;
      double loss;
      try (BatchFeeds.Fed fed = feeds.of(own, count);
          Result result =
              worker
                  .runner()
                  .run(fed.feeds(), List.of(training.lossSum()), List.of(training.step()))) {
        loss = training.numbers().read(result.get(0))[0] / count;
      }
      progress.applied(TrainingException.finite(loss, progress.applied()), count);
      return true;
    }
  }
}
