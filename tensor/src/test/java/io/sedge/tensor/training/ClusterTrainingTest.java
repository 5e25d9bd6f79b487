package io.sedge.tensor.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.training.TrainingOptions.Mode;
import io.sedge.tensor.training.cluster.ClusterLostException;
import io.sedge.tensor.training.cluster.CoordinatorOptions;
import io.sedge.tensor.training.cluster.LocalCluster;
import io.sedge.tensor.training.cluster.ParameterServerStrategy;
import io.sedge.tensor.training.cluster.Partitioner;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Training on a cluster comes to what training in one process does. */
class ClusterTrainingTest {
  @ParameterizedTest
  @CsvSource({"1,1", "2,2", "4,2"})
  void leastSquaresOnTheTurbineComesToTheExactSolution(int workers, int parameterServers)
      throws InterruptedException {
    leastSquares(workers, parameterServers);
  }

  @ParameterizedTest
  @CsvSource({"1,2", "2,1", "4,1"})
  @Tag("long")
  void leastSquaresComesToTheExactSolutionOnOtherClusters(int workers, int parameterServers)
      throws InterruptedException {
    leastSquares(workers, parameterServers);
  }

  private static void leastSquares(int workers, int parameterServers) throws InterruptedException {
    ParameterServerStrategy strategy =
        ParameterServerStrategy.of(LocalCluster.start(parameterServers, workers))
            .withPartitioner(Partitioner.fixedShards(parameterServers));
    AtomicLong steps = new AtomicLong();
    Weights weights =
        ClusterTraining.run(
            strategy,
            SharedData.linear(),
            new Optimizer.Momentum(0.4, 0.93, false),
            SharedData.turbine(),
            TrainingOptions.wholeShards(650),
            ClusterTrainingOptions.withoutCheckpoints(),
            (step, loss, examples) -> steps.set(step));
    assertThat(steps).hasValue(650);
    assertThat(SharedData.distance(weights)).isLessThan(1e-6);
  }

  @Test
  void asynchronousTrainingFindsTheLine() throws InterruptedException {
    ParameterServerStrategy strategy = ParameterServerStrategy.of(LocalCluster.start(2, 2));
    Weights weights =
        ClusterTraining.run(
            strategy,
            Model.of(2, List.of(), new Head.Regression(Head.Distance.SQUARED)),
            new Optimizer.Adam(0.03),
            LocalTrainingTest.line(400),
            TrainingOptions.asynchronous(1500, 50),
            ClusterTrainingOptions.withoutCheckpoints(),
            TrainingListener.none());
    assertThat(weights.of("head/kernel")[0]).isBetween(1.99, 2.01);
    assertThat(weights.of("head/bias")[0]).isBetween(2.99, 3.01);
  }

  /** Servers of several machines live on: their variables of the same names are of another type. */
  @Test
  void anotherModelIsTrainedOnTheSameServers() throws InterruptedException {
    ParameterServerStrategy strategy = ParameterServerStrategy.of(LocalCluster.start(2, 1));
    for (Model.Precision precision : Model.Precision.values()) {
      Model model =
          new Model(1, 2, List.of(), new Head.Regression(Head.Distance.SQUARED), 1, precision, 1);
      Weights weights =
          ClusterTraining.run(
              strategy,
              model,
              new Optimizer.Adam(0.03),
              LocalTrainingTest.line(400),
              TrainingOptions.asynchronous(20, 50),
              ClusterTrainingOptions.withoutCheckpoints(),
              TrainingListener.none());
      assertThat(weights.of("head/kernel")).hasSize(2);
    }
  }

  @Test
  void aStepNeedsAllWorkersButTheBackups() throws InterruptedException {
    ParameterServerStrategy strategy = ParameterServerStrategy.of(LocalCluster.start(1, 3));
    AtomicLong examples = new AtomicLong();
    Weights weights =
        ClusterTraining.run(
            strategy,
            Model.of(2, List.of(), new Head.Regression(Head.Distance.SQUARED)),
            new Optimizer.Adam(0.03),
            LocalTrainingTest.line(400),
            new TrainingOptions(1000, 20, true, 1, Mode.SYNCHRONOUS, 1),
            ClusterTrainingOptions.withoutCheckpoints(),
            (step, loss, count) -> examples.addAndGet(count));
    assertThat(weights.of("head/kernel")[0]).isBetween(1.98, 2.02);
    assertThat(examples.get()).isBetween(1000 * 2 * 14L, 1000 * 3 * 20L);
  }

  /** Membership: a worker of the cluster spec that was not there at the start. */
  @Test
  void aWorkerThatComesLateIsTaken() throws InterruptedException {
    ClusterSpec cluster = LocalCluster.spec(1, 2);
    LocalCluster.start(cluster, "ps", 0);
    LocalCluster.start(cluster, "worker", 0);
    List<String> events = new CopyOnWriteArrayList<>();
    ClusterTraining.run(
        ParameterServerStrategy.of(cluster),
        Model.of(2, List.of(), new Head.Regression(Head.Distance.SQUARED)),
        new Optimizer.Adam(0.03),
        LocalTrainingTest.line(400),
        TrainingOptions.asynchronous(4000, 50),
        ClusterTrainingOptions.withoutCheckpoints(),
        new TrainingListener() {
          @Override
          public void applied(long step, double loss, int examples) {
            if (step == 200) {
              LocalCluster.start(cluster, "worker", 1);
            }
          }

          @Override
          public void happened(String what) {
            events.add(what);
          }
        });
    assertThat(events)
        .containsExactlyInAnyOrder(
            "worker 0 at " + cluster.taskAddress("worker", 0) + " is here",
            "worker 1 at " + cluster.taskAddress("worker", 1) + " does not answer yet",
            "worker 1 at " + cluster.taskAddress("worker", 1) + " is here");
  }

  @Test
  void aClusterWithoutWorkersIsToldWithTheirAddresses() {
    ClusterSpec cluster = LocalCluster.spec(1, 1);
    LocalCluster.start(cluster, "ps", 0);
    CoordinatorOptions options =
        CoordinatorOptions.defaults().withLimits(Duration.ofSeconds(1), Duration.ofSeconds(1));
    assertThatThrownBy(
            () ->
                ClusterTraining.run(
                    ParameterServerStrategy.of(cluster),
                    Model.of(2, List.of(), new Head.Regression(Head.Distance.SQUARED)),
                    new Optimizer.Adam(0.03),
                    LocalTrainingTest.line(400),
                    TrainingOptions.asynchronous(10, 50),
                    new ClusterTrainingOptions(options, null, Duration.ofSeconds(1)),
                    TrainingListener.none()))
        .isInstanceOf(ClusterLostException.class)
        .hasMessageContaining("no worker answers; tried for 1 s at")
        .hasMessageContaining(cluster.taskAddress("worker", 0));
  }
}
