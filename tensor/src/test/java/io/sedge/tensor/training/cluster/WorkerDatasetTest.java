package io.sedge.tensor.training.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.runtime.StatusCode;
import io.sedge.tensor.runtime.TensorFlowStatusException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.types.TBool;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;

/** On TensorFlow's servers in this JVM. Each test names the row of TensorFlow's cases it holds. */
@Timeout(60)
class WorkerDatasetTest {
  private static final int WORKERS = 5;
  private static ClusterSpec cluster;

  private final Graph graph = new Graph();
  private final Ops ops = Ops.create(graph);
  private ClusterCoordinator coordinator;
  private ShardedVariable<TInt64> variable;
  private VariableValues values;

  @TempDir private Path folder;

  @BeforeAll
  static void startServers() {
    cluster = LocalCluster.start(1, WORKERS);
  }

  @BeforeEach
  void start() {
    ParameterServerStrategy strategy = ParameterServerStrategy.of(cluster);
    Variables variables = strategy.variables(graph);
    variable = variables.create("total", TInt64.class, Shape.scalar());
    values = new VariableValues(graph, variables);
    coordinator =
        ClusterCoordinator.start(strategy, graph, CoordinatorOptions.defaults(), what -> {});
    try (TInt64 zero = TInt64.scalarOf(0)) {
      coordinator.onParameterServers(
          runner -> {
            values.assign(runner, java.util.Map.of("total", zero));
            return true;
          });
    }
  }

  @AfterEach
  void close() {
    coordinator.close();
    graph.close();
  }

  /** The next element, all of its numbers. */
  private static List<Long> next(WorkerContext worker, Operand<?> part) {
    try (Result result = worker.runner().run(List.of(), List.of(part), List.of())) {
      List<Long> numbers = new ArrayList<>();
      ((TInt64) result.get(0)).scalars().forEach(scalar -> numbers.add(scalar.getLong()));
      return numbers;
    }
  }

  private static Operand<?> part(WorkerIterator iterator) {
    return iterator.next().getFirst();
  }

  /** What each worker gets first, in the order of their indices. */
  private List<List<Long>> first(WorkerIterator iterator) throws InterruptedException {
    PerWorkerValues<WorkerIterator> each = coordinator.createPerWorker(iterator);
    List<RemoteValue<List<Long>>> scheduled = new ArrayList<>();
    for (int worker : coordinator.workers()) {
      scheduled.add(coordinator.scheduleOn(worker, here -> next(here, part(iterator)), each));
    }
    List<List<Long>> fetched = new ArrayList<>();
    for (RemoteValue<List<Long>> value : scheduled) {
      fetched.add(value.fetch());
    }
    return fetched;
  }

  @Test
  void co01EachWorkerHasItsShard() throws InterruptedException {
    WorkerDataset dataset = WorkerDataset.range(graph, 0, 10).shard().batch(10);
    assertThat(first(dataset.iterator()).stream().map(WorkerDatasetTest::sum))
        .containsExactly(5L, 7L, 9L, 11L, 13L);
  }

  private static long sum(List<Long> numbers) {
    return numbers.stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void co05TwoIteratorsOfADatasetAreIndependent() throws InterruptedException {
    WorkerDataset dataset = WorkerDataset.range(graph, 1, 3);
    assertThat(first(dataset.iterator())).containsOnly(List.of(1L)).hasSize(WORKERS);
    WorkerIterator other = dataset.iterator();
    Op add = variable.assignAdd(ops, number(part(other))).getFirst();
    PerWorkerValues<WorkerIterator> begun = coordinator.createPerWorker(other);
    for (int worker : coordinator.workers().subList(0, 2)) {
      coordinator
          .scheduleOn(
              worker,
              here -> {
                here.runner().run(List.of(), List.of(), List.of(add)).close();
                return true;
              },
              begun)
          .fetch();
    }
    assertThat(total()).isEqualTo(2);
  }

  @SuppressWarnings("unchecked")
  private static Operand<TInt64> number(Operand<?> part) {
    return (Operand<TInt64>) part;
  }

  private long total() {
    return coordinator.onParameterServers(
        runner -> {
          try (Result result = values.read(runner)) {
            return ((TInt64) result.get(0)).getLong();
          }
        });
  }

  /** CO-07, CO-08, CI-13: map x + 10, made by a function or not. */
  @Test
  void co07And08AndCi13ElementsAreMapped() throws InterruptedException {
    WorkerDataset dataset =
        WorkerDataset.of(
            graph,
            owner ->
                WorkerDataset.range(owner, 0, 5)
                    .map(
                        TInt64.class,
                        Shape.scalar(),
                        (body, parts) ->
                            body.math.add(number(parts.getFirst()), body.constant(10L))));
    assertThat(first(dataset.iterator())).containsOnly(List.of(10L));
  }

  @Test
  void co09And37AVariableInADatasetFunctionIsRefused() {
    assertThatThrownBy(
            () ->
                WorkerDataset.of(
                    graph,
                    owner -> {
                      Ops.create(owner).varHandleOp(TInt64.class, Shape.scalar());
                      return WorkerDataset.range(owner, 0, 5);
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Creating variables in `dataset_fn` is not allowed.");
  }

  @Test
  void co10And11WithoutASeedEachWorkerHasItsOwnOrder() throws InterruptedException {
    WorkerDataset dataset = WorkerDataset.range(graph, 0, 100).shuffle(worker -> 100, 0).batch(100);
    List<List<Long>> orders = first(dataset.iterator());
    List<Long> all = LongStream.range(0, 100).boxed().toList();
    assertThat(orders)
        .allSatisfy(order -> assertThat(order).containsExactlyInAnyOrderElementsOf(all));
    assertThat(Set.copyOf(orders)).hasSize(WORKERS);
  }

  @Test
  void aSeedGivesTheSameOrderAndAnotherOneInEachEpoch() throws InterruptedException {
    WorkerDataset dataset =
        WorkerDataset.range(graph, 0, 50).shuffle(worker -> 50, 7).repeat().batch(50);
    WorkerIterator iterator = dataset.iterator();
    assertThat(Set.copyOf(first(iterator))).hasSize(1);
    PerWorkerValues<WorkerIterator> anew = coordinator.createPerWorker(iterator);
    List<List<Long>> epochs = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      epochs.add(coordinator.scheduleOn(0, here -> next(here, part(iterator)), anew).fetch());
    }
    assertThat(epochs.get(0))
        .isNotEqualTo(epochs.get(1))
        .containsExactlyInAnyOrderElementsOf(epochs.get(1));
  }

  /** CO-18, CI-07 to CI-11: with one replica on each worker, the batch is whole. */
  @Test
  void co18AndCi07To11ABatchIsRead() throws InterruptedException {
    assertThat(first(WorkerDataset.range(graph, 1, 11).batch(4).iterator()))
        .containsOnly(List.of(1L, 2L, 3L, 4L));
  }

  @Test
  void co19TwoDatasetsFeedOneStep() throws InterruptedException {
    WorkerIterator low = WorkerDataset.range(graph, 0, 5).iterator();
    WorkerIterator high = WorkerDataset.range(graph, 5, 10).iterator();
    Operand<TInt64> added = ops.math.add(number(part(low)), number(part(high)));
    PerWorkerValues<WorkerIterator> lows = coordinator.createPerWorker(low);
    PerWorkerValues<WorkerIterator> highs = coordinator.createPerWorker(high);
    assertThat(coordinator.scheduleOn(0, here -> next(here, added), lows, highs).fetch())
        .containsExactly(5L);
    PerWorkerValues<WorkerIterator> again = coordinator.createPerWorker(low);
    assertThat(coordinator.scheduleOn(0, here -> next(here, added), again, highs).fetch())
        .containsExactly(6L);
  }

  /** CO-20: what is begun anew is the same iterator, so that nothing piles up. */
  @Test
  void co20AnIteratorIsBegunManyTimes() throws InterruptedException {
    WorkerIterator iterator = WorkerDataset.range(graph, 0, 100).iterator();
    Operand<?> part = part(iterator);
    int operations = 0;
    for (int i = 0; i < 10; i++) {
      PerWorkerValues<WorkerIterator> each = coordinator.createPerWorker(iterator);
      List<RemoteValue<List<Long>>> taken = new ArrayList<>();
      for (int j = 0; j < 2 * WORKERS + 1; j++) {
        taken.add(coordinator.schedule(worker -> next(worker, part), each));
      }
      coordinator.join();
      Set<Long> seen = new TreeSet<>();
      for (RemoteValue<List<Long>> value : taken) {
        seen.addAll(value.fetch());
      }
      // Eleven functions of five workers: at least one worker ran three.
      assertThat(seen).contains(0L, 2L);
      int now = operations();
      assertThat(i == 0 || now == operations).isTrue();
      operations = now;
    }
  }

  private int operations() {
    int count = 0;
    for (var all = graph.operations(); all.hasNext(); all.next()) {
      count++;
    }
    return count;
  }

  @Test
  void co36TheEndOfTheDataIsAnError() throws InterruptedException {
    WorkerIterator three = WorkerDataset.range(graph, 0, 3).iterator();
    PerWorkerValues<WorkerIterator> each = coordinator.createPerWorker(three);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 3 * WORKERS + 1; i++) {
                coordinator.schedule(worker -> next(worker, part(three)), each);
              }
              coordinator.join();
            })
        .isInstanceOfSatisfying(
            TensorFlowStatusException.class,
            e -> assertThat(e.code()).isEqualTo(StatusCode.OUT_OF_RANGE));
  }

  /** CI-12, CI-16: the mean of what a worker reads, added 5 and 10 times. */
  @Test
  void ci12And16ADatasetIsAnArgumentOfManyFunctions() throws InterruptedException {
    WorkerIterator iterator = WorkerDataset.range(graph, 1, 4).batch(3).repeat().iterator();
    Operand<TInt64> mean = ops.math.mean(number(part(iterator)), ops.constant(0));
    Op add = variable.assignAdd(ops, mean).getFirst();
    PerWorkerValues<WorkerIterator> each = coordinator.createPerWorker(iterator);
    for (int round = 1; round <= 2; round++) {
      for (int i = 0; i < 5; i++) {
        coordinator.schedule(
            worker -> {
              worker.runner().run(List.of(), List.of(), List.of(add)).close();
              return true;
            },
            each);
      }
      coordinator.join();
      assertThat(total()).isEqualTo(10L * round);
    }
  }

  @Test
  void co12To14AVariableOfEachWorkerIsOnTheWorker() throws InterruptedException {
    PerWorkerVariable<TInt64> own =
        PerWorkerVariable.create(graph, "own", TInt64.class, Shape.scalar(), ops.constant(0L));
    Op increment = own.assignAdd(ops, ops.constant(1L));
    Operand<TInt64> read = own.read(ops);
    PerWorkerValues<PerWorkerVariable<TInt64>> each = coordinator.createPerWorker(own);
    WorkerFunction<Boolean> add =
        worker -> {
          worker.runner().run(List.of(), List.of(), List.of(increment)).close();
          return true;
        };
    for (int i = 0; i < 10; i++) {
      coordinator.schedule(add, each);
      coordinator.join();
      assertThat(readAll(each, read).stream().mapToLong(Long::longValue).sum()).isEqualTo(i + 1);
    }
    for (int i = 0; i < 10; i++) {
      coordinator.schedule(add, each);
    }
    coordinator.join();
    assertThat(readAll(each, read).stream().mapToLong(Long::longValue).sum()).isEqualTo(20);
    // A parameter server has no value of it.
    assertThat(
            coordinator.onParameterServersOnce(
                runner -> runner.run(List.of(), List.of(read), List.of())))
        .isEmpty();
  }

  private List<Long> readAll(PerWorkerValues<?> each, Operand<TInt64> read)
      throws InterruptedException {
    List<Long> all = new ArrayList<>();
    for (int worker : coordinator.workers()) {
      all.addAll(coordinator.scheduleOn(worker, here -> next(here, read), each).fetch());
    }
    return all;
  }

  /** A text file is read where the worker is: nothing of it passes through the coordinator. */
  @Test
  void linesAreReadWindowedFilteredAndJoinedOnTheWorker() throws IOException, InterruptedException {
    Path file = folder.resolve("numbers.txt");
    Files.writeString(file, "x\r\n1\r\n\r\n2\r\n3\r\n4\r\n");
    WorkerDataset lines =
        WorkerDataset.range(graph, 1, Long.MAX_VALUE)
            .with(WorkerDataset.lines(graph, file.toString()))
            .skip(worker -> 1)
            .filter(WorkerDatasetTest::isNotEmpty);
    WorkerDataset numbers =
        lines.map(
            TInt64.class,
            Shape.of(2),
            (body, parts) ->
                body.stack(
                    List.of(
                        number(parts.get(0)),
                        body.strings.toNumber(text(parts.get(1)), TInt64.class))));
    assertThat(first(numbers.window(2, 1).batch(10).take(worker -> 1).iterator()))
        .containsOnly(List.of(2L, 1L, 4L, 2L, 4L, 2L, 5L, 3L, 5L, 3L, 6L, 4L));
    assertThat(first(numbers.then(numbers).batch(10).iterator()).getFirst()).hasSize(16);
    assertThat(numbers.shapes()).containsExactly(Shape.of(2));
    assertThat(lines.types()).containsExactly(TInt64.class, TString.class);
  }

  private static Operand<TBool> isNotEmpty(Ops body, List<Operand<?>> parts) {
    return body.math.notEqual(text(parts.get(1)), body.constant(""));
  }

  @SuppressWarnings("unchecked")
  private static Operand<TString> text(Operand<?> part) {
    return (Operand<TString>) part;
  }

  @Test
  void aFileThatIsNotThereIsToldWithItsName() throws InterruptedException {
    WorkerIterator missing = WorkerDataset.lines(graph, "/no/such/file.csv").iterator();
    PerWorkerValues<WorkerIterator> each = coordinator.createPerWorker(missing);
    RemoteValue<Object> read =
        coordinator.scheduleOn(
            0,
            worker -> worker.runner().run(List.of(), List.of(part(missing)), List.of()).size(),
            each);
    assertThatThrownBy(read::fetch).hasMessageContaining("/no/such/file.csv");
    CountDownLatch others = new CountDownLatch(1);
    coordinator.schedule(
        worker -> {
          others.countDown();
          return true;
        });
    coordinator.join(); // The error was the function's own.
    assertThat(others.getCount()).isZero();
  }
}
