package io.sedge.tensor.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolver;
import io.sedge.tensor.ClusterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rows CR-.. */
class SimpleAndUnionClusterResolverTest {
  private static final ClusterSpec BASE =
      ClusterSpec.builder()
          .job("ps", "ps0:2222", "ps1:2222")
          .job("worker", "worker0:2222", "worker1:2222", "worker2:2222")
          .build();
  private static final ResolverSettings NONE = ResolverSettings.defaults();

  /** CR-02. */
  @Test
  void acceleratorsAreCountedByType() {
    assertThat(
            devices(
                    "/job:worker/replica:0/task:0/device:CPU:0",
                    "/job:worker/replica:0/task:0/device:XLA_CPU:0",
                    "/job:worker/replica:0/task:0/device:TPU:0",
                    "/job:worker/replica:0/task:0/device:TPU:1",
                    "/job:worker/replica:0/task:0/device:TPU:2",
                    "/job:worker/replica:0/task:0/device:TPU:3",
                    "/job:worker/replica:0/task:0/device:GPU:0",
                    "/job:worker/replica:0/task:0/device:GPU:1",
                    "/job:worker/replica:0/task:0/device:GPU:2",
                    "/job:worker/replica:0/task:0/device:GPU:3")
                .numAccelerators())
        .isEqualTo(Map.of("TPU", 4, "GPU", 4));
  }

  /** CR-03; task 14 is ours: TensorFlow compares text and would count it for task 1. */
  @Test
  void acceleratorsOfATaskAreThoseOfItsDevicesAlone() {
    ClusterResolver resolver =
        devices(
            "/job:worker1/replica:0/task:0/device:TPU:0",
            "/job:worker1/replica:0/task:0/device:TPU:1",
            "/job:worker1/replica:0/task:0/device:GPU:0",
            "/job:worker1/replica:0/task:0/device:GPU:1",
            "/job:worker2/replica:0/task:1/device:TPU:2",
            "/job:worker2/replica:0/task:2/device:TPU:3",
            "/job:worker2/replica:0/task:3/device:GPU:2",
            "/job:worker2/replica:0/task:4/device:GPU:3",
            "/job:worker2/replica:0/task:14/device:GPU:3");

    assertThat(resolver.numAccelerators("worker1", 0)).isEqualTo(Map.of("TPU", 2, "GPU", 2));
    assertThat(resolver.numAccelerators("worker2", 3)).isEqualTo(Map.of("GPU", 1));
    assertThat(resolver.numAccelerators("worker2", 4)).isEqualTo(Map.of("GPU", 1));
    assertThat(resolver.numAccelerators("worker2", 1)).isEqualTo(Map.of("TPU", 1));
  }

  @Test
  void withoutAListOfDevicesAcceleratorsCannotBeAsked() {
    assertThatThrownBy(() -> new TfConfigClusterResolver(name -> null).numAccelerators())
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("give its settings a DeviceLister");
  }

  /** CR-04. */
  @Test
  void aUnionOfOneIsThatOne() {
    assertThat(new UnionClusterResolver(new SimpleClusterResolver(BASE)).clusterSpec())
        .isEqualTo(BASE);
  }

  /** CR-05. */
  @Test
  void aSimpleResolverGivesWhatItWasGiven() {
    ClusterResolver resolver = simple("ps", 1, "cloud", "grpc");

    assertThat(resolver.taskType()).isEqualTo("ps");
    assertThat(resolver.taskId()).isEqualTo(1);
    assertThat(resolver.environment()).isEqualTo("cloud");
    assertThat(resolver.numAccelerators()).isEqualTo(Map.of("GPU", 8));
    assertThat(resolver.rpcLayer()).isEqualTo("grpc");
  }

  /** CR-06: where TensorFlow changes the resolver, we make another. */
  @Test
  void aResolverForAnotherTaskLeavesTheFirstAsItWas() {
    ClusterResolver resolver = simple("ps", 1, "", "grpc");
    ClusterResolver other = resolver.withTask("worker", 2).withRpcLayer("http");

    assertThat(other.taskType()).isEqualTo("worker");
    assertThat(other.taskId()).isEqualTo(2);
    assertThat(other.rpcLayer()).isEqualTo("http");
    assertThat(resolver.taskType()).isEqualTo("ps");
  }

  /** CR-08, CR-09, CR-23. */
  @Test
  void aTasksAddressComesWithTheProtocolAskedFor() {
    SimpleClusterResolver plain = new SimpleClusterResolver(BASE);

    assertThat(plain.master("worker", 2, "grpc")).isEqualTo("grpc://worker2:2222");
    assertThat(plain.master("worker", 2)).isEqualTo("worker2:2222");
    assertThat(plain.withRpcLayer("grpc").master("worker", 0, "http"))
        .isEqualTo("http://worker0:2222");
    assertThat(plain.withRpcLayer("grpc").master("worker", 0, "")).isEqualTo("worker0:2222");
  }

  @Test
  void theGivenMasterIsTheMaster() {
    SimpleClusterResolver resolver =
        new SimpleClusterResolver(BASE, "chief:1", Map.of(), NONE.withTask("worker", 1));

    assertThat(resolver.master()).isEqualTo("chief:1");
    assertThat(resolver.master(null, null, "grpc")).isEqualTo("grpc://chief:1");
  }

  /** CR-12. */
  @Test
  void theMasterOfAUnionIsTheFirstResolversOrATaskOfAny() {
    ClusterResolver union =
        new UnionClusterResolver(
            new SimpleClusterResolver(ClusterSpec.builder().job("ps", "ps0:2222").build()),
            new SimpleClusterResolver(
                ClusterSpec.builder().job("worker", "worker0:2222", "worker1:2222").build()));

    assertThat(union.master()).isEmpty();
    assertThat(union.master("worker", 1)).isEqualTo("worker1:2222");
    assertThat(union.master("worker", 1, "grpc")).isEqualTo("grpc://worker1:2222");
  }

  /** CR-13. */
  @Test
  void tasksOfDenseJobsAreNumberedInTheOrderOfTheResolvers() {
    assertThat(
            union(
                    Map.of("worker", List.of("w4:1", "w5:1")),
                    Map.of("worker", List.of("w0:1", "w1:1", "w2:1")))
                .clusterSpec()
                .jobTasks("worker"))
        .containsExactly("w4:1", "w5:1", "w0:1", "w1:1", "w2:1");
  }

  /** CR-14. */
  @Test
  void anIndexThatOccursTwiceIsRefused() {
    ClusterResolver union =
        union(
            Map.of("worker", Map.of(7, "w7:1", 9, "w9:1")),
            Map.of("worker", Map.of(3, "w3:1", 6, "w6:1", 7, "other:1")));

    assertThatThrownBy(union::clusterSpec)
        .isInstanceOf(ClusterResolutionException.class)
        .hasMessage(
            "The union of 2 resolvers: Duplicate keys detected when merging two ClusterSpecs: task"
                + " 7 of job 'worker' is both 'w7:1' and 'other:1'");
  }

  /** CR-16. */
  @Test
  void sparseJobsKeepTheirIndices() {
    assertThat(
            union(
                    Map.of("worker", Map.of(5, "w5:1", 9, "w9:1")),
                    Map.of("worker", Map.of(3, "w3:1", 6, "w6:1", 7, "w7:1")))
                .clusterSpec()
                .taskIndices("worker"))
        .containsExactly(3, 5, 6, 7, 9);
  }

  /** CR-17. */
  @Test
  void aDenseJobThatMeetsASparseOneKeepsItsIndices() {
    assertThat(
            union(
                    Map.of("worker", List.of("w4:1", "w5:1")),
                    Map.of("worker", Map.of(3, "w3:1", 6, "w6:1", 7, "w7:1")))
                .clusterSpec()
                .asMap())
        .isEqualTo(Map.of("worker", Map.of(0, "w4:1", 1, "w5:1", 3, "w3:1", 6, "w6:1", 7, "w7:1")));
  }

  /** CR-18. */
  @Test
  void aSparseJobWithoutCounterpartStaysSparse() {
    Map<String, Object> cluster = Map.of("worker", Map.of(1, "w1:1", 3, "w3:1", 5, "w5:1"));

    assertThat(union(cluster).clusterSpec().asMap()).isEqualTo(cluster);
  }

  /** CR-21: as TensorFlow, the protocol goes before an empty master too. */
  @Test
  void theProtocolGoesBeforeAnEmptyMaster() {
    SimpleClusterResolver resolver = new SimpleClusterResolver(BASE).withRpcLayer("grpc");

    assertThat(resolver.master()).isEqualTo("grpc://");
    assertThat(resolver.master("worker", null, null)).isEqualTo("grpc://");
  }

  /** CR-22. */
  @Test
  void aTaskThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> new SimpleClusterResolver(BASE).master("worker", 9))
        .isInstanceOf(ClusterResolutionException.class)
        .hasMessage("the cluster: No task with index 9 in job 'worker'; it has tasks 0, 1, 2");
  }

  /** CR-24: what Java's types do not refuse by themselves. */
  @Test
  void aUnionNeedsAResolver() {
    assertThatIllegalArgumentException()
        .isThrownBy(UnionClusterResolver::new)
        .withMessage("At least one ClusterResolver is required.");
  }

  /** CR-26, except that TensorFlow forgets the union's own protocol in the first line. */
  @Test
  void theUnionsOwnProtocolWins() {
    ClusterResolver first = new SimpleClusterResolver(BASE).withRpcLayer("grpc");
    ClusterResolver union = new UnionClusterResolver(first).withRpcLayer("http");

    assertThat(union.master()).isEqualTo("http://");
    assertThat(union.master("ps", 0)).isEqualTo("http://ps0:2222");
    assertThat(new UnionClusterResolver(first).master()).isEqualTo("grpc://");
  }

  /** CR-28: TensorFlow accepts it. */
  @Test
  void anAddressThatOccursTwiceIsRefused() {
    assertThatThrownBy(
            () ->
                union(Map.of("worker", List.of("w:1")), Map.of("worker", List.of("w:1")))
                    .clusterSpec())
        .isInstanceOf(ClusterResolutionException.class)
        .hasMessageContaining(
            "The address of task 1 of job 'worker' is 'w:1', which is that of task 0 of job"
                + " 'worker' already");
  }

  /** CR-29. */
  @Test
  void aJobWithoutTasksAddsNone() {
    assertThat(union(Map.of("w", List.of()), Map.of("w", List.of("b:1"))).clusterSpec().asMap())
        .isEqualTo(Map.of("w", List.of("b:1")));
  }

  @Test
  void whatAUnionIsNotGivenIsTheFirstResolvers() {
    ClusterResolver union =
        new UnionClusterResolver(simple("ps", 1, "cloud", "grpc"), simple("worker", 2, "", "http"));

    assertThat(union.taskType()).isEqualTo("ps");
    assertThat(union.taskId()).isEqualTo(1);
    assertThat(union.environment()).isEqualTo("cloud");
    assertThat(union.rpcLayer()).isEqualTo("grpc");
    assertThat(union.numAccelerators()).isEqualTo(Map.of("GPU", 8));
    // TensorFlow takes 0 for not given.
    assertThat(union.withTask("worker", 0).taskId()).isZero();
  }

  @Test
  void aUnionAsksAnewEachTime() {
    List<ClusterSpec> specs =
        new ArrayList<>(List.of(BASE, ClusterSpec.builder().job("ps", "new:1").build()));
    ClusterResolver changing =
        new TfConfigClusterResolver(
            name ->
                "{\"cluster\": {\"ps\": [\"" + specs.removeFirst().taskAddress("ps", 0) + "\"]}}");
    UnionClusterResolver union = new UnionClusterResolver(changing);

    assertThat(union.clusterSpec().taskAddress("ps", 0)).isEqualTo("ps0:2222");
    assertThat(union.clusterSpec().taskAddress("ps", 0)).isEqualTo("new:1");
  }

  @Test
  void settingsAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NONE.withTask("my-job", 0))
        .withMessageStartingWith("Job name 'my-job' is not");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NONE.withTask("a", -1))
        .withMessage("Task index -1 is not from 0 to 999999");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NONE.withRpcLayer("grpc://"))
        .withMessage("RPC layer 'grpc://' is not a protocol such as grpc, without ://");
  }

  private static ClusterResolver devices(String... names) {
    return new TfConfigClusterResolver(name -> null, NONE.withDevices(() -> List.of(names)));
  }

  private static ClusterResolver simple(String type, int id, String environment, String layer) {
    return new SimpleClusterResolver(
        BASE,
        "",
        Map.of("GPU", 8),
        NONE.withTask(type, id).withEnvironment(environment).withRpcLayer(layer));
  }

  @SafeVarargs
  private static ClusterResolver union(Map<String, ?>... clusters) {
    List<ClusterResolver> resolvers = new ArrayList<>();
    for (Map<String, ?> cluster : clusters) {
      resolvers.add(new SimpleClusterResolver(ClusterSpec.of(cluster)));
    }
    return new UnionClusterResolver(resolvers, NONE);
  }
}
