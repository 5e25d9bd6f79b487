package io.sedge.tensor.training.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.runtime.StatusCode;
import io.sedge.tensor.runtime.TensorFlowStatusException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.types.TFloat32;

/**
 * On TensorFlow's servers in this JVM. Each test names the row of TensorFlow's cases it holds.
 *
 * <p>Long because those cases are many, and the cluster they need is started once.
 */
@Timeout(60)
class ClusterCoordinatorTest {
  private static ClusterSpec cluster;

  private final Graph graph = new Graph();
  private final Ops ops = Ops.create(graph);
  private ClusterCoordinator coordinator;
  private ShardedVariable<TFloat32> variable;
  private Op addTwo;
  private Operand<TFloat32> read;
  private VariableValues values;

  @BeforeAll
  static void startServers() {
    cluster = LocalCluster.start(2, 2);
  }

  @BeforeEach
  void start() {
    start(CoordinatorOptions.defaults().withQueueCapacity(2));
  }

  private void start(CoordinatorOptions options) {
    ParameterServerStrategy strategy = ParameterServerStrategy.of(cluster);
    Variables variables = strategy.variables(graph);
    variable = variables.create("v", TFloat32.class, Shape.scalar());
    addTwo = variable.assignAdd(ops, ops.constant(2f)).getFirst();
    read = variable.read(ops);
    values = new VariableValues(graph, variables);
    coordinator = ClusterCoordinator.start(strategy, graph, options, what -> {});
    reset();
  }

  private void reset() {
    try (TFloat32 zero = TFloat32.scalarOf(0)) {
      coordinator.onParameterServers(
          runner -> {
            values.assign(runner, Map.of("v", zero));
            return true;
          });
    }
  }

  @AfterEach
  void close() {
    coordinator.close();
    graph.close();
  }

  private float value() {
    return coordinator.onParameterServers(this::readOn);
  }

  private float readOn(GraphRunner runner) {
    try (Result result = runner.run(List.of(), List.of(read), List.of())) {
      return ((TFloat32) result.get(0)).getFloat();
    }
  }

  private boolean add(WorkerContext worker) {
    worker.runner().run(List.of(), List.of(), List.of(addTwo)).close();
    return true;
  }

  private Object failing(WorkerContext worker) {
    throw new TensorFlowStatusException(StatusCode.INVALID_ARGUMENT, "assertion failed");
  }

  /** CO-06, CO-21: with a queue of two, so that scheduling waits for workers. */
  @Test
  void co06FunctionsAreRunAndJoinWaitsForThem() throws InterruptedException {
    coordinator.join();
    for (int i = 0; i < 5; i++) {
      coordinator.schedule(this::add);
    }
    coordinator.join();
    assertThat(value()).isEqualTo(10);
    for (int i = 0; i < 5; i++) {
      coordinator.schedule(this::add);
    }
    coordinator.join();
    coordinator.join();
    coordinator.join();
    assertThat(value()).isEqualTo(20);
    assertThat(coordinator.done()).isTrue();
  }

  @Test
  void co03And04ValuesAreFetchedWithinListsAndMaps() throws InterruptedException {
    RemoteValue<Integer> two = coordinator.schedule(worker -> 2);
    RemoteValue<List<Integer>> list = coordinator.schedule(worker -> List.of(3, 4));
    Object fetched = coordinator.fetch(List.of(two, Map.of("v", list), "as is"));
    assertThat(fetched).isEqualTo(List.of(2, Map.of("v", List.of(3, 4)), "as is"));
    assertThat(two.status()).isEqualTo(RemoteValue.Status.READY);
    assertThat(two.fetch()).isEqualTo(2);
  }

  /** CO-01, CO-05: range(10) in as many shards as workers, an iterator each. */
  @Test
  void co05EachWorkerHasItsOwnIterator() throws InterruptedException {
    PerWorkerValues<Iterator<Integer>> shards =
        coordinator.createPerWorker(
            worker ->
                IntStream.range(0, 1000)
                    .filter(i -> i % worker.workers() == worker.index())
                    .iterator());
    List<RemoteValue<Integer>> taken = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      taken.add(
          coordinator.schedule(
              worker -> {
                int next = (Integer) ((Iterator<?>) worker.argument(0)).next();
                assertThat(next % 2).isEqualTo(worker.index());
                return next;
              },
              shards));
    }
    coordinator.join();
    Set<Object> distinct = ConcurrentHashMap.newKeySet();
    for (RemoteValue<Integer> each : taken) {
      distinct.add(each.fetch());
    }
    assertThat(distinct).hasSize(20);
  }

  /** CO-15, CO-33. */
  @Test
  void co33ARemoteValueIsNoArgument() throws InterruptedException {
    RemoteValue<Integer> two = coordinator.schedule(worker -> 2);
    assertThatThrownBy(() -> coordinator.schedule(worker -> worker.argument(0), two))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("used as an input to scheduled function is not yet supported");
  }

  @Test
  void co36TheEndOfTheDataIsAnError() throws InterruptedException {
    PerWorkerValues<Iterator<Integer>> three =
        coordinator.createPerWorker(worker -> List.of(1, 2, 3).iterator());
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10; i++) {
                coordinator.schedule(worker -> ((Iterator<?>) worker.argument(0)).next(), three);
              }
              coordinator.join();
            })
        .isInstanceOf(java.util.NoSuchElementException.class);
  }

  /** CE-01, CE-05. */
  @Test
  void ce01JoinThrowsTheErrorOfAFunction() throws InterruptedException {
    start3();
    RemoteValue<Object> failed = coordinator.schedule(this::failing);
    assertThatThrownBy(coordinator::join)
        .isInstanceOfSatisfying(
            TensorFlowStatusException.class,
            e -> assertThat(e.code()).isEqualTo(StatusCode.INVALID_ARGUMENT));
    assertThatThrownBy(failed::fetch).hasMessageContaining("assertion failed");
    coordinator.schedule(this::add);
    coordinator.join();
  }

  private void start3() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      coordinator.schedule(this::add);
    }
  }

  @Test
  void ce02And03SchedulingThrowsTheErrorOnce() throws InterruptedException {
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10_000; i++) {
                coordinator.schedule(this::failing);
              }
            })
        .hasMessageContaining("assertion failed");
    coordinator.join();
  }

  @Test
  void ce06WhatAFunctionNeedsAndCannotBeMadeIsAnErrorOfItsInput() throws InterruptedException {
    PerWorkerValues<Object> broken =
        coordinator.createPerWorker(
            worker -> {
              throw new java.io.IOException("no such file");
            });
    RemoteValue<Object> value = coordinator.schedule(worker -> worker.argument(0), broken);
    assertThatThrownBy(coordinator::join).isInstanceOf(ClosureInputException.class);
    assertThatThrownBy(value::fetch)
        .isInstanceOf(ClosureInputException.class)
        .hasMessageContaining("no such file");
  }

  @Test
  void ce08AnErrorCancelsWhatRunsElsewhereAndWorkGoesOnAfterwards() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    RemoteValue<Boolean> slow =
        coordinator.schedule(
            worker -> {
              begun.countDown();
              return new CountDownLatch(1).await(50, java.util.concurrent.TimeUnit.SECONDS);
            });
    begun.await();
    coordinator.schedule(this::failing);
    assertThatThrownBy(coordinator::join).hasMessageContaining("assertion failed");
    assertThatThrownBy(slow::fetch)
        .isInstanceOf(CancellationException.class)
        .hasMessage("The corresponding function is cancelled. Please reschedule the function.");
    assertThat(slow.status()).isEqualTo(RemoteValue.Status.ABORTED);
    for (int i = 0; i < 5; i++) {
      coordinator.schedule(this::add);
    }
    coordinator.join();
    assertThat(value()).isEqualTo(10);
  }

  /** PS-01, PS-43: what has no device is computed by the worker, not by the parameter server. */
  @Test
  void whatHasNoDeviceRunsOnTheWorker() throws InterruptedException {
    RemoteValue<Integer> devices =
        coordinator.schedule(worker -> worker.session().devices().size());
    // Its own and the two parameter servers': the other worker cannot be seen.
    assertThat(devices.fetch()).isEqualTo(3);
  }

  /** What a restarted server would say too: tried again while all servers are well, then told. */
  @Test
  void anErrorThatMayComeFromALostServerCountsAfterSomeTries() throws InterruptedException {
    java.util.concurrent.atomic.AtomicInteger tries =
        new java.util.concurrent.atomic.AtomicInteger();
    coordinator.protect(values, runner -> "nothing");
    coordinator.schedule(
        worker -> {
          tries.incrementAndGet();
          throw new TensorFlowStatusException(StatusCode.NOT_FOUND, "no such file");
        });
    assertThatThrownBy(coordinator::join).hasMessageContaining("no such file");
    assertThat(tries).hasValue(4);
  }

  /** MT-01; there is no tracing that could be counted. */
  @Test
  void mt01FunctionsAreCounted() throws InterruptedException {
    RemoteValue<Boolean> one = coordinator.schedule(this::add);
    RemoteValue<Boolean> two = coordinator.schedule(this::add);
    coordinator.join();
    coordinator.fetch(List.of(one, two));
    ClusterCoordinator.Metrics metrics = coordinator.metrics();
    assertThat(metrics.executed()).isEqualTo(2);
    assertThat(metrics.executing()).isPositive();
    assertThat(metrics.fetched()).isEqualTo(2);
    assertThat(metrics.connections()).isBetween(1L, 2L);
    assertThat(metrics.waiting()).isZero();
    assertThat(metrics.running()).isZero();
    assertThat(metrics.workerFailures()).isZero();
    assertThat(metrics.workers()).isBetween(1, 2);
  }

  @Test
  void mt02WhatWaitsAndWhatRunsIsCounted() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(2);
    CountDownLatch end = new CountDownLatch(1);
    for (int i = 0; i < 4; i++) {
      coordinator.schedule(
          worker -> {
            begun.countDown();
            return end.await(50, java.util.concurrent.TimeUnit.SECONDS);
          });
    }
    begun.await();
    ClusterCoordinator.Metrics metrics = coordinator.metrics();
    assertThat(metrics.running()).isEqualTo(2);
    assertThat(metrics.waiting()).isEqualTo(2);
    end.countDown();
    coordinator.join();
    assertThat(coordinator.metrics().running()).isZero();
    assertThat(coordinator.metrics().waiting()).isZero();
  }

  /** FT-01: TensorFlow's end when the garbage collector has found them. */
  @Test
  void ft01ClosingEndsAllThreads() throws InterruptedException {
    coordinator.schedule(this::add);
    coordinator.join();
    assertThat(coordinator.isEnded()).isFalse();
    coordinator.close();
    long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
    while (!coordinator.isEnded() && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(coordinator.isEnded()).isTrue();
  }

  @Test
  void ci02VariablesAreAddedToAndSubtractedFrom() throws InterruptedException {
    try (Graph other = new Graph()) {
      Ops here = Ops.create(other);
      ParameterServerStrategy strategy = ParameterServerStrategy.of(cluster);
      Variables variables = strategy.variables(other);
      ShardedVariable<TFloat32> first = variables.create("ci1", TFloat32.class, Shape.scalar());
      ShardedVariable<TFloat32> second = variables.create("ci2", TFloat32.class, Shape.scalar());
      VariableValues both = new VariableValues(other, variables);
      List<Op> changes = new ArrayList<>(first.assignAdd(here, here.constant(0.1f)));
      changes.addAll(second.assignSub(here, here.constant(0.2f)));
      try (ClusterCoordinator here2 =
              ClusterCoordinator.start(strategy, other, CoordinatorOptions.defaults(), what -> {});
          TFloat32 zero = TFloat32.scalarOf(0);
          TFloat32 one = TFloat32.scalarOf(1)) {
        here2.onParameterServers(
            runner -> {
              both.assign(runner, Map.of("ci1", zero, "ci2", one));
              return true;
            });
        here2.schedule(
            worker -> {
              worker.runner().run(List.of(), List.of(), changes).close();
              return true;
            });
        here2.join();
        assertThat(variables.all()).hasSize(2);
        List<Float> read =
            here2.onParameterServers(
                runner -> {
                  try (Result result = both.read(runner)) {
                    return List.of(
                        ((TFloat32) result.get(0)).getFloat(),
                        ((TFloat32) result.get(1)).getFloat());
                  }
                });
        assertThat(read).containsExactly(0.1f, 0.8f);
      }
    }
  }

  /** CS2-01: a table in three pieces on two parameter servers, looked up by functions. */
  @Test
  void cs201AnEmbeddingIsLookedUpByFunctions() throws InterruptedException {
    try (Graph other = new Graph()) {
      Ops here = Ops.create(other);
      ParameterServerStrategy strategy =
          ParameterServerStrategy.of(cluster).withPartitioner(Partitioner.fixedShards(3));
      ShardedVariable<TFloat32> table =
          strategy.variables(other).create("table", TFloat32.class, Shape.of(5, 2));
      List<Op> assign =
          table.assign(
              here, here.constant(new float[][] {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}}));
      Operand<TFloat32> rows = table.gather(here, here.constant(new int[] {0, 3, 4}));
      long gathers = 0;
      for (var all = other.operations(); all.hasNext(); ) {
        gathers += all.next().type().equals("ResourceGather") ? 1 : 0;
      }
      assertThat(gathers).isEqualTo(3);
      try (ClusterCoordinator looking =
          ClusterCoordinator.start(strategy, other, CoordinatorOptions.defaults(), what -> {})) {
        looking.onParameterServers(runner -> runner.run(List.of(), List.of(), assign)).close();
        List<RemoteValue<List<Float>>> found = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          found.add(looking.schedule(worker -> floats(worker, rows)));
        }
        looking.join();
        for (RemoteValue<List<Float>> each : found) {
          assertThat(each.fetch()).containsExactly(1f, 2f, 7f, 8f, 9f, 10f);
        }
      }
    }
  }

  private static List<Float> floats(WorkerContext worker, Operand<TFloat32> operand) {
    try (Result result = worker.runner().run(List.of(), List.of(operand), List.of())) {
      List<Float> values = new ArrayList<>();
      ((TFloat32) result.get(0)).scalars().forEach(scalar -> values.add(scalar.getFloat()));
      return values;
    }
  }

  /** A worker that no server was told of when the cluster was started, and one that leaves. */
  @Test
  void workersJoinAndLeaveWhileFunctionsRun() throws InterruptedException {
    String joining = LocalCluster.spec(1, 1).taskAddress("worker", 0);
    List<String> first = cluster.jobTasks("worker");
    ClusterSpec larger =
        ClusterSpec.builder()
            .job("ps", cluster.jobTasks("ps"))
            .job("worker", first.get(0), first.get(1), joining)
            .build();
    LocalCluster.start(larger, "worker", 2);
    coordinator.update(larger);
    assertThat(coordinator.workers()).containsExactly(0, 1, 2);
    RemoteValue<Integer> where =
        coordinator.scheduleOn(
            2,
            worker -> {
              add(worker);
              return worker.workers();
            });
    assertThat(where.fetch()).isEqualTo(3);
    assertThat(value()).isEqualTo(2);
    for (int i = 0; i < 20; i++) {
      coordinator.schedule(this::add);
    }
    coordinator.join();
    assertThat(value()).isEqualTo(42);

    ClusterSpec smaller =
        ClusterSpec.builder()
            .job("ps", cluster.jobTasks("ps"))
            .job("worker", Map.of(2, joining))
            .build();
    coordinator.update(smaller);
    assertThat(coordinator.workers()).containsExactly(2);
    for (int i = 0; i < 4; i++) {
      assertThat(coordinator.schedule(WorkerContext::index).fetch()).isEqualTo(2);
    }
    assertThat(coordinator.schedule(WorkerContext::shard).fetch()).isZero();
    assertThatThrownBy(() -> coordinator.scheduleOn(0, this::add))
        .hasMessage("there is no worker 0; the workers are [2]");
    assertThatThrownBy(() -> coordinator.update(LocalCluster.spec(1, 1)))
        .hasMessageStartingWith("parameter servers cannot change while variables are on them");
  }

  @Test
  void aResolverIsFollowed() throws InterruptedException {
    List<String> first = cluster.jobTasks("worker");
    java.util.concurrent.atomic.AtomicReference<String> now =
        new java.util.concurrent.atomic.AtomicReference<>(config(first));
    coordinator.follow(
        new io.sedge.tensor.resolver.TfConfigClusterResolver(name -> now.get()),
        Duration.ofMillis(10));
    now.set(config(first.subList(1, 2)));
    while (coordinator.workers().size() > 1) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(coordinator.schedule(worker -> worker.session().target()).fetch())
        .endsWith(first.get(1));
  }

  private static String config(List<String> workers) {
    return "{\"cluster\": {\"ps\": [\"%s\"], \"worker\": [\"%s\"]}}"
        .formatted(String.join("\", \"", cluster.jobTasks("ps")), String.join("\", \"", workers));
  }

  @Test
  void theWatchdogTellsWhatIsUnderWay() throws InterruptedException {
    List<String> told = new java.util.concurrent.CopyOnWriteArrayList<>();
    CountDownLatch end = new CountDownLatch(1);
    try (ClusterCoordinator watched =
        ClusterCoordinator.start(
            ParameterServerStrategy.of(cluster),
            graph,
            CoordinatorOptions.defaults().withWatchdog(Duration.ofMillis(50)),
            told::add)) {
      watched.schedule(worker -> end.await(50, java.util.concurrent.TimeUnit.SECONDS));
      while (told.stream().noneMatch(line -> line.startsWith("nothing was finished"))) {
        LockSupport.parkNanos(1_000_000);
      }
      end.countDown();
      watched.join();
    }
    assertThat(told)
        .anySatisfy(
            line ->
                assertThat(line)
                    .contains("0 functions wait and 1 run", "runs a function for 0 s", "await"));
  }

  @Test
  void aClusterWithoutAnAnswerIsToldWithWhoAndForHowLong() {
    ParameterServerStrategy strategy = ParameterServerStrategy.of(LocalCluster.spec(1, 1));
    CoordinatorOptions options =
        CoordinatorOptions.defaults().withLimits(Duration.ofSeconds(1), Duration.ofSeconds(1));
    assertThatThrownBy(() -> ClusterCoordinator.start(strategy, graph, options, what -> {}))
        .isInstanceOf(ClusterLostException.class)
        .hasMessageContaining("parameter server 0 at " + strategy.cluster().taskAddress("ps", 0))
        .hasMessageContaining("tried for 1 s");
  }
}
