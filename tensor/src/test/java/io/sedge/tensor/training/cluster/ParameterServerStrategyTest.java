package io.sedge.tensor.training.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.resolver.ResolverSettings;
import io.sedge.tensor.resolver.SimpleClusterResolver;
import io.sedge.tensor.training.cluster.ParameterServerStrategy.Placement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.tensorflow.Graph;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TInt64;

/** Each test names the row of TensorFlow's cases that it holds. No server is needed. */
class ParameterServerStrategyTest {
  private static final ClusterSpec CLUSTER = cluster(3, 2);

  private static ClusterSpec cluster(int parameterServers, int workers) {
    ClusterSpec.Builder builder = ClusterSpec.builder();
    if (parameterServers > 0) {
      builder.job("ps", addresses("ps", parameterServers));
    }
    if (workers > 0) {
      builder.job("worker", addresses("worker", workers));
    }
    return builder.build();
  }

  private static String[] addresses(String job, int count) {
    return java.util.stream.IntStream.range(0, count)
        .mapToObj(i -> job + i + ":2222")
        .toArray(String[]::new);
  }

  @Test
  void ps01VariablesGoRoundInTheOrderInWhichTheyAreMade() {
    try (Graph graph = new Graph()) {
      Variables variables = ParameterServerStrategy.of(CLUSTER).variables(graph);
      List<String> devices =
          List.of("v2", "v3", "v4", "v5").stream()
              .map(name -> variables.create(name, TFloat32.class, Shape.of(1)))
              .map(variable -> variable.shards().getFirst().device())
              .toList();
      assertThat(devices)
          .containsExactly(
              "/job:ps/task:0/device:CPU:0",
              "/job:ps/task:1/device:CPU:0",
              "/job:ps/task:2/device:CPU:0",
              "/job:ps/task:0/device:CPU:0");
    }
  }

  /** TensorFlow cannot: a large variable and all small ones may land on one server. */
  @Test
  void bySizeTheNextVariableGoesWhereTheFewestBytesAre() {
    try (Graph graph = new Graph()) {
      Variables variables =
          ParameterServerStrategy.of(cluster(2, 1))
              .withPlacement(Placement.BY_SIZE)
              .variables(graph);
      List<Integer> tasks =
          List.of(100L, 10L, 10L, 79L, 10L).stream()
              .map(
                  size ->
                      variables.create(
                          "v" + System.identityHashCode(size) + size + variables.all().size(),
                          TFloat32.class,
                          Shape.of(size)))
              .map(variable -> variable.shards().getFirst().task())
              .toList();
      assertThat(tasks).containsExactly(0, 1, 1, 1, 1);
    }
  }

  @Test
  void ps11And14RowsAreCutEvenlyTheFirstPiecesOneLarger() {
    assertThat(cut(2, 2, Shape.of(5, 2))).isEqualTo(List.of("3@0", "2@1"));
    assertThat(cut(2, 2, Shape.of(6, 1))).isEqualTo(List.of("3@0", "3@1"));
    assertThat(cut(4, 2, Shape.of(10))).isEqualTo(List.of("3@0", "3@1", "2@0", "2@1"));
  }

  @Test
  void ps15MorePiecesThanRowsAreAsManyAsRows() {
    assertThat(cut(4, 2, Shape.of(3))).isEqualTo(List.of("1@0", "1@1", "1@0"));
  }

  private static List<String> cut(int shards, int parameterServers, Shape shape) {
    try (Graph graph = new Graph()) {
      return ParameterServerStrategy.of(cluster(parameterServers, 1))
          .withPartitioner(Partitioner.fixedShards(shards))
          .variables(graph)
          .create("v", TFloat32.class, shape)
          .shards()
          .stream()
          .map(shard -> shard.shape().get(0) + "@" + shard.task())
          .toList();
    }
  }

  @Test
  void ps16AVariableOfOnePieceIsAPlainOne() {
    try (Graph graph = new Graph()) {
      Variables variables =
          ParameterServerStrategy.of(cluster(2, 1))
              .withPartitioner(Partitioner.minSize(64L << 20, 2))
              .variables(graph);
      assertThat(variables.create("v1", TInt64.class, Shape.of(10)).shards())
          .singleElement()
          .satisfies(shard -> assertThat(shard.name()).isEqualTo("v1"))
          .satisfies(shard -> assertThat(shard.task()).isEqualTo(0));
      assertThat(variables.create("v2", TInt64.class, Shape.of(10)).shards().getFirst().task())
          .isEqualTo(1);
    }
  }

  /** TensorFlow's colocate_vars_with. */
  @Test
  void ps17AVariableLikeAnotherIsWhereThatIs() {
    try (Graph graph = new Graph()) {
      Variables variables =
          ParameterServerStrategy.of(cluster(2, 1))
              .withPartitioner(Partitioner.fixedShards(2))
              .variables(graph);
      ShardedVariable<TFloat32> first = variables.create("v1", TFloat32.class, Shape.of(4));
      ShardedVariable<TFloat32> second = variables.createLike("v2", first);
      assertThat(second.shards()).extracting(ShardedVariable.Shard::task).containsExactly(0, 1);
      assertThat(second.shards().get(1).name()).isEqualTo("v2/part_1");
    }
  }

  @Test
  void aPartitionerThatCutsAnotherAxisIsRefused() {
    try (Graph graph = new Graph()) {
      Variables variables =
          ParameterServerStrategy.of(CLUSTER)
              .withPartitioner((shape, type, axis) -> List.of(1, 2))
              .variables(graph);
      assertThatThrownBy(() -> variables.create("v", TFloat32.class, Shape.of(4, 4)))
          .hasMessageContaining(
              "variable_partitioner must return a list/tuple whose elements are 1 besides the first"
                  + " element (non-zero), got: [1, 2]");
    }
  }

  @Test
  void aScalarIsNeverCutAndAVariableIsMadeOnce() {
    try (Graph graph = new Graph()) {
      Variables variables =
          ParameterServerStrategy.of(CLUSTER)
              .withPartitioner(
                  (shape, type, axis) -> {
                    throw new AssertionError("asked for a scalar");
                  })
              .variables(graph);
      assertThat(variables.create("v", TFloat32.class, Shape.scalar()).shards()).hasSize(1);
      assertThatThrownBy(() -> variables.create("v", TFloat32.class, Shape.scalar()))
          .hasMessageContaining("there is a variable 'v' already");
    }
  }

  @Test
  void ps30OtherJobsAreRefused() {
    assertThatThrownBy(
            () ->
                ParameterServerStrategy.of(
                    ClusterSpec.builder()
                        .job("ps", "p:1")
                        .job("worker", "w:1")
                        .job("some_arbitrary_name", "a:1")
                        .build()))
        .hasMessageStartingWith(
            "Disallowed task type found in cluster spec. Allowed types are [chief, evaluator, ps,"
                + " worker] and the cluster spec is");
  }

  @Test
  void ps31ATaskOfAnUnknownTypeIsRefused() {
    assertThatThrownBy(() -> resolved("foobar", 0))
        .hasMessageStartingWith("Unrecognized task_type: foobar, valid task types are: ");
  }

  @Test
  void ps32MoreThanOneChiefIsRefused() {
    assertThatThrownBy(
            () ->
                ParameterServerStrategy.of(
                    ClusterSpec.builder()
                        .job("chief", "a:1", "b:1", "c:1")
                        .job("ps", "p:1")
                        .job("worker", "w:1")
                        .build()))
        .hasMessage("There must be at most one 'chief' job.");
  }

  @Test
  void ps33And34AWorkerAndAParameterServerAreNeeded() {
    assertThatThrownBy(() -> ParameterServerStrategy.of(cluster(1, 0)))
        .hasMessage("There must be at least one worker.");
    assertThatThrownBy(() -> ParameterServerStrategy.of(cluster(0, 1)))
        .hasMessage("There must be at least one ps.");
  }

  @Test
  void ps40AnEmptyClusterIsRefused() {
    assertThatThrownBy(() -> ParameterServerStrategy.of(ClusterSpec.empty()))
        .hasMessage(
            "Cluster spec must be non-empty in `tf.distribute.cluster_resolver.ClusterResolver`.");
  }

  /** TensorFlow fails with a TypeError that says nothing. */
  @Test
  void ps41ATypeWithoutAnIndexIsRefused() {
    assertThatThrownBy(() -> resolved("worker", null))
        .hasMessageContaining(
            "a task of job 'worker', and not which: its task_id is one of [0, 1]");
  }

  @Test
  void ps42ATaskThatIsNotOfTheClusterIsRefused() {
    assertThatThrownBy(() -> resolved("chief", 0))
        .hasMessage("`task_type` 'chief' not found in cluster_spec.");
    assertThatThrownBy(() -> resolved("worker", 4))
        .hasMessage("The `task_id` 4 exceeds the maximum id of worker.");
  }

  @Test
  void anEvaluatorOutsideOfTheClusterIsAllowedAndOneWithinIsNotWaitedFor() {
    assertThat(resolved("evaluator", 0).workers()).isEqualTo(2);
    ClusterSpec with =
        ClusterSpec.builder().job("ps", "p:1").job("worker", "w:1").job("evaluator", "e:1").build();
    assertThat(ParameterServerStrategy.of(with).cluster().jobs()).doesNotContain("evaluator");
  }

  private static ParameterServerStrategy resolved(String type, Integer id) {
    return ParameterServerStrategy.of(
        new SimpleClusterResolver(
            CLUSTER, "", java.util.Map.of(), ResolverSettings.defaults().withTask(type, id)));
  }
}
