package io.sedge.tensor.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows SL-.. */
class SlurmClusterResolverTest {
  private static final Map<String, String> THREE_NODES =
      Map.of(
          "SLURM_PROCID", "0",
          "SLURM_STEP_NUM_TASKS", "3",
          "SLURM_STEP_NODELIST", "t02n13,t02n41,t02n43",
          "SLURM_STEP_TASKS_PER_NODE", "1(x3)",
          "CUDA_VISIBLE_DEVICES", "0");
  private static final SlurmOptions NO_GPUS =
      SlurmOptions.defaults()
          .withGpuCounter(
              () -> {
                throw new AssertionError("nobody should count GPUs");
              });
  private static final SlurmOptions PS_AND_WORKERS =
      NO_GPUS.withJobs(Map.of("ps", 1, "worker", 2)).withGpus(1, 1);

  /** SL-01, SL-02, SL-26. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "n1                      | n1",
        "n[1,3]                  | n1 n3",
        "n[1-3]                  | n1 n2 n3",
        "n[1-2],m5,o[3-4,6,7-9]  | n1 n2 m5 o3 o4 o6 o7 o8 o9",
        "n[01-03,7]              | n01 n02 n03 n7",
        "n[098-101]              | n098 n099 n100 n101",
        "r[0-1]n[1-2]            | r0n1 r0n2 r1n1 r1n2",
        "a-b.c_1                 | a-b.c_1",
        "n[3-1]                  | ''",
        "''                      | ''",
      })
  void hostListsAreExpanded(String list, String hosts) {
    assertThat(String.join(" ", HostLists.expand(list))).isEqualTo(hosts);
  }

  /** SL-26. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "n[1-2]x",
        "n[",
        ",a",
        "a,,b",
        "a,",
        "n[1-2-3]",
        "n[a-b]",
        "n]",
        "n[]",
        "n[1,]",
        "a b"
      })
  void aHostListThatIsNoneIsRefused(String list) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostLists.expand(list))
        .withMessage("Invalid hostlist format \"" + list + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"n[0-999999999]", "n[0-999]m[0-999]", "n[0-40000],m[0-40000]"})
  void aHostListHasABound(String list) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostLists.expand(list))
        .withMessage("The list \"" + list + "\" names more than 65536");
  }

  /** SL-04. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2            | 2",
        "2,1,3        | 2 1 3",
        "3(x2),2,1    | 3 3 2 1",
        "3(x2),2,11(x4) | 3 3 2 11 11 11 11",
        "13(x10)      | 13 13 13 13 13 13 13 13 13 13",
      })
  void numbersOfTasksAreExpanded(String list, String counts) {
    assertThat(HostLists.expandCounts(list).stream().map(String::valueOf).toList())
        .isEqualTo(List.of(counts.split(" ")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "2(x", "2(3)", "-1", "2,"})
  void numbersOfTasksThatAreNoneAreRefused(String list) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostLists.expandCounts(list))
        .withMessage("Invalid tasks per node list format \"" + list + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1(x999999)", "999999", "999999(x999999)", "60000,60000"})
  void numbersOfTasksHaveABound(String list) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HostLists.expandCounts(list))
        .withMessageEndingWith("names more than 65536");
  }

  /** SL-06, SL-08. */
  @Test
  void jobsShareTheHosts() {
    Map<String, Object> expected =
        Map.of(
            "ps", List.of("t02n13:8888"),
            "worker", List.of("t02n41:8888", "t02n43:8888"));

    assertThat(resolver(THREE_NODES, PS_AND_WORKERS).clusterSpec().asMap()).isEqualTo(expected);
    assertThat(
            resolver(
                    without(THREE_NODES, "SLURM_STEP_TASKS_PER_NODE"),
                    PS_AND_WORKERS.withTasksPerNode(1))
                .clusterSpec()
                .asMap())
        .isEqualTo(expected);
  }

  /** SL-07. */
  @Test
  void theMasterIsThisTaskOrTheOneAskedFor() {
    SlurmClusterResolver resolver = resolver(THREE_NODES, PS_AND_WORKERS);

    assertThat(resolver.withTask("worker", 1).master()).isEqualTo("grpc://t02n43:8888");
    assertThat(resolver.withRpcLayer("ab").master("ps", 0)).isEqualTo("ab://t02n13:8888");
    assertThat(resolver.withRpcLayer("ab").master("ps", 0, "test")).isEqualTo("test://t02n13:8888");
    assertThat(resolver.withRpcLayer("").master("ps", 0)).isEqualTo("t02n13:8888");
    assertThatThrownBy(() -> resolver.master("ps", 1))
        .isInstanceOf(ClusterResolutionException.class)
        .hasMessage("The Slurm step: No task with index 1 in job 'ps'; it has tasks 0");
  }

  /** SL-09. */
  @Test
  void severalTasksOfAHostHavePortsAndGpusOfTheirOwn() {
    SlurmClusterResolver resolver =
        resolver(
            with(
                THREE_NODES,
                Map.of(
                    "SLURM_PROCID", "1",
                    "SLURM_STEP_NUM_TASKS", "5",
                    "SLURM_STEP_TASKS_PER_NODE", "2(x2),1",
                    "CUDA_VISIBLE_DEVICES", "")),
            NO_GPUS.withJobs(Map.of("ps", 1, "worker", 4)).withGpus(2, 1));

    assertThat(resolver.clusterSpec().asMap())
        .isEqualTo(
            Map.of(
                "ps", List.of("t02n13:8888"),
                "worker", List.of("t02n13:8889", "t02n41:8888", "t02n41:8889", "t02n43:8888")));
    assertThat(resolver.visibleGpus()).isEqualTo("1");
    assertThat(resolver.taskType()).isEqualTo("worker");
    assertThat(resolver.taskId()).isZero();
    assertThat(resolver.numAccelerators()).isEqualTo(Map.of("GPU", 1));
  }

  @Test
  void gpusAreSharedByTheMostTasksThatAHostHas() {
    SlurmClusterResolver resolver =
        resolver(
            with(
                THREE_NODES,
                Map.of(
                    "SLURM_PROCID",
                    "1",
                    "SLURM_STEP_NUM_TASKS",
                    "5",
                    "SLURM_STEP_TASKS_PER_NODE",
                    "2(x2),1")),
            NO_GPUS.withGpus(4, null));

    assertThat(resolver.visibleGpus()).isEqualTo("2,3");
    assertThat(resolver.numAccelerators()).isEqualTo(Map.of("GPU", 2));
  }

  /** SL-20. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SLURM_PROCID",
        "SLURM_STEP_NUM_TASKS",
        "SLURM_STEP_NODELIST",
        "SLURM_STEP_TASKS_PER_NODE"
      })
  void outsideOfAStepTheMissingVariableIsNamed(String variable) {
    assertThatThrownBy(() -> resolver(without(THREE_NODES, variable), NO_GPUS).clusterSpec())
        .isInstanceOfSatisfying(
            ClusterResolutionException.class, e -> assertThat(e.reason()).isEqualTo(Reason.ABSENT))
        .hasMessage(variable + " not found in environment. Not running inside a SLURM step?");
  }

  /** SL-21, SL-22, SL-29, where TensorFlow fails or counts an empty list as one GPU. */
  @Test
  void hostsWithoutGpusWillDo() {
    Map<String, String> unset = without(THREE_NODES, "CUDA_VISIBLE_DEVICES");
    SlurmOptions noTool =
        SlurmOptions.defaults().withGpuCounter(new NvidiaSmi("/nonexistent/nvidia-smi"));
    for (SlurmClusterResolver resolver :
        List.of(
            resolver(unset, noTool),
            resolver(THREE_NODES, NO_GPUS.withGpus(0, null)),
            resolver(with(THREE_NODES, Map.of("CUDA_VISIBLE_DEVICES", "")), NO_GPUS),
            resolver(with(THREE_NODES, Map.of("CUDA_VISIBLE_DEVICES", "-1")), NO_GPUS),
            resolver(with(THREE_NODES, Map.of("CUDA_VISIBLE_DEVICES", "NoDevFiles")), NO_GPUS))) {
      assertThat(resolver.clusterSpec().jobTasks("worker"))
          .containsExactly("t02n13:8888", "t02n41:8888", "t02n43:8888");
      assertThat(resolver.visibleGpus()).isEmpty();
      assertThat(resolver.numAccelerators()).isEmpty();
    }
  }

  @Test
  @DisabledOnOs(OS.WINDOWS)
  void gpusAreCountedByTheToolWhereItIs(@TempDir Path directory) throws Exception {
    Path tool = directory.resolve("nvidia-smi");
    Files.writeString(
        tool,
        """
        #!/bin/sh
        [ "$1" = --list-gpus ] || exit 9
        echo 'GPU 0: NVIDIA A100 (UUID: GPU-1)'
        echo 'GPU 1: NVIDIA A100 (UUID: GPU-2)'
        """);
    Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwx------"));

    SlurmClusterResolver resolver =
        resolver(
            without(THREE_NODES, "CUDA_VISIBLE_DEVICES"),
            NO_GPUS.withGpuCounter(new NvidiaSmi(tool.toString())));
    assertThat(resolver.visibleGpus()).isEqualTo("0,1");
  }

  /** SL-23. */
  @Test
  void moreGpusThanThereAreAreRefused() {
    assertInvalid(
        "Requested more GPUs per node than available.",
        resolver(THREE_NODES, NO_GPUS.withGpus(1, 2)));
  }

  /** SL-24. */
  @Test
  void moreTasksThanThereAreAreRefused() {
    assertInvalid(
        "Requested 5 tasks but only 2 were assigned.",
        resolver(
            with(
                THREE_NODES,
                Map.of("SLURM_STEP_NODELIST", "a,b", "SLURM_STEP_TASKS_PER_NODE", "1(x2)")),
            NO_GPUS.withJobs(Map.of("worker", 5))));
  }

  /** SL-25, except that TensorFlow knows its task only after it was asked for the cluster. */
  @Test
  void hostsAreSortedAndTheTaskIsKnownAtOnce() {
    SlurmClusterResolver resolver =
        resolver(
            with(
                THREE_NODES,
                Map.of(
                    "SLURM_STEP_NODELIST", "b,a",
                    "SLURM_STEP_TASKS_PER_NODE", "1(x2)",
                    "SLURM_STEP_NUM_TASKS", "2",
                    "SLURM_PROCID", "1")),
            NO_GPUS);

    assertThat(resolver.taskType()).isEqualTo("worker");
    assertThat(resolver.taskId()).isEqualTo(1);
    assertThat(resolver.master()).isEqualTo("grpc://b:8888");
    assertThat(resolver.clusterSpec().jobTasks("worker")).containsExactly("a:8888", "b:8888");
  }

  /** TensorFlow sorts n10 before n2, and Slurm does not, so that ranks would be on other hosts. */
  @Test
  void hostsAreSortedByTheirNumbers() {
    assertThat(
            resolver(with(THREE_NODES, Map.of("SLURM_STEP_NODELIST", "n[2,10],n1")), NO_GPUS)
                .clusterSpec()
                .jobTasks("worker"))
        .containsExactly("n1:8888", "n2:8888", "n10:8888");
    assertThat(
            List.of("n2", "n02", "n10", "n", "m3", "n2a", "10", "9").stream()
                .sorted(HostLists.BY_NUMBER))
        .containsExactly("9", "10", "m3", "n", "n02", "n2", "n2a", "n10");
  }

  /** SL-28. */
  @Test
  void hostsCanBeGiven() {
    assertThat(
            resolver(
                    Map.of("SLURM_PROCID", "0", "CUDA_VISIBLE_DEVICES", ""),
                    NO_GPUS
                        .withJobs(Map.of("ps", 1, "worker", 1))
                        .withTasksByHost(Map.of("x", 1, "y", 1)))
                .clusterSpec()
                .asMap())
        .isEqualTo(Map.of("ps", List.of("x:8888"), "worker", List.of("y:8888")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SLURM_PROCID | x | SLURM_PROCID is 'x', not a whole number from 0 to 65536",
        "SLURM_PROCID | -1 | SLURM_PROCID is '-1', not a whole number from 0 to 65536",
        "SLURM_PROCID | 3 | SLURM_PROCID is 3, but there are 3 tasks",
        "SLURM_STEP_NODELIST | n[ | SLURM_STEP_NODELIST: Invalid hostlist format \"n[\"",
        "SLURM_STEP_NODELIST | a,b,a | SLURM_STEP_NODELIST names host 'a' twice",
        "SLURM_STEP_NODELIST | a,b | SLURM_STEP_NODELIST names 2 hosts, but"
            + " SLURM_STEP_TASKS_PER_NODE has 3",
        "SLURM_STEP_TASKS_PER_NODE | x | SLURM_STEP_TASKS_PER_NODE: Invalid tasks per node list"
            + " format \"x\"",
      })
  void aWrongVariableIsNamed(String variable, String value, String message) {
    assertInvalid(message, resolver(with(THREE_NODES, Map.of(variable, value)), NO_GPUS));
  }

  @Test
  void portsThatRunOutAreRefused() {
    assertThatThrownBy(
            () ->
                resolver(
                        with(THREE_NODES, Map.of("SLURM_STEP_TASKS_PER_NODE", "1,1,2")),
                        NO_GPUS.withJobs(Map.of("worker", 4)).withPortBase(65_535))
                    .clusterSpec())
        .hasMessageContaining("port '65536' is not a whole number from 0 to 65535");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NO_GPUS.withPortBase(0))
        .withMessage("Port base 0 is not from 1 to 65535");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NO_GPUS.withGpus(-1, null))
        .withMessage("GPUs per node: -1 is not from 0 to 65536");
  }

  private static void assertInvalid(String message, SlurmClusterResolver resolver) {
    assertThatThrownBy(resolver::clusterSpec)
        .isInstanceOfSatisfying(
            ClusterResolutionException.class, e -> assertThat(e.reason()).isEqualTo(Reason.INVALID))
        .hasMessage(message);
  }

  private static SlurmClusterResolver resolver(
      Map<String, String> variables, SlurmOptions options) {
    return new SlurmClusterResolver(
        Environment.of(variables), options, ResolverSettings.defaults());
  }

  private static Map<String, String> with(Map<String, String> all, Map<String, String> changed) {
    Map<String, String> variables = new HashMap<>(all);
    variables.putAll(changed);
    return variables;
  }

  private static Map<String, String> without(Map<String, String> all, String name) {
    Map<String, String> variables = new HashMap<>(all);
    variables.remove(name);
    return variables;
  }
}
