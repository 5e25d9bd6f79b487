package io.sedge.tensor.training.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.tensorflow.Graph;

/**
 * Hands functions to the workers of a cluster: {@code
 * tf.distribute.coordinator.ClusterCoordinator}. A function runs on whichever worker is free, at
 * least once. Its parts on TensorFlow are those of one graph, which every worker has a session of;
 * a part without a device runs on the worker.
 *
 * <p>A worker that dies: what it ran is run again elsewhere; it has functions again once it listens
 * at its address. Workers of the cluster may come late and leave at any time. A parameter server
 * that dies: functions fail and are put back; once it listens again all variables get the values
 * that {@link #protect} says, and work goes on. Which of the two it was, or neither, is found out
 * by looking at the servers, not by the words of the error.
 *
 * <p>Errors are TensorFlow's: the first error of a function cancels all others and is thrown once,
 * by {@link #schedule}, {@link #join} or {@link #done}; work can go on after that.
 *
 * <p>For any number of threads.
 */
public final class ClusterCoordinator implements AutoCloseable {
  /**
   * What it did and does.
   *
   * @param executed functions that ended well
   * @param workerFailures how often a worker was lost at work
   * @param repetitions functions that were run again
   * @param recoveries how often parameter servers were lost and restored
   * @param waiting functions that wait for a worker
   * @param running functions that are with one
   * @param workers workers that answer
   */
  public record Metrics(
      long executed,
      long workerFailures,
      long repetitions,
      long recoveries,
      int waiting,
      int running,
      int workers) {}

  private final ParameterServerStrategy strategy;
  private final ClosureQueue<Closure<?>> queue;
  private final ParameterServers parameterServers;
  private final List<Worker> workers = new ArrayList<>();
  private final Counts counts = new Counts();
  private final CountDownLatch closed = new CountDownLatch(1);

  private ClusterCoordinator(
      ParameterServerStrategy strategy,
      Graph graph,
      CoordinatorOptions options,
      ClusterListener listener) {
    this.strategy = strategy;
    this.queue =
        new ClosureQueue<>(options.queueCapacity(), () -> workers.forEach(Worker::cancelRunning));
    Sessions sessions = new Sessions(strategy.cluster(), graph, options);
    this.parameterServers = new ParameterServers(strategy, sessions, options, listener);
    List<Integer> tasks = strategy.cluster().taskIndices(ParameterServerStrategy.WORKER);
    Worker.Shared shared =
        new Worker.Shared(
            queue, parameterServers, sessions, options, listener, counts, tasks.size());
    tasks.forEach(task -> workers.add(new Worker(task, shared)));
  }

  /**
   * Starts to coordinate. Waits for all parameter servers; workers are taken as they come.
   *
   * @param graph what the functions run parts of; may still grow; is closed after the coordinator
   * @throws ClusterLostException if a parameter server does not answer in time, with which and how
   *     long it was tried
   */
  public static ClusterCoordinator start(
      ParameterServerStrategy strategy,
      Graph graph,
      CoordinatorOptions options,
      ClusterListener listener) {
    ClusterCoordinator coordinator = new ClusterCoordinator(strategy, graph, options, listener);
    coordinator.parameterServers.awaitStart();
    coordinator.workers.forEach(Worker::start);
    Thread.ofVirtual()
        .name("sedge-watch-workers")
        .start(() -> coordinator.watchWorkers(options, sessions(strategy)));
    return coordinator;
  }

  private static String sessions(ParameterServerStrategy strategy) {
    return strategy.cluster().tasks(ParameterServerStrategy.WORKER).toString();
  }

  /** Work that nobody can do is an error, after the time that a worker has to come (back). */
  private void watchWorkers(CoordinatorOptions options, String addresses) {
    long last = System.nanoTime();
    long limitNs = options.startLimit().toNanos();
    while (!pauseUntilClosed(options)) {
      if (workers.stream().anyMatch(worker -> !worker.isAway())) {
        last = System.nanoTime();
        limitNs = options.returnLimit().toNanos();
      } else if (System.nanoTime() - last > limitNs) {
        queue.fail(
            new ClusterLostException(
                "no worker answers; tried for %d s at %s. Start one, or check the addresses"
                    .formatted(limitNs / 1_000_000_000, addresses)));
        last = System.nanoTime();
      }
    }
  }

  private boolean pauseUntilClosed(CoordinatorOptions options) {
    try {
      return closed.await(options.probeInterval().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** The strategy. */
  public ParameterServerStrategy strategy() {
    return strategy;
  }

  /**
   * Queues a function; waits while the queue is full.
   *
   * @param arguments what {@link WorkerContext#argument} gives; of {@link PerWorkerValues}, the
   *     worker's
   * @throws IllegalArgumentException for an argument that is a {@link RemoteValue}
   * @throws RuntimeException a pending error of a function
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  public <T> RemoteValue<T> schedule(WorkerFunction<T> function, Object... arguments)
      throws InterruptedException {
    for (Object argument : arguments) {
      if (argument instanceof RemoteValue<?>) {
        throw new IllegalArgumentException(
            "A RemoteValue used as an input to scheduled function is not yet supported: fetch it"
                + " first");
      }
    }
    Closure<T> closure = new Closure<>(function, List.of(arguments));
    queue.put(closure);
    return closure.value();
  }

  /**
   * Waits until every function was run.
   *
   * @throws RuntimeException the error of a function; thrown once
   * @throws InterruptedException if the thread is interrupted
   */
  public void join() throws InterruptedException {
    queue.await();
  }

  /** Whether every function was run; throws a pending error as {@link #join} does. */
  public boolean done() throws InterruptedException {
    return queue.done();
  }

  /**
   * Replaces remote values by their values, in lists and maps as well; anything else stays.
   *
   * @throws RuntimeException the error of a function
   * @throws InterruptedException if the thread is interrupted
   */
  public Object fetch(Object structure) throws InterruptedException {
    return switch (structure) {
      case RemoteValue<?> value -> value.fetch();
      case List<?> list -> {
        List<Object> fetched = new ArrayList<>();
        for (Object each : list) {
          fetched.add(fetch(each));
        }
        yield fetched;
      }
      case Map<?, ?> map -> {
        Map<Object, Object> fetched = new LinkedHashMap<>();
        for (Map.Entry<?, ?> each : map.entrySet()) {
          fetched.put(each.getKey(), fetch(each.getValue()));
        }
        yield fetched;
      }
      default -> structure;
    };
  }

  /**
   * Values that each worker has its own of, such as the iterator over its shard of the data; made
   * when a function first needs them, and again after the worker was lost.
   */
  public <T> PerWorkerValues<T> createPerWorker(PerWorkerValues.Factory<T> factory) {
    return new PerWorkerValues<>(factory);
  }

  /**
   * Looks after variables from now on.
   *
   * @param values all variables of the graph
   * @param restore gives them values after a parameter server was lost, for example those of the
   *     last checkpoint; says what it did. May be called again if the servers fail meanwhile
   */
  public void protect(VariableValues values, Function<GraphRunner, String> restore) {
    parameterServers.protect(values, restore::apply);
  }

  /**
   * Runs something on the parameter servers, such as reading all variables; again if one was lost
   * meanwhile, so it must bear to be run twice.
   *
   * @throws ClusterLostException if a lost one does not come back
   */
  public <R> R onParameterServers(Function<GraphRunner, R> work) {
    return parameterServers.run(work);
  }

  /**
   * Runs something on the parameter servers once.
   *
   * @return its result; empty if a server was lost or did not answer, so that it may have had its
   *     effect or not. Lost ones have been restored by then
   * @throws ClusterLostException if a lost one does not come back
   */
  public <R> Optional<R> onParameterServersOnce(Function<GraphRunner, R> work) {
    return parameterServers.runOnce(work);
  }

  /** What it did and does. */
  public Metrics metrics() {
    int here = (int) workers.stream().filter(worker -> !worker.isAway()).count();
    return new Metrics(
        counts.executions(),
        counts.failures(),
        counts.repetitions(),
        parameterServers.generation(),
        queue.waiting(),
        queue.running(),
        here);
  }

  /** Cancels what waits and runs, and ends all threads; those that hang on a dead server, later. */
  @Override
  public void close() {
    closed.countDown();
    queue.close();
    workers.forEach(Worker::close);
    parameterServers.close();
  }
}
