package io.sedge.tensor.training.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.runtime.RestartPolicy;
import io.sedge.tensor.runtime.ServerProcess;
import io.sedge.tensor.runtime.ServerProcessOptions;
import io.sedge.tensor.runtime.ServerTask;
import io.sedge.tensor.runtime.StatusCode;
import io.sedge.tensor.runtime.TensorFlowStatusException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
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
import org.tensorflow.types.TInt64;

/**
 * Functions on processes that are killed: two workers, two parameter servers, each started again by
 * who started it. Each test names the row of TensorFlow's cases that it holds. A step multiplies
 * matrices of 10 by 10 on the worker and counts itself on a parameter server.
 */
@Timeout(90)
class CoordinatorFaultTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final RestartPolicy AT_ONCE =
      new RestartPolicy(1000, Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofSeconds(1));
  private static final Map<String, ServerProcess> SERVERS = new LinkedHashMap<>();
  private static ClusterSpec cluster;

  private final List<String> events = new CopyOnWriteArrayList<>();
  private final Graph graph = new Graph();
  private final Ops ops = Ops.create(graph);
  private ClusterCoordinator coordinator;
  private VariableValues values;
  private Operand<TInt64> read;
  private Op step;

  @BeforeAll
  static void startServers() {
    cluster = LocalCluster.spec(2, 2);
    for (String job : cluster.jobs()) {
      for (int task : cluster.taskIndices(job)) {
        launch(job, task);
      }
    }
    SERVERS.values().forEach(server -> server.awaitServing(LIMIT));
  }

  private static void launch(String job, int task) {
    ServerProcessOptions options = ServerProcessOptions.defaults().withRestart(AT_ONCE);
    SERVERS.put(job + task, ServerProcess.launch(ServerTask.of(cluster, job, task), options));
  }

  @AfterAll
  static void endServers() {
    SERVERS.values().forEach(ServerProcess::close);
  }

  @BeforeEach
  void start() {
    ParameterServerStrategy strategy = ParameterServerStrategy.of(cluster);
    Variables variables = strategy.variables(graph);
    ShardedVariable<TInt64> count = variables.create("iterations", TInt64.class, Shape.scalar());
    ShardedVariable<TFloat32> other = variables.create("other", TFloat32.class, Shape.scalar());
    Operand<TFloat32> matrix =
        ops.random.truncatedNormal(ops.constant(new int[] {10, 10}), TFloat32.class);
    Operand<TFloat32> product = ops.linalg.matMul(matrix, matrix);
    step =
        ops.withControlDependencies(List.of(product))
            .assignAddVariableOp(count.shards().getFirst().handle(), ops.constant(1L));
    read = count.read(ops);
    assertThat(other.shards().getFirst().task()).isEqualTo(1);
    values = new VariableValues(graph, variables);
    SERVERS.values().forEach(server -> server.awaitServing(LIMIT));
    CoordinatorOptions options =
        CoordinatorOptions.defaults().withStepLimit(Duration.ofSeconds(10));
    coordinator = ClusterCoordinator.start(strategy, graph, options, events::add);
    coordinator.onParameterServers(this::begin);
    coordinator.protect(
        values,
        runner -> {
          begin(runner);
          return "from the beginning";
        });
  }

  @AfterEach
  void close() {
    coordinator.close();
    Thread.ofPlatform().daemon().start(graph::close);
  }

  private boolean begin(GraphRunner runner) {
    try (TInt64 zero = TInt64.scalarOf(0);
        TFloat32 one = TFloat32.scalarOf(1)) {
      values.assign(runner, Map.of("iterations", zero, "other", one));
      return true;
    }
  }

  private boolean count(WorkerContext worker) {
    worker.runner().run(List.of(), List.of(), List.of(step)).close();
    return true;
  }

  private void steps(int number) throws InterruptedException {
    for (int i = 0; i < number; i++) {
      coordinator.schedule(this::count);
    }
    coordinator.join();
  }

  private long iterations() {
    return coordinator.onParameterServers(
        runner -> {
          try (Result result = runner.run(List.of(), List.of(read), List.of())) {
            return ((TInt64) result.get(0)).getLong();
          }
        });
  }

  private static void kill(String... names) {
    for (String name : names) {
      ServerProcess server = SERVERS.get(name);
      server.awaitServing(LIMIT);
      ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
      process.destroyForcibly();
      process.onExit().join();
    }
  }

  private void awaitWorkers(int number) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (coordinator.metrics().workers() != number) {
      assertThat(System.nanoTime()).as("workers: %s", coordinator.metrics()).isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Test
  void ft02AWorkerDiesBetweenFunctions() throws InterruptedException {
    steps(2);
    assertThat(iterations()).isEqualTo(2);
    kill("worker0");
    steps(2);
    // At least once: the one that was lost may have counted.
    assertThat(iterations()).isBetween(4L, 5L);
  }

  @Test
  void ft04AnErrorOfAFunctionCancelsOthersAlthoughAWorkerDies() throws InterruptedException {
    awaitWorkers(2);
    CountDownLatch begun = new CountDownLatch(1);
    RemoteValue<Boolean> slow =
        coordinator.schedule(
            worker -> {
              begun.countDown();
              return new CountDownLatch(1).await(50, TimeUnit.SECONDS);
            });
    begun.await();
    kill("worker0");
    coordinator.schedule(
        worker -> {
          throw new TensorFlowStatusException(StatusCode.INVALID_ARGUMENT, "user error");
        });
    assertThatThrownBy(coordinator::join)
        .isInstanceOfSatisfying(
            TensorFlowStatusException.class,
            e -> assertThat(e.code()).isEqualTo(StatusCode.INVALID_ARGUMENT));
    assertThatThrownBy(slow::fetch).isInstanceOf(CancellationException.class);
    steps(2);
    assertThat(iterations()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void ft05And06AWorkerIsAwayWhileIteratorsAreBegun() throws InterruptedException {
    WorkerIterator iterator = WorkerDataset.range(graph, 0, 100).repeat().iterator();
    Operand<?> part = iterator.next().getFirst();
    kill("worker0");
    for (int round = 0; round < 3; round++) {
      PerWorkerValues<WorkerIterator> each = coordinator.createPerWorker(iterator);
      for (int i = 0; i < 3; i++) {
        coordinator.schedule(
            worker -> {
              worker.runner().run(List.of(), List.of(part), List.of(step)).close();
              return true;
            },
            each);
      }
    }
    // An iterator of a worker that died is begun anew on its return.
    RemoteValue<Boolean> back =
        coordinator.scheduleOn(
            0,
            worker -> {
              worker.runner().run(List.of(), List.of(part), List.of()).close();
              return true;
            },
            coordinator.createPerWorker(iterator));
    coordinator.join();
    assertThat(back.fetch()).isTrue();
    assertThat(iterations()).isGreaterThanOrEqualTo(9);
  }

  @Test
  void ft09BothWorkersDie() throws InterruptedException {
    awaitWorkers(2);
    for (int i = 0; i < 10; i++) {
      coordinator.schedule(this::count);
    }
    kill("worker0", "worker1");
    coordinator.join();
    assertThat(iterations()).isGreaterThanOrEqualTo(10);
    awaitWorkers(2);
  }

  /** FT-11: TensorFlow gives up here; work goes on from what the variables were restored to. */
  @Test
  void ft11AParameterServerDiesWhileAWorkerIsAway() throws InterruptedException {
    awaitWorkers(2);
    steps(2);
    for (int i = 0; i < 50; i++) {
      coordinator.schedule(this::count);
    }
    kill("worker0", "ps0");
    coordinator.join();
    long before = iterations();
    assertThat(before).isGreaterThanOrEqualTo(0);
    steps(3);
    assertThat(iterations()).isGreaterThanOrEqualTo(before + 3);
    assertThat(events).anyMatch(event -> event.startsWith("parameter servers are back"));
  }

  @Test
  void ft12AValueOutlivesItsWorker() throws InterruptedException {
    List<RemoteValue<Integer>> fetched = new ArrayList<>();
    for (int worker : coordinator.workers()) {
      fetched.add(coordinator.scheduleOn(worker, here -> here.index() + 1));
    }
    assertThat(fetched.get(0).fetch()).isEqualTo(1);
    kill("worker0", "worker1");
    assertThat(fetched.get(0).fetch()).isEqualTo(1);
    assertThat(fetched.get(1).fetch()).isEqualTo(2);
  }

  @Test
  void ft14VariablesAreReadWhileAWorkerDiesAndReturns() throws InterruptedException {
    awaitWorkers(2);
    AtomicBoolean ended = new AtomicBoolean();
    List<Long> seen = new CopyOnWriteArrayList<>();
    Thread reader =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!ended.get()) {
                    seen.add(iterations());
                  }
                });
    kill("worker0");
    steps(20);
    awaitWorkers(2);
    ended.set(true);
    reader.join();
    assertThat(seen).hasSizeGreaterThan(2).isSorted();
    assertThat(coordinator.metrics().recoveries()).isZero();
  }

  /** FT-15: what one failure left does not disturb the next. */
  @Test
  void ft15WorkersDieOneAfterTheOther() throws InterruptedException {
    for (int round = 0; round < 2; round++) {
      awaitWorkers(2);
      for (int i = 0; i < 20; i++) {
        coordinator.schedule(this::count);
      }
      kill("worker" + round);
      coordinator.join();
    }
    assertThat(iterations()).isGreaterThanOrEqualTo(40);
    assertThat(coordinator.metrics().recoveries()).isZero();
  }

  /** FT-16, FT-17: joining and scheduling throw where a parameter server stays away. */
  @Test
  void ft17AParameterServerThatStaysAwayIsAnErrorOfScheduling() throws InterruptedException {
    coordinator.close();
    CoordinatorOptions options =
        CoordinatorOptions.defaults()
            .withQueueCapacity(2)
            .withStepLimit(Duration.ofSeconds(10))
            .withLimits(LIMIT, Duration.ofSeconds(1));
    coordinator =
        ClusterCoordinator.start(ParameterServerStrategy.of(cluster), graph, options, events::add);
    coordinator.onParameterServers(this::begin);
    coordinator.protect(values, runner -> "nothing");
    steps(2);
    SERVERS.get("ps1").close();
    SERVERS.get("ps0").close();
    try {
      assertThatThrownBy(
              () -> {
                while (true) {
                  coordinator.schedule(this::count);
                }
              })
          .isInstanceOf(ClusterLostException.class)
          .hasMessageContaining("parameter server 0 at " + cluster.taskAddress("ps", 0))
          .hasMessageContaining("1 at " + cluster.taskAddress("ps", 1))
          .hasMessageContaining("tried for 1 s");
    } finally {
      launch("ps", 0);
      launch("ps", 1);
    }
  }

  /** FT-18: whoever runs a function then, it is the parameter servers that were lost. */
  @Test
  void ft18TheLossOfAllParameterServersIsNotTakenForThatOfWorkers() throws InterruptedException {
    awaitWorkers(2);
    steps(4);
    kill("ps0", "ps1");
    List<RemoteValue<Boolean>> each = new ArrayList<>();
    for (int worker : coordinator.workers()) {
      each.add(coordinator.scheduleOn(worker, this::count));
    }
    for (RemoteValue<Boolean> value : each) {
      assertThat(value.fetch()).isTrue();
    }
    assertThat(coordinator.metrics().recoveries()).isPositive();
    assertThat(coordinator.metrics().workerFailures()).isZero();
  }

  @Test
  void ft20WorkersDieWhileTheCoordinatorStarts() throws InterruptedException {
    coordinator.close();
    kill("worker0");
    coordinator =
        ClusterCoordinator.start(
            ParameterServerStrategy.of(cluster), graph, CoordinatorOptions.defaults(), events::add);
    kill("worker1");
    coordinator.onParameterServers(this::begin);
    steps(2);
    assertThat(iterations()).isBetween(2L, 3L);
    awaitWorkers(2);
  }

  @Test
  void mt03ALostWorkerIsCounted() throws InterruptedException {
    awaitWorkers(2);
    ClusterCoordinator.Metrics before = coordinator.metrics();
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean isFirst = new AtomicBoolean(true);
    RemoteValue<Boolean> slow =
        coordinator.scheduleOn(
            0,
            worker -> {
              if (isFirst.getAndSet(false)) {
                begun.countDown();
                new CountDownLatch(1).await(50, TimeUnit.SECONDS);
              }
              return count(worker);
            });
    begun.await();
    kill("worker0");
    assertThat(slow.fetch()).isTrue();
    ClusterCoordinator.Metrics after = coordinator.metrics();
    assertThat(after.workerFailures() - before.workerFailures()).isEqualTo(1);
    assertThat(after.repetitions() - before.repetitions()).isEqualTo(1);
    assertThat(after.connections() - before.connections()).isEqualTo(1);
    assertThat(after.executed() - before.executed()).isEqualTo(1);
  }
}
