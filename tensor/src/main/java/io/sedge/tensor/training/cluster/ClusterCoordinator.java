package io.sedge.tensor.training.cluster;

import io.sedge.tensor.ClusterResolver;
import io.sedge.tensor.ClusterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.tensorflow.Graph;
import org.tensorflow.types.family.TType;

/**
 * Hands functions to the workers of a cluster: {@code
 * tf.distribute.coordinator.ClusterCoordinator}. A function runs on whichever worker is free, at
 * least once. Its parts on TensorFlow are those of one graph, which every worker has a session of;
 * a part without a device runs on the worker.
 *
 * <p>A worker that dies: what it ran is run again elsewhere; it has functions again once it listens
 * at its address. Workers of the cluster may come late and leave at any time; {@link #update} takes
 * others. A parameter server that dies: functions fail and are put back; once it listens again all
 * variables get the values that {@link #protect} says, and work goes on. Which of the two it was,
 * or neither, is found out by looking at the servers, not by the words of the error.
 *
 * <p>Errors are TensorFlow's: the first error of a function cancels all others and is thrown once,
 * by {@link #schedule}, {@link #join} or {@link #done}; work can go on after that.
 *
 * <p>For any number of threads.
 */
public final class ClusterCoordinator implements AutoCloseable {
  /**
   * What it did and does: what TensorFlow's coordinator counts.
   *
   * @param executed functions that ended well
   * @param executing how long those took, added
   * @param fetched values that were asked for and given
   * @param connections sessions that were opened on workers
   * @param workerFailures how often a worker was lost at work
   * @param repetitions functions that were run again
   * @param recoveries how often parameter servers were lost and restored
   * @param waiting functions that wait for a worker
   * @param running functions that are with one
   * @param workers workers that answer
   */
  public record Metrics(
      long executed,
      Duration executing,
      long fetched,
      long connections,
      long workerFailures,
      long repetitions,
      long recoveries,
      int waiting,
      int running,
      int workers) {}

  private final ParameterServerStrategy strategy;
  private final ClosureQueue<Closure<?>> queue;
  private final ParameterServers parameterServers;
  private final Worker.Shared shared;
  private final ClusterListener listener;
  private final Map<Integer, Worker> workers = new ConcurrentSkipListMap<>();
  private final List<Worker> left = new CopyOnWriteArrayList<>();
  private final Counts counts = new Counts();
  private final Watchdog watchdog;
  private final Thread watcher;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile ClusterSpec cluster;

  private ClusterCoordinator(
      ParameterServerStrategy strategy,
      Graph graph,
      CoordinatorOptions options,
      ClusterListener listener) {
    this.strategy = strategy;
    this.listener = listener;
    this.cluster = strategy.cluster();
    this.queue =
        new ClosureQueue<>(
            options.queueCapacity(), () -> workers.values().forEach(Worker::cancelRunning));
    Sessions sessions = new Sessions(cluster, graph, options);
    this.parameterServers = new ParameterServers(strategy, sessions, options, listener);
    this.shared =
        new Worker.Shared(
            queue, parameterServers, sessions, options, listener, counts, this::workerTasks);
    workerTasks().forEach(task -> workers.put(task, new Worker(task, shared)));
    this.watcher =
        Thread.ofVirtual().name("sedge-watch-workers").unstarted(() -> watchWorkers(options));
    this.watchdog =
        new Watchdog(options.watchdog(), counts::executions, this::underWay, listener::happened);
  }

  private List<Integer> workerTasks() {
    return cluster.taskIndices(ParameterServerStrategy.WORKER);
  }

  /** What waits and runs, for people; empty if nothing does. */
  private String underWay() {
    int waiting = queue.waiting();
    int running = queue.running();
    if (waiting + running == 0) {
      return "";
    }
    StringJoiner words = new StringJoiner("; ");
    words.add(waiting + " functions wait and " + running + " run");
    workers.values().forEach(worker -> words.add(worker.state()));
    return words.toString();
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
    try {
      coordinator.parameterServers.awaitStart();
    } catch (RuntimeException e) {
      coordinator.watchdog.close();
      throw e;
    }
    coordinator.workers.values().forEach(Worker::start);
    coordinator.watcher.start();
    return coordinator;
  }

  /** Work that nobody can do is an error, after the time that a worker has to come (back). */
  private void watchWorkers(CoordinatorOptions options) {
    long last = System.nanoTime();
    long limitNs = options.startLimit().toNanos();
    while (!pauseUntilClosed(options.probeInterval())) {
      if (workers.values().stream().anyMatch(worker -> !worker.isAway())) {
        last = System.nanoTime();
        limitNs = options.returnLimit().toNanos();
      } else if (System.nanoTime() - last > limitNs) {
        queue.fail(
            new ClusterLostException(
                "no worker answers; tried for %d s at %s. Start one, or check the addresses"
                    .formatted(
                        limitNs / 1_000_000_000, cluster.tasks(ParameterServerStrategy.WORKER))));
        last = System.nanoTime();
      }
    }
  }

  private boolean pauseUntilClosed(Duration interval) {
    try {
      return closed.await(interval.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      return true;
    }
  }

  /**
   * Takes workers that have joined and leaves those that are of the cluster no more; one whose
   * address has changed is both. One that leaves ends the function that it runs. Workers that join
   * need not be in the cluster that other servers were started with.
   *
   * @param other the cluster as it is now
   * @throws IllegalArgumentException if it has no worker, or other parameter servers: variables are
   *     where they are
   */
  public synchronized void update(ClusterSpec other) {
    ParameterServerStrategy.check(other);
    if (!other
        .tasks(ParameterServerStrategy.PS)
        .equals(cluster.tasks(ParameterServerStrategy.PS))) {
      throw new IllegalArgumentException(
          "parameter servers cannot change while variables are on them: they are %s, not %s"
              .formatted(
                  cluster.tasks(ParameterServerStrategy.PS),
                  other.tasks(ParameterServerStrategy.PS)));
    }
    Map<Integer, String> wanted = other.tasks(ParameterServerStrategy.WORKER);
    shared.sessions().update(other);
    cluster = other;
    for (int task : List.copyOf(workers.keySet())) {
      Worker known = workers.get(task);
      if (known != null && !known.address().equals(wanted.get(task))) {
        known.leave(); // First: whoever sees it gone counts on it that it takes no more.
        workers.remove(task);
        left.add(known);
        if (!wanted.containsKey(task)) {
          queue.cancelAll(task);
        }
      }
    }
    left.removeIf(Worker::isEnded);
    for (int task : wanted.keySet()) {
      if (closed.getCount() > 0 && !workers.containsKey(task)) {
        Worker joined = new Worker(task, shared);
        workers.put(task, joined);
        joined.start();
      }
    }
  }

  /**
   * Asks a resolver again and again, and does what {@link #update} does where the workers are
   * others. What goes wrong is told to the listener, once, until it goes well again.
   */
  public void follow(ClusterResolver resolver, Duration interval) {
    Thread.ofVirtual()
        .name("sedge-membership")
        .start(
            () -> {
              boolean isWell = true;
              while (!pauseUntilClosed(interval)) {
                try {
                  ClusterSpec now = ParameterServerStrategy.of(resolver.clusterSpec()).cluster();
                  if (!now.equals(cluster)) {
                    update(now);
                  }
                  isWell = true;
                } catch (RuntimeException e) {
                  if (isWell) {
                    listener.happened("the cluster stays as it was: " + e.getMessage());
                  }
                  isWell = false;
                }
              }
            });
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
    Closure<T> closure = new Closure<>(Closure.ANY, function, checked(arguments), counts);
    queue.put(closure);
    return closure.value();
  }

  /**
   * Queues a function for one worker, before all others; waits for nobody. It is run again by the
   * same worker if that was lost, once it is back. Its error is its own: it cancels nothing, and is
   * thrown by {@link RemoteValue#fetch} alone; {@link #join} and {@link #done} do not wait for it.
   *
   * @param worker a task index of job {@code worker}
   * @throws IllegalArgumentException if there is no such worker, or as {@link #schedule}
   */
  public <T> RemoteValue<T> scheduleOn(
      int worker, WorkerFunction<T> function, Object... arguments) {
    if (!workers.containsKey(worker)) {
      throw new IllegalArgumentException(
          "there is no worker " + worker + "; the workers are " + workers.keySet());
    }
    Closure<T> closure = new Closure<>(worker, function, checked(arguments), counts);
    queue.put(closure, worker);
    return closure.value();
  }

  private static List<Object> checked(Object... arguments) {
    for (Object argument : arguments) {
      if (argument instanceof RemoteValue<?>) {
        throw new IllegalArgumentException(
            "A RemoteValue used as an input to scheduled function is not yet supported: fetch it"
                + " first");
      }
    }
    return List.of(arguments);
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
   * An iterator over a dataset for each worker, begun on it when a function first needs it, and
   * anew after the worker was lost: its place in the data is lost then.
   */
  public PerWorkerValues<WorkerIterator> createPerWorker(WorkerIterator iterator) {
    return new PerWorkerValues<>(
        worker -> {
          iterator.begin(worker);
          return iterator;
        });
  }

  /** A variable for each worker, given its first value when a function first needs it there. */
  public <T extends TType> PerWorkerValues<PerWorkerVariable<T>> createPerWorker(
      PerWorkerVariable<T> variable) {
    return new PerWorkerValues<>(
        worker -> {
          variable.begin(worker);
          return variable;
        });
  }

  /**
   * Checks that a worker is there, or was not long ago.
   *
   * @throws ClusterLostException if it has been away for longer than the limit
   */
  public void checkPresence(int worker, Duration limit) {
    Worker known = workers.get(worker);
    if (known == null || known.isAwayFor(limit)) {
      throw new ClusterLostException(
          "worker %d at %s does not answer; tried for %d s. Start it, or check its address"
              .formatted(worker, known == null ? "?" : known.address(), limit.toSeconds()));
    }
  }

  /** The workers that there are now, by task index. */
  public List<Integer> workers() {
    return List.copyOf(workers.keySet());
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
    int here = (int) workers.values().stream().filter(worker -> !worker.isAway()).count();
    return new Metrics(
        counts.executions(),
        Duration.ofNanos(counts.executionNs()),
        counts.fetches(),
        counts.connections(),
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
    watchdog.close();
    queue.close();
    workers.values().forEach(Worker::close);
    left.forEach(Worker::close);
    parameterServers.close();
  }

  /** Whether all threads that work for it have ended. */
  boolean isEnded() {
    return watchdog.isEnded()
        && watcher.getState() == Thread.State.TERMINATED
        && workers.values().stream().allMatch(Worker::isEnded)
        && left.stream().allMatch(Worker::isEnded);
  }
}
