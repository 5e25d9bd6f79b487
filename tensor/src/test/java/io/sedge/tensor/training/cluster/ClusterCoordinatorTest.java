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

/** On TensorFlow's servers in this JVM. Each test names the row of TensorFlow's cases it holds. */
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

  /** PS-01: what has no device is computed by the worker, not by the parameter server. */
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

  /** MT-01. */
  @Test
  void mt01FunctionsAreCounted() throws InterruptedException {
    coordinator.schedule(this::add);
    coordinator.schedule(this::add);
    coordinator.join();
    ClusterCoordinator.Metrics metrics = coordinator.metrics();
    assertThat(metrics.executed()).isEqualTo(2);
    assertThat(metrics.waiting()).isZero();
    assertThat(metrics.running()).isZero();
    assertThat(metrics.workerFailures()).isZero();
    assertThat(metrics.workers()).isBetween(1, 2);
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
