package io.sedge.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.ClusterDef;
import org.tensorflow.proto.JobDef;
import org.tensorflow.proto.ServerDef;

/** Rows CS-.. are TensorFlow's own cases for {@code ClusterSpec} and {@code ServerDef}. */
class ClusterSpecTest {
  private static final ClusterSpec ACCESSORS =
      ClusterSpec.of(
          Map.of(
              "ps", List.of("ps0:2222", "ps1:2222"),
              "worker", List.of("worker0:2222", "worker1:2222", "worker2:2222"),
              "sparse", Map.of(0, "sparse0:2222", 3, "sparse3:2222")));

  /** CS-01. */
  @Test
  void aLocalServerSurvivesTheRoundTripThroughItsProtocolBuffer() {
    ServerDef server = server(ClusterSpec.builder().job("local", "localhost:2222"), "local", 0);

    assertThat(server.getCluster().getJobList()).hasSize(1);
    assertThat(server.getCluster().getJob(0).getName()).isEqualTo("local");
    assertThat(server.getCluster().getJob(0).getTasksMap()).isEqualTo(Map.of(0, "localhost:2222"));
    assertThat(server.getJobName()).isEqualTo("local");
    assertThat(server.getTaskIndex()).isZero();
    assertThat(server.getProtocol()).isEqualTo("grpc");
    assertRoundTrip(server.getCluster());
  }

  /** CS-02. */
  @Test
  void twoTasksOfAJobAreNumberedInOrder() {
    ServerDef server =
        server(ClusterSpec.builder().job("local", "localhost:2222", "localhost:2223"), "local", 1);

    assertThat(server.getCluster().getJob(0).getTasksMap())
        .isEqualTo(Map.of(0, "localhost:2222", 1, "localhost:2223"));
    assertThat(server.getTaskIndex()).isEqualTo(1);
    assertRoundTrip(server.getCluster());
  }

  /** CS-03. */
  @Test
  void jobsOfTheProtocolBufferAreInTheOrderOfTheirNames() {
    ServerDef server =
        server(
            ClusterSpec.builder()
                .job("worker", "worker0:2222", "worker1:2222", "worker2:2222")
                .job("ps", "ps0:2222", "ps1:2222"),
            "worker",
            2);

    assertThat(server.getCluster().getJobList().stream().map(JobDef::getName))
        .containsExactly("ps", "worker");
    assertThat(server.getCluster().getJob(0).getTasksCount()).isEqualTo(2);
    assertThat(server.getCluster().getJob(1).getTasksCount()).isEqualTo(3);
    assertRoundTrip(server.getCluster());
  }

  /** CS-04. */
  @Test
  void aSparseJobKeepsItsIndices() {
    ServerDef server =
        server(
            ClusterSpec.builder()
                .job("ps", "ps0:2222", "ps1:2222")
                .job("worker", Map.of(0, "worker0:2222", 2, "worker2:2222")),
            "worker",
            2);

    assertThat(server.getCluster().getJob(1).getTasksMap().keySet()).containsExactly(0, 2);
    assertRoundTrip(server.getCluster());
  }

  /** CS-05. */
  @Test
  void theTextIsTensorFlows() {
    assertThat(
            ClusterSpec.builder()
                .job("ps", "ps0:1111")
                .job("worker", "worker0:3333", "worker1:4444")
                .build())
        .hasToString(
            "ClusterSpec({'ps': ['ps0:1111'], 'worker': ['worker0:3333', 'worker1:4444']})");
  }

  /** CS-07: equivalences of TensorFlow's test, with a string for the index. */
  @Test
  void aStringMayBeATaskIndex() {
    ClusterSpec spec =
        ClusterSpec.of(Map.of("ps", List.of("ps0:2222"), "worker", Map.of("1", "worker1:2222")));

    assertThat(spec.taskIndices("worker")).containsExactly(1);
    assertEquivalences(
        spec,
        ClusterDef.newBuilder()
            .addJob(JobDef.newBuilder().setName("ps").putTasks(0, "ps0:2222"))
            .addJob(JobDef.newBuilder().setName("worker").putTasks(1, "worker1:2222"))
            .build());
  }

  /** CS-08. */
  @Test
  void aJobMayHaveNoTasks() {
    ClusterSpec spec = ClusterSpec.builder().job("ps", "ps0:2222").job("worker", List.of()).build();

    assertEquivalences(
        spec,
        ClusterDef.newBuilder()
            .addJob(JobDef.newBuilder().setName("ps").putTasks(0, "ps0:2222"))
            .addJob(JobDef.newBuilder().setName("worker"))
            .build());
    assertThat(spec.asMap()).containsEntry("worker", Map.of());
  }

  /** CS-09. */
  @Test
  void accessorsGiveWhatTheSpecWasMadeOf() {
    assertThat(ACCESSORS.asMap())
        .isEqualTo(
            Map.of(
                "ps", List.of("ps0:2222", "ps1:2222"),
                "worker", List.of("worker0:2222", "worker1:2222", "worker2:2222"),
                "sparse", Map.of(0, "sparse0:2222", 3, "sparse3:2222")));
    assertThat(ACCESSORS.numTasks("ps")).isEqualTo(2);
    assertThat(ACCESSORS.numTasks("worker")).isEqualTo(3);
    assertThat(ACCESSORS.numTasks("sparse")).isEqualTo(2);
    assertThat(ACCESSORS.taskAddress("ps", 0)).isEqualTo("ps0:2222");
    assertThat(ACCESSORS.taskAddress("sparse", 0)).isEqualTo("sparse0:2222");
    assertThat(ACCESSORS.taskIndices("ps")).containsExactly(0, 1);
    assertThat(ACCESSORS.taskIndices("worker")).containsExactly(0, 1, 2);
    assertThat(ACCESSORS.taskIndices("sparse")).containsExactly(0, 3);
    assertThat(ACCESSORS.jobTasks("ps")).containsExactly("ps0:2222", "ps1:2222");
    assertThat(ACCESSORS.jobTasks("sparse"))
        .containsExactly("sparse0:2222", null, null, "sparse3:2222");
  }

  /** CS-10, CS-29. */
  @Test
  void whatIsNotThereIsNamedWithWhatIs() {
    ClusterSpec spec = ClusterSpec.builder().job("a", Map.of(1, "h:1", 3, "h:3")).build();

    assertRefused("No such job in cluster: 'b'; its jobs are a", () -> spec.numTasks("b"));
    assertRefused("No such job in cluster: 'b'; its jobs are a", () -> spec.taskIndices("b"));
    assertRefused("No such job in cluster: 'b'; its jobs are a", () -> spec.taskAddress("b", 0));
    assertRefused("No such job in cluster: 'b'; its jobs are a", () -> spec.jobTasks("b"));
    assertRefused("No such job in cluster: 'b'; its jobs are a", () -> spec.tasks("b"));
    assertRefused(
        "No task with index 7 in job 'a'; it has tasks 1, 3", () -> spec.taskAddress("a", 7));
    assertRefused(
        "No such job in cluster: 'b'; it has no jobs", () -> ClusterSpec.empty().numTasks("b"));
    assertRefused(
        "No task with index 0 in job 'a'; it has no tasks",
        () -> ClusterSpec.builder().job("a").build().taskAddress("a", 0));
  }

  /** CS-11, CS-12. */
  @Test
  void aSpecIsEmptyWithoutJobs() {
    assertThat(ClusterSpec.of(Map.of()).isEmpty()).isTrue();
    assertThat(ClusterSpec.builder().job("job", "host:2222").build().isEmpty()).isFalse();
  }

  /** CS-13. */
  @Test
  void specsWithTheSameTasksAreEqual() {
    ClusterSpec dense = ClusterSpec.of(Map.of("job", List.of("host:2222")));

    assertThat(ClusterSpec.of(Map.of())).isEqualTo(ClusterSpec.empty());
    assertThat(ClusterSpec.of(Map.of("job", List.of("host:2222")))).isEqualTo(dense);
    assertThat(ClusterSpec.of(Map.of("job", Map.of(0, "host:2222"))))
        .isEqualTo(dense)
        .hasSameHashCodeAs(dense);
  }

  /** CS-14. */
  @Test
  void specsWithOtherTasksAreNotEqual() {
    ClusterSpec spec = ClusterSpec.builder().job("job", "h:1", "h:2").build();

    assertThat(spec).isNotEqualTo(ClusterSpec.empty());
    assertThat(spec).isNotEqualTo(ClusterSpec.builder().job("other", "h:1", "h:2").build());
    assertThat(spec).isNotEqualTo(ClusterSpec.builder().job("job", "h:1", "h:3").build());
    assertThat(spec).isNotEqualTo(ClusterSpec.builder().job("job", "h:2", "h:1").build());
  }

  /** CS-20 as far as Java's types allow the question: a key that is not a string. */
  @Test
  void aJobNameMustBeAString() {
    Map<Object, Object> raw = new LinkedHashMap<>();
    raw.put(1, List.of("h:1"));
    @SuppressWarnings({"unchecked", "rawtypes"})
    Map<String, ?> cluster = (Map) raw;

    assertRefused("Job name 1 must be a string", () -> ClusterSpec.of(cluster));
  }

  /** CS-21. */
  @Test
  void tasksMustBeAListOrAMap() {
    assertRefused(
        "The tasks for job 'a' must be a list of addresses or a map from task index to address,"
            + " not h:1",
        () -> ClusterSpec.of(Map.of("a", "h:1")));
    assertRefused(
        "The tasks for job 'a' must be a list of addresses or a map from task index to address,"
            + " not null",
        () -> ClusterSpec.of(Collections.singletonMap("a", null)));
  }

  /** CS-24. */
  @Test
  void aTaskIndexMustBeAWholeNumber() {
    assertRefused(
        "Task index 'x' of job 'a' is not a whole number",
        () -> ClusterSpec.of(Map.of("a", Map.of("x", "h:1"))));
    assertRefused(
        "Task index 1.9 of job 'a' is not a whole number",
        () -> ClusterSpec.of(Map.of("a", Map.of(1.9, "h:1"))));
  }

  /** CS-25, where TensorFlow fails later. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 1_000_000, Integer.MAX_VALUE})
  void aTaskIndexMustBeInItsRange(int index) {
    String message = "Task index " + index + " of job 'a' is not from 0 to 999999";

    assertRefused(message, () -> ClusterSpec.of(Map.of("a", Map.of(index, "h:1"))));
    assertRefused(message, () -> ClusterSpec.builder().task("a", index, "h:1"));
    assertRefused(
        message,
        () ->
            ClusterSpec.from(
                ClusterDef.newBuilder()
                    .addJob(JobDef.newBuilder().setName("a").putTasks(index, "h:1"))
                    .build()));
  }

  /** CS-26, where TensorFlow's {@code job_tasks} fails. */
  @Test
  void aJobWithoutTasksHasAnEmptyListOfThem() {
    ClusterSpec spec = ClusterSpec.of(Map.of("a", List.of()));

    assertThat(spec.asMap()).isEqualTo(Map.of("a", Map.of()));
    assertThat(spec.numTasks("a")).isZero();
    assertThat(spec.isEmpty()).isFalse();
    assertThat(spec.jobTasks("a")).isEmpty();
    assertThat(spec).hasToString("ClusterSpec({'a': {}})");
  }

  /** CS-27. */
  @Test
  void aSparseJobStaysAMap() {
    ClusterSpec spec = ClusterSpec.of(Map.of("a", Map.of(1, "h:1")));

    assertThat(spec.asMap()).isEqualTo(Map.of("a", Map.of(1, "h:1")));
    assertThat(spec).hasToString("ClusterSpec({'a': {1: 'h:1'}})");
  }

  /** CS-28. */
  @Test
  void jobsKeepTheirOrderButTextAndProtocolBufferSortThem() {
    ClusterSpec spec = ClusterSpec.builder().job("z", "h:1").job("a", "h:2").build();

    assertThat(spec.jobs()).containsExactly("z", "a");
    assertThat(spec).hasToString("ClusterSpec({'a': ['h:2'], 'z': ['h:1']})");
    assertThat(spec.toClusterDef().getJob(0).getName()).isEqualTo("a");
  }

  /** TensorFlow accepts these and fails when a server starts, or never connects. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "localhost            | it has no port",
        "\"\"                  | it has no port",
        "host:port            | port 'port' is not a whole number from 0 to 65535",
        "host:                | port '' is not a whole number from 0 to 65535",
        "host:-1              | port '-1' is not a whole number from 0 to 65535",
        "host:65536           | port '65536' is not a whole number from 0 to 65535",
        "host:99999           | port '99999' is not a whole number from 0 to 65535",
        "grpc://host:1        | it begins with a scheme; leave that away",
        "::1:2222             | an IPv6 host goes into brackets, as in [::1]:2222",
        "a b:1                | 'a b' is not a host name or IP address",
        "a,b:1                | 'a,b' is not a host name or IP address",
        "[host]:1             | '[host]' is not a host name or IP address",
      })
  void anAddressIsRefusedWithJobTaskAndReason(String address, String reason) {
    assertRefused(
        "The address of task 1 of job 'worker' is '"
            + address
            + "', which is not of the form host:port: "
            + reason,
        () -> ClusterSpec.of(Map.of("worker", List.of("ok:1", address))));
  }

  /** SV-39 asks servers for these. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "h:0",
        "h:65535",
        ":0",
        "203.0.113.7:0",
        "[::1]:0",
        "[fe80::1%eth0]:1",
        "a_b-c.d:1"
      })
  void theseAddressesAreAccepted(String address) {
    assertThat(ClusterSpec.builder().job("a", address).build().taskAddress("a", 0))
        .isEqualTo(address);
  }

  @Test
  void anAddressMustBeAString() {
    assertRefused(
        "The address of task 0 of job 'a' is 5, which is not a string",
        () -> ClusterSpec.of(Map.of("a", List.of(5))));
    assertRefused(
        "The address of task 0 of job 'a' is null, which is not a string",
        () -> ClusterSpec.of(Map.of("a", Arrays.asList((Object) null))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "my-job", "1st", "a b", "a/b", "jöb"})
  void aJobNameThatNoDeviceNameCanHoldIsRefused(String job) {
    assertRefused(
        "Job name '"
            + job
            + "' is not a letter followed by letters, digits or underscores, which is all that"
            + " TensorFlow's device names can hold",
        () -> ClusterSpec.builder().job(job, "h:1"));
  }

  @Test
  void twoTasksCannotHaveOneAddress() {
    assertRefused(
        "The address of task 0 of job 'worker' is 'HOST:02222', which is that of task 1 of job"
            + " 'ps' already; each task needs an address of its own",
        () ->
            ClusterSpec.builder()
                .job("ps", "host:1", "host:2222")
                .job("worker", "HOST:02222")
                .build());
  }

  @Test
  void manyTasksMayAskForAnyPort() {
    assertThat(ClusterSpec.builder().job("a", "h:0", "h:0").build().numTasks("a")).isEqualTo(2);
  }

  @Test
  void aJobIsGivenOnce() {
    assertRefused(
        "Job 'a' is given twice", () -> ClusterSpec.builder().job("a", "h:1").job("a", "h:2"));
    JobDef job = JobDef.newBuilder().setName("a").putTasks(0, "h:1").build();
    assertRefused(
        "Job 'a' is given twice",
        () -> ClusterSpec.from(ClusterDef.newBuilder().addJob(job).addJob(job).build()));
  }

  @Test
  void tasksCanBeAddedOneByOneButOnceEach() {
    ClusterSpec.Builder builder =
        ClusterSpec.builder().task("a", 1, "h:1").task("b", 0, "h:2").task("a", 0, "h:3");

    assertThat(builder.build().asMap())
        .isEqualTo(Map.of("a", List.of("h:3", "h:1"), "b", List.of("h:2")));
    assertRefused("The task 1 of job 'a' is given twice", () -> builder.task("a", 1, "h:4"));
  }

  @Test
  void aBuilderUsedOnDoesNotChangeWhatItBuilt() {
    ClusterSpec.Builder builder = ClusterSpec.builder().task("a", 0, "h:1");
    ClusterSpec first = builder.build();
    builder.task("a", 1, "h:2");

    assertThat(first.numTasks("a")).isEqualTo(1);
  }

  @Test
  void theEvaluatorCanBeTakenOut() {
    ClusterSpec spec = ClusterSpec.builder().job("worker", "h:1").job("evaluator", "h:2").build();

    assertThat(spec.withoutJob("evaluator"))
        .isEqualTo(ClusterSpec.builder().job("worker", "h:1").build());
    assertThat(spec.withoutJob("ps")).isSameAs(spec);
  }

  private static ServerDef server(ClusterSpec.Builder cluster, String job, int task) {
    return ServerDef.newBuilder()
        .setCluster(cluster.build().toClusterDef())
        .setJobName(job)
        .setTaskIndex(task)
        .setProtocol("grpc")
        .build();
  }

  private static void assertRoundTrip(ClusterDef cluster) {
    assertThat(ClusterSpec.from(cluster).toClusterDef()).isEqualTo(cluster);
  }

  /** The four forms of a cluster that TensorFlow's tests turn into each other. */
  private static void assertEquivalences(ClusterSpec spec, ClusterDef cluster) {
    assertThat(spec.toClusterDef()).isEqualTo(cluster);
    assertThat(ClusterSpec.from(cluster)).isEqualTo(spec);
    assertThat(ClusterSpec.of(spec.asMap())).isEqualTo(spec);
    assertThat(ClusterSpec.of(new TreeMap<>(spec.asMap())).toClusterDef()).isEqualTo(cluster);
  }

  private static void assertRefused(String message, Runnable question) {
    assertThatIllegalArgumentException().isThrownBy(question::run).withMessage(message);
  }
}
