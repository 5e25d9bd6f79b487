package io.sedge.tensor.training.cluster;

import java.util.List;
import org.tensorflow.Operand;
import org.tensorflow.op.Op;

/**
 * Where a worker is in its dataset: {@code tf.data.Iterator}, one on each worker. Parts of a graph
 * that use {@link #next} read the next element on the worker that runs them; {@link
 * ClusterCoordinator#createPerWorker(WorkerIterator)}, as an argument of a function, sees to it
 * that the iterator was begun there. The end of the data is a {@link
 * io.sedge.tensor.runtime.TensorFlowStatusException} with code OUT_OF_RANGE. Immutable.
 */
public final class WorkerIterator {
  /** Feeds that depend on the worker. */
  @FunctionalInterface
  interface Feeds {
    List<GraphRunner.Feed> of(WorkerContext worker);
  }

  private final Op begin;
  private final List<Operand<?>> next;
  private final Feeds feeds;

  WorkerIterator(Op begin, List<Operand<?>> next, Feeds feeds) {
    this.begin = begin;
    this.next = List.copyOf(next);
    this.feeds = feeds;
  }

  /** The parts of the next element, each time that a step is run which needs one of them. */
  public List<Operand<?>> next() {
    return next;
  }

  /** Begins at the start of the data, whether it was begun before or not. */
  public void begin(WorkerContext worker) {
    List<GraphRunner.Feed> fed = feeds.of(worker);
    try {
      worker.runner().run(fed, List.of(), List.of(begin)).close();
    } finally {
      fed.forEach(feed -> feed.value().close());
    }
  }
}
