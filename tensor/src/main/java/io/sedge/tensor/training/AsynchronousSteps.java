package io.sedge.tensor.training;

import io.sedge.tensor.training.cluster.ClusterCoordinator;
import io.sedge.tensor.training.cluster.WorkerContext;
import io.sedge.tensor.training.cluster.WorkerFunction;
import org.jspecify.annotations.Nullable;
import org.tensorflow.types.family.TFloating;

/** Each worker applies its gradients at once; nobody waits for anybody. */
final class AsynchronousSteps<T extends TFloating> implements ClusterTraining.Steps {
  /** Enough that a worker finds its next step while a checkpoint is written. */
  private static final int WAITING_PER_WORKER = 64;

  private static final long PAUSE_NS = 50_000_000;

  private final TrainingGraph<T> training;
  private final Source source;
  private final Object[] arguments;
  private final ClusterCoordinator coordinator;
  private final Progress progress;
  private final int most;

  AsynchronousSteps(
      TrainingGraph<T> training, Source source, ClusterCoordinator coordinator, Progress progress) {
    this.training = training;
    this.source = source;
    this.arguments = source.arguments().toArray();
    this.coordinator = coordinator;
    this.progress = progress;
    this.most = WAITING_PER_WORKER * coordinator.strategy().workers();
  }

  @Override
  public boolean next() throws InterruptedException {
    if (progress.begin(most, PAUSE_NS)) {
      coordinator.schedule(new Step(), arguments);
    } else {
      // Throws what has failed meanwhile.
      coordinator.done();
    }
    return !progress.isDone();
  }

  /** Keeps its batch, so that it is the same that is trained when it is run again elsewhere. */
  private final class Step implements WorkerFunction<Boolean> {
    private Source.@Nullable Portion portion;

    @Override
    public Boolean run(WorkerContext worker) {
      Source.Portion own = portion == null ? source.next(worker.shard(), false) : portion;
      portion = own;
      StepResult result;
      try (BatchFeeds.Fed fed = own.feeds()) {
        result = StepResult.of(training, worker, fed.feeds(), training.step(), own.examples());
      }
      double loss = result.lossSum() / result.examples();
      progress.applied(TrainingException.finite(loss, progress.applied()), result.examples());
      return true;
    }
  }
}
