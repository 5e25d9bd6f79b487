package io.sedge.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.JobDeviceFilters;
import org.tensorflow.proto.ServerDef;
import org.tensorflow.proto.TaskDeviceFilters;

/** Rows DF-.. that need no native library. */
class ClusterDeviceFiltersTest {
  /** DF-01, as far as the rule goes: what TensorFlow does with it needs its library. */
  @Test
  void workersCanBeIsolatedFromEachOther() {
    ClusterDeviceFilters filters =
        ClusterDeviceFilters.builder()
            .set("worker", 0, "/job:ps", "/job:worker/task:0")
            .set("worker", 1, "/job:ps", "/job:worker/task:1")
            .build();

    DeviceName other = DeviceName.of("/job:worker/replica:0/task:1/device:CPU:0");
    assertThat(filters.letsThrough("worker", 0, other)).isFalse();
    assertThat(filters.letsThrough("worker", 1, other)).isTrue();
    assertThat(
            filters.letsThrough(
                "worker", 0, DeviceName.of("/job:ps/replica:0/task:1/device:CPU:0")))
        .isTrue();
    assertThat(filters.letsThrough("ps", 0, other)).isTrue();
  }

  /** DF-02. */
  @Test
  void theProtocolBufferHoldsTheFiltersOfEachTask() {
    ClusterDeviceFilters filters =
        ClusterDeviceFilters.builder().set("worker", 0, "/job:ps").build();

    org.tensorflow.proto.ClusterDeviceFilters expected =
        org.tensorflow.proto.ClusterDeviceFilters.newBuilder()
            .addJobs(
                JobDeviceFilters.newBuilder()
                    .setName("worker")
                    .putTasks(
                        0, TaskDeviceFilters.newBuilder().addDeviceFilters("/job:ps").build()))
            .build();
    assertThat(filters.toProto()).isEqualTo(expected);
    assertThat(
            ServerDef.newBuilder()
                .setClusterDeviceFilters(filters.toProto())
                .build()
                .getClusterDeviceFilters())
        .isEqualTo(expected);
  }

  /** DF-03: types refuse what is not a string; null is left. */
  @Test
  void aFilterIsNeverNull() {
    assertThatNullPointerException()
        .isThrownBy(() -> ClusterDeviceFilters.builder().set("a", 0, Arrays.asList((String) null)));
  }

  /** DF-07. */
  @Test
  void theLastFiltersOfATaskCount() {
    ClusterDeviceFilters.Builder builder =
        ClusterDeviceFilters.builder().set("worker", 0, "/job:ps");
    ClusterDeviceFilters first = builder.build();
    ClusterDeviceFilters second = builder.set("worker", 0, "/job:chief").build();

    assertThat(first.filters("worker", 0)).containsExactly("/job:ps");
    assertThat(second.filters("worker", 0)).containsExactly("/job:chief");
    assertThat(second).isNotEqualTo(first);
  }

  /** DF-08. */
  @Test
  void theProtocolBufferIsSortedByJobThenTask() {
    org.tensorflow.proto.ClusterDeviceFilters proto =
        ClusterDeviceFilters.builder()
            .set("worker", 2, "/job:ps")
            .set("worker", 0, "/job:ps")
            .set("ps", 1, "/job:worker")
            .build()
            .toProto();

    assertThat(proto.getJobsList().stream().map(JobDeviceFilters::getName))
        .containsExactly("ps", "worker");
    assertThat(proto.getJobs(1).getTasksMap().keySet()).containsExactly(0, 2);
  }

  /** An empty list yields no entry, as in TensorFlow. */
  @Test
  void anEmptyListTakesTheFiltersAway() {
    ClusterDeviceFilters filters =
        ClusterDeviceFilters.builder()
            .set("worker", 0, "/job:ps")
            .set("worker", 0, List.of())
            .set("ps", 0, List.of())
            .build();

    assertThat(filters).isEqualTo(ClusterDeviceFilters.builder().build());
    assertThat(filters.toProto().getJobsCount()).isZero();
  }

  /** DF-13, DF-16, where TensorFlow fails at the first operation, or ends the server's process. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "bogus",
        "",
        "/job:",
        "/job:my-job",
        "/task:x",
        "/task:-1",
        "job:ps",
        "/job:ps ",
        "/device:",
        "/cpu:",
        "/task:99999999999"
      })
  void aFilterThatTensorFlowCannotReadIsRefusedWhenSet(String filter) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClusterDeviceFilters.builder().set("worker", 3, "/job:ps", filter))
        .withMessage(
            "Device filter '"
                + filter
                + "' of task 3 of job 'worker' is not a device name such as /job:ps or"
                + " /job:worker/task:0/device:GPU:*");
  }

  /** DF-14: TensorFlow ignores them. */
  @Test
  void filtersForATaskThatIsNotThereAreFoundWhenAsked() {
    ClusterDeviceFilters filters =
        ClusterDeviceFilters.builder().set("worker", 1, "/job:ps").build();
    ClusterSpec cluster = ClusterSpec.builder().job("worker", "h:1").build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> filters.checkAgainst(cluster))
        .withMessage(
            "Device filters are set for task 1 of job 'worker', which the cluster does not have:"
                + " No task with index 1 in job 'worker'; it has tasks 0");
    filters.checkAgainst(ClusterSpec.builder().job("worker", "h:1", "h:2").build());
  }

  /** DF-15, as far as the rule goes. */
  @Test
  void ownDevicesAreAlwaysVisible() {
    ClusterDeviceFilters filters =
        ClusterDeviceFilters.builder().set("ps", 0, "/device:GPU:*").build();

    assertThat(filters.letsThrough("ps", 0, DeviceName.of("/job:ps/task:0/device:CPU:0"))).isTrue();
    assertThat(filters.letsThrough("ps", 0, DeviceName.of("/job:ps/task:1/device:CPU:0")))
        .isFalse();
    assertThat(filters.letsThrough("ps", 0, DeviceName.of("/job:ps/task:1/device:GPU:3"))).isTrue();
  }

  @Test
  void aWrongTaskIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClusterDeviceFilters.builder().set("a", -1, "/job:ps"))
        .withMessage("Task index -1 of job 'a' is not from 0 to 999999");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ClusterDeviceFilters.builder().set("my-job", 0, "/job:ps"))
        .withMessageStartingWith("Job name 'my-job' is not");
  }

  @Test
  void deviceNamesAreReadAsTensorFlowReadsThem() {
    Map<String, DeviceName> names =
        Map.of(
            "/", new DeviceName(null, null, null, null, null),
            "/job:*/task:2", new DeviceName(null, null, 2, null, null),
            "/job:a/replica:0/task:1/device:GPU:*", new DeviceName("a", 0, 1, "GPU", null),
            "/job:a/cpu:0", new DeviceName("a", null, null, "CPU", 0),
            "/GPU:*", new DeviceName(null, null, null, "GPU", null),
            "/device:TPU", new DeviceName(null, null, null, "TPU", null),
            "/task:1/task:2", new DeviceName(null, null, 2, null, null));

    names.forEach((text, name) -> assertThat(DeviceName.of(text)).as(text).isEqualTo(name));
    assertThat(DeviceName.of("/job:a/replica:0/task:1/cpu:0"))
        .hasToString("/job:a/replica:0/task:1/device:CPU:0");
    assertThat(DeviceName.of("/job:*")).hasToString("/");
  }
}
