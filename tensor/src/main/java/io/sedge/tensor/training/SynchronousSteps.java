package io.sedge.tensor.training;

import io.sedge.tensor.training.cluster.ClusterCoordinator;
import io.sedge.tensor.training.cluster.GraphRunner;
import io.sedge.tensor.training.cluster.GraphRunner.Feed;
import io.sedge.tensor.training.cluster.WorkerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.family.TFloating;

/**
 * One step at a time: a gradient of a batch of each shard, of which all but those of the backup
 * workers are waited for, then their mean is applied.
 *
 * <p>A round is one try at a step, and its number what gradients are tagged with: an accumulator
 * takes none of an earlier round. A round in which a server was lost may have taken a gradient
 * twice: what it gathered is thrown away, and the same batches make the next round. (Chen et al.,
 * Revisiting Distributed Synchronous SGD, 2016, for the backup workers.)
 */
final class SynchronousSteps<T extends TFloating> implements ClusterTraining.Steps {
  private static final long PAUSE_MS = 20;

  private final TrainingGraph<T> training;
  private final Source source;
  private final Object[] arguments;
  private final ClusterCoordinator coordinator;
  private final Progress progress;
  private final int needed;
  private List<Source.Portion> current;
  private long number;
  private volatile Round round;

  /** What is gathered in a round. */
  private static final class Round {
    private final long number;
    private final CountDownLatch left;
    private double lossSum;
    private int examples;

    Round(long number, int needed) {
      this.number = number;
      this.left = new CountDownLatch(needed);
    }

    synchronized void add(double loss, int count) {
      lossSum += loss;
      examples += count;
      left.countDown();
    }

    synchronized double loss() {
      return lossSum / examples;
    }

    synchronized int examples() {
      return examples;
    }
  }

  SynchronousSteps(
      TrainingGraph<T> training,
      Source source,
      ClusterCoordinator coordinator,
      Progress progress,
      int backupWorkers) {
    this.training = training;
    this.source = source;
    this.arguments = source.arguments().toArray();
    this.coordinator = coordinator;
    this.progress = progress;
    this.needed = source.shards() - backupWorkers;
    if (needed < 1) {
      throw new IllegalArgumentException(
          "%d backup workers of %d: a step needs one that is none"
              .formatted(backupWorkers, source.shards()));
    }
    this.current = deal();
    this.round = new Round(0, needed);
    startAnew();
  }

  private List<Source.Portion> deal() {
    List<Source.Portion> dealt = new ArrayList<>();
    for (int shard = 0; shard < source.shards(); shard++) {
      dealt.add(source.next(shard, true));
    }
    return dealt;
  }

  @Override
  public boolean next() throws InterruptedException {
    if (progress.isDone()) {
      return false;
    }
    long before = disturbances();
    Round now = new Round(number, needed);
    round = now;
    for (Source.Portion portion : current) {
      coordinator.schedule(worker -> contribute(worker, portion, now), arguments);
    }
    while (!now.left.await(PAUSE_MS, TimeUnit.MILLISECONDS)) {
      // Throws what has failed meanwhile.
      coordinator.done();
    }
    boolean applied = false;
    if (disturbances() == before) {
      applied = coordinator.onParameterServersOnce(this::apply).isPresent();
    }
    if (applied) {
      number++;
      progress.count(TrainingException.finite(now.loss(), progress.applied()), now.examples());
      current = deal();
    } else {
      number++;
      round = new Round(number, needed);
      startAnew();
    }
    return !progress.isDone();
  }

  private long disturbances() {
    ClusterCoordinator.Metrics metrics = coordinator.metrics();
    return metrics.repetitions() + metrics.recoveries();
  }

  private boolean contribute(WorkerContext worker, Source.Portion portion, Round mine) {
    if (round != mine) {
      return false; // It was a backup's, and the step went on without it.
    }
    try (BatchFeeds.Fed fed = portion.feeds();
        TInt64 tag = TInt64.scalarOf(mine.number)) {
      List<Feed> all = new ArrayList<>(fed.feeds());
      all.add(new Feed(training.localStep(), tag));
      StepResult result =
          StepResult.of(training, worker, all, training.contribute(), portion.examples());
      mine.add(result.lossSum(), result.examples());
    }
    return true;
  }

  private boolean apply(GraphRunner runner) {
    runner.run(List.of(), List.of(), List.of(training.apply())).close();
    return true;
  }

  /** Empties the accumulators, makes them take this round's gradients, and asks for the step. */
  private void startAnew() {
    long drained = number++;
    long step =
        coordinator.onParameterServers(
            runner -> {
              // First nothing that is late is taken any more, then nothing is left of it.
              begin(runner, drained);
              empty(runner);
              begin(runner, drained + 1);
              try (Result result =
                  runner.run(List.of(), List.of(training.stepBefore()), List.of())) {
                return ((TInt64) result.get(0)).getLong();
              }
            });
    progress.resume(step);
  }

  private void begin(GraphRunner runner, long from) {
    try (TInt64 tag = TInt64.scalarOf(from)) {
      List<Feed> feeds = List.of(new Feed(training.localStep(), tag));
      runner.run(feeds, List.of(), List.of(training.beginStep())).close();
    }
  }

  private void empty(GraphRunner runner) {
    List<Operand<?>> full = new ArrayList<>();
    List<? extends Operand<?>> counts =
        training.accumulators().stream().map(TrainingGraph.Accumulator::count).toList();
    try (Result result = runner.run(List.of(), counts, List.of())) {
      for (int i = 0; i < counts.size(); i++) {
        if (((TInt32) result.get(i)).getInt() > 0) {
          full.add(training.accumulators().get(i).discard());
        }
      }
    }
    if (!full.isEmpty()) {
      runner.run(List.of(), full, List.of()).close();
    }
  }
}
