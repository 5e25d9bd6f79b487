package io.sedge.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each test names the row of TensorFlow's cases that it holds. */
class ClusterRolesTest {
  private static final ClusterSpec WITH_CHIEF =
      ClusterSpec.of(
          Map.of(
              "chief", List.of("127.0.0.1:1234"),
              "worker", List.of("127.0.0.1:8964", "127.0.0.1:2333"),
              "ps", List.of("127.0.0.1:1926", "127.0.0.1:3141")));
  private static final ClusterSpec WORKERS =
      ClusterSpec.of(Map.of("worker", List.of("127.0.0.1:8964", "127.0.0.1:2333")));

  private final ClusterRoles withChief = new ClusterRoles(WITH_CHIEF);
  private final ClusterRoles workers = new ClusterRoles(WORKERS);

  @Test
  void mw01To03AMapAProtoAndASpecAreTheSameCluster() {
    assertThat(ClusterRoles.of(WITH_CHIEF.toClusterDef())).isEqualTo(withChief);
    assertThat(new ClusterRoles(ClusterSpec.from(WITH_CHIEF.toClusterDef()))).isEqualTo(withChief);
  }

  @Test
  void mw05TheChiefLeads() {
    assertThat(withChief.isChief("chief", 0)).isTrue();
    assertThat(withChief.isChief("worker", 0)).isFalse();
  }

  @Test
  void mw06WithoutAChiefTheFirstWorkerLeads() {
    assertThat(workers.isChief("worker", 0)).isTrue();
    assertThat(workers.isChief("worker", 1)).isFalse();
    assertThatThrownBy(() -> workers.isChief("chief", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("`task_type` 'chief' not found in cluster_spec.");
    assertThatThrownBy(() -> workers.isChief("worker", 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The `task_id` 2 exceeds the maximum id of worker.");
  }

  @Test
  void mw09EvaluatorsAreCountedByThemselves() {
    ClusterRoles roles =
        new ClusterRoles(
            ClusterSpec.builder()
                .job("chief", "c:1")
                .job("worker", "w0:1", "w1:1")
                .job("evaluator", "e:1")
                .build());
    assertThat(roles.workerCount("evaluator")).isEqualTo(1);
    assertThat(roles.workerCount("worker")).isEqualTo(3);
    assertThat(roles.workerCount("chief")).isEqualTo(3);
    assertThat(roles.isChief("evaluator", 0)).isTrue();
  }

  @Test
  void mw11ParameterServersAreNoWorkers() {
    assertThatThrownBy(() -> withChief.workerCount("ps"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Unexpected `task_type` 'ps'");
  }

  @Test
  void mw12TheChiefIsTheFirstOfAll() {
    assertThat(withChief.idInCluster("chief", 0)).isZero();
    assertThat(withChief.idInCluster("worker", 1)).isEqualTo(2);
    assertThat(workers.idInCluster("worker", 1)).isEqualTo(1);
  }

  @Test
  void mw15ParameterServersHaveNoIdAmongWorkers() {
    assertThatThrownBy(() -> withChief.idInCluster("ps", 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("There is no id for task_type 'ps'");
  }

  @Test
  void mw17To20TheLeaderOfCollectivesIsTheChiefElseTheFirstWorker() {
    assertThat(withChief.collectiveLeader("worker")).isEqualTo("/job:chief/replica:0/task:0");
    assertThat(workers.collectiveLeader("worker")).isEqualTo("/job:worker/replica:0/task:0");
    assertThat(workers.collectiveLeader("evaluator")).isEmpty();
    assertThat(new ClusterRoles(ClusterSpec.of(Map.of())).collectiveLeader(null)).isEmpty();
    assertThat(withChief.coordinationLeader()).isEqualTo("/job:ps/replica:0/task:0");
    assertThat(workers.coordinationLeader()).isEqualTo("/job:worker/replica:0/task:0");
  }

  @Test
  void whatIsNoRoleIsRefused() {
    assertThatThrownBy(() -> workers.isChief("foo", 0))
        .hasMessage(
            "Unrecognized task_type: foo, valid task types are: [chief, evaluator, ps, worker]");
    assertThatThrownBy(() -> new ClusterRoles(ClusterSpec.of(Map.of("foo", List.of("h:1")))))
        .hasMessageStartingWith("Disallowed task type found in cluster spec. Allowed types are");
    assertThatThrownBy(
            () -> new ClusterRoles(ClusterSpec.of(Map.of("chief", List.of("h:1", "h:2")))))
        .hasMessage("There must be at most one 'chief' job.");
  }
}
