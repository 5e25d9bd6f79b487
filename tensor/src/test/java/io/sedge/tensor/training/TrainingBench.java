package io.sedge.tensor.training;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.runtime.ClusterSession;
import io.sedge.tensor.runtime.ClusterSessionOptions;
import io.sedge.tensor.runtime.RestartPolicy;
import io.sedge.tensor.runtime.ServerProcess;
import io.sedge.tensor.runtime.ServerProcessOptions;
import io.sedge.tensor.runtime.ServerTask;
import io.sedge.tensor.runtime.TensorFlowStatusException;
import io.sedge.tensor.training.cluster.ClusterCoordinator;
import io.sedge.tensor.training.cluster.CoordinatorOptions;
import io.sedge.tensor.training.cluster.GraphRunner;
import io.sedge.tensor.training.cluster.LocalCluster;
import io.sedge.tensor.training.cluster.ParameterServerStrategy;
import io.sedge.tensor.training.cluster.VariableValues;
import io.sedge.tensor.training.cluster.Variables;
import io.sedge.tensor.training.data.Batches;
import io.sedge.tensor.training.data.ExampleColumns;
import io.sedge.tensor.training.data.Examples;
import io.sedge.tensor.training.data.GeneratedTables;
import io.sedge.tensor.training.data.Scaling;
import io.sedge.tensor.training.data.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.tensorflow.Graph;
import org.tensorflow.Session;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.types.TFloat32;

/**
 * Measures the coordinator beside a bare session on the same cluster and beside a loop in one
 * process: a network of 10-64-1, batches of 64, the same tensors in all. Rounds alternate; the
 * median counts. Not a test: run by {@code tensor/bench}.
 */
final class TrainingBench {
  private static final int ROUNDS = 5;
  private static final int STEPS = 1500;
  private static final Model SMALL =
      Model.of(10, List.of(new Layer.Dense(64, Activation.RELU)), new Head.Binary());

  private final PrintStream out = System.out;

  private TrainingBench() {}

  public static void main(String[] arguments) throws InterruptedException, IOException {
    Locale.setDefault(Locale.ROOT);
    TrainingBench bench = new TrainingBench();
    bench.local();
    for (int workers : new int[] {1, 2, 4}) {
      bench.cluster(workers);
    }
    Runtime.getRuntime().halt(0);
  }

  private static Examples examples() {
    Table table = GeneratedTables.labelled(6400, 1);
    List<String> features = table.columns().subList(0, GeneratedTables.LABELLED_FEATURES);
    ExampleColumns columns = new ExampleColumns(features, List.of(GeneratedTables.LABEL));
    return Examples.of(table, columns, Scaling.of(table, features), Scaling.none(1));
  }

  /** A graph and what is fed to it, over and over. */
  private static final class Work implements AutoCloseable {
    private final Graph graph = new Graph();
    private final TrainingGraph<TFloat32> training;
    private final VariableValues values;
    private final InitialValues initial;
    private final List<BatchFeeds.Fed> feeds = new ArrayList<>();

    Work(ParameterServerStrategy strategy) {
      Variables variables = strategy == null ? Variables.local(graph) : strategy.variables(graph);
      training =
          new TrainingGraph<>(
              graph, variables, new Numbers.Single(), SMALL, new Optimizer.Sgd(0.01));
      values = new VariableValues(graph, variables);
      initial = new InitialValues(training);
      Examples examples = examples();
      Batches batches = new Batches(examples, 1, 64, true, 1, 0);
      BatchFeeds<TFloat32> all = new BatchFeeds<>(training, examples);
      for (int i = 0; i < 100; i++) {
        feeds.add(all.of(batches.next(0), 64));
      }
    }

    boolean step(GraphRunner runner, int number) {
      runner
          .run(
              feeds.get(number % feeds.size()).feeds(),
              List.of(training.lossSum()),
              List.of(training.step()))
          .close();
      return true;
    }

    @Override
    public void close() {
      feeds.forEach(BatchFeeds.Fed::close);
      initial.close();
      graph.close();
    }
  }

  private void local() {
    try (Work work = new Work(null);
        Session session = new Session(work.graph)) {
      GraphRunner runner = GraphRunner.local(session);
      work.values.assign(runner, work.initial.byName());
      double[] rates = new double[ROUNDS];
      for (int round = -1; round < ROUNDS; round++) {
        long begin = System.nanoTime();
        for (int i = 0; i < 3 * STEPS; i++) {
          work.step(runner, i);
        }
        if (round >= 0) {
          rates[round] = 3 * STEPS / seconds(begin);
        }
      }
      out.printf("one process, no cluster: %.0f steps/s%n", median(rates));
    }
  }

  private void cluster(int workers) throws InterruptedException, IOException {
    ClusterSpec cluster = LocalCluster.spec(1, workers);
    List<ServerProcess> servers = new ArrayList<>();
    ServerProcessOptions options =
        ServerProcessOptions.defaults()
            .withRestart(
                new RestartPolicy(
                    10, Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofSeconds(1)));
    for (String job : cluster.jobs()) {
      for (int task : cluster.taskIndices(job)) {
        servers.add(ServerProcess.launch(ServerTask.of(cluster, job, task), options));
      }
    }
    servers.forEach(server -> server.awaitServing(Duration.ofMinutes(1)));
    ParameterServerStrategy strategy = ParameterServerStrategy.of(cluster);
    try (Work work = new Work(strategy)) {
      double[] bare = new double[ROUNDS];
      double[] coordinated = new double[ROUNDS];
      for (int round = -1; round < ROUNDS; round++) {
        double first = coordinated(work, strategy, workers);
        double second = bare(work, cluster, workers);
        if (round >= 0) {
          coordinated[round] = first;
          bare[round] = second;
        }
      }
      out.printf(
          "%d worker(s): coordinator %.0f steps/s, bare sessions %.0f steps/s: %.1f %%%n",
          workers, median(coordinated), median(bare), 100 * median(coordinated) / median(bare));
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      out.printf(
          "  heap in use %.0f MB; resident: %s%n",
          (runtime.totalMemory() - runtime.freeMemory()) / 1e6,
          servers.stream()
              .map(server -> server.task() + " " + residentMb(server.pid()) + " MB")
              .toList());
      if (workers == 2) {
        killed(work, strategy, servers);
      }
    } finally {
      servers.forEach(ServerProcess::close);
    }
  }

  private double coordinated(Work work, ParameterServerStrategy strategy, int workers)
      throws InterruptedException {
    try (ClusterCoordinator coordinator = coordinator(work, strategy)) {
      run(coordinator, work, 100 * workers);
      long begin = System.nanoTime();
      run(coordinator, work, STEPS * workers);
      return STEPS * workers / seconds(begin);
    }
  }

  private static ClusterCoordinator coordinator(Work work, ParameterServerStrategy strategy) {
    ClusterCoordinator coordinator =
        ClusterCoordinator.start(strategy, work.graph, CoordinatorOptions.defaults(), what -> {});
    coordinator.onParameterServers(
        runner -> {
          work.values.assign(runner, work.initial.byName());
          return true;
        });
    coordinator.protect(
        work.values,
        runner -> {
          work.values.assign(runner, work.initial.byName());
          return "initial values";
        });
    return coordinator;
  }

  private static void run(ClusterCoordinator coordinator, Work work, int steps)
      throws InterruptedException {
    for (int i = 0; i < steps; i++) {
      int number = i;
      coordinator.schedule(worker -> work.step(worker.runner(), number));
    }
    coordinator.join();
  }

  private static double bare(Work work, ClusterSpec cluster, int workers)
      throws InterruptedException {
    List<ClusterSession> sessions = new ArrayList<>();
    for (int task : cluster.taskIndices("worker")) {
      ConfigProto config =
          ConfigProto.newBuilder()
              .addDeviceFilters("/job:ps")
              .addDeviceFilters("/job:worker/task:" + task)
              .build();
      sessions.add(
          ClusterSession.open(
              "grpc://" + cluster.taskAddress("worker", task),
              work.graph,
              ClusterSessionOptions.defaults().withConfig(config)));
    }
    loop(sessions, work, 100);
    long begin = System.nanoTime();
    loop(sessions, work, STEPS);
    double rate = STEPS * workers / seconds(begin);
    sessions.forEach(ClusterSession::close);
    return rate;
  }

  private static void loop(List<ClusterSession> sessions, Work work, int steps)
      throws InterruptedException {
    CountDownLatch done = new CountDownLatch(sessions.size());
    for (ClusterSession session : sessions) {
      Thread.ofPlatform()
          .name("bare")
          .start(
              () -> {
                GraphRunner runner = GraphRunner.on(session);
                int i = 0;
                while (i < steps) {
                  try {
                    work.step(runner, i);
                    i++;
                  } catch (TensorFlowStatusException e) {
                    // Of a request that the network layer sent twice, on a machine under load.
                    System.err.println("once more after " + e.code());
                  }
                }
                done.countDown();
              });
    }
    done.await();
  }

  /**
   * How long after the death of a task the next step of all is done, and of it after its return.
   */
  private void killed(Work work, ParameterServerStrategy strategy, List<ServerProcess> servers)
      throws InterruptedException {
    try (ClusterCoordinator coordinator = coordinator(work, strategy)) {
      run(coordinator, work, 200);
      for (String job : List.of("worker", "ps")) {
        ServerProcess victim =
            servers.stream()
                .filter(server -> server.task().job().equals(job))
                .findFirst()
                .orElseThrow();
        long killed = System.nanoTime();
        victim.kill();
        run(coordinator, work, 50);
        double others = seconds(killed);
        victim.awaitServing(Duration.ofMinutes(1));
        double served = seconds(killed);
        boolean isBack = false;
        while (!isBack) {
          run(coordinator, work, 10);
          isBack = coordinator.metrics().workers() == 2;
        }
        out.printf(
            "  %s killed: 50 steps done after %.2f s; it serves again after %.2f s, all work after"
                + " %.2f s%n",
            victim.task(), others, served, seconds(killed));
      }
    }
  }

  private static double seconds(long beginNs) {
    return (System.nanoTime() - beginNs) / 1e9;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static long residentMb(long pid) {
    try {
      return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
