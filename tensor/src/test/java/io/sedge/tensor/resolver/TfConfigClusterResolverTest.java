package io.sedge.tensor.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import io.sedge.tensor.ClusterSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows TC-.. */
class TfConfigClusterResolverTest {
  private static final String CLUSTER =
      """
      "cluster": {"ps": ["ps0:2222", "ps1:2222"],
                  "worker": ["worker0:2222", "worker1:2222", "worker2:2222"]}\
      """;

  @Test
  void theClusterIsRead() {
    assertThat(config("{" + CLUSTER + ", 'task': {'type': 'ps', 'index': 0}}").clusterSpec())
        .isEqualTo(
            ClusterSpec.builder()
                .job("ps", "ps0:2222", "ps1:2222")
                .job("worker", "worker0:2222", "worker1:2222", "worker2:2222")
                .build());
  }

  /** TC-02. */
  @Test
  void aSparseJobIsRead() {
    assertThat(
            config("{'cluster': {'ps': ['ps0:2222'], 'worker': {'1': 'worker1:2222'}}}")
                .clusterSpec()
                .asMap())
        .isEqualTo(Map.of("ps", List.of("ps0:2222"), "worker", Map.of(1, "worker1:2222")));
  }

  /** TC-04. */
  @Test
  void aTaskCanBeAskedFor() {
    assertThat(config("{" + CLUSTER + ", 'task': {'type': 'ps', 'index': 0}}").master("worker", 1))
        .isEqualTo("worker1:2222");
  }

  /** TC-05, TC-30. */
  @Test
  void aSessionMasterIsTheMasterWhateverIsAsked() {
    TfConfigClusterResolver resolver =
        config("{" + CLUSTER + ", 'session_master': 'sessionmaster:2222'}");

    assertThat(resolver.master()).isEqualTo("sessionmaster:2222");
    assertThat(resolver.master("worker", 1, "grpc")).isEqualTo("sessionmaster:2222");
  }

  /** TC-06, TC-07. */
  @Test
  void taskAndProtocolAreRead() {
    TfConfigClusterResolver resolver =
        config("{" + CLUSTER + ", 'rpc_layer': 'grpc', 'task': {'type': 'ps', 'index': 0}}");

    assertThat(resolver.master()).isEqualTo("grpc://ps0:2222");
    assertThat(resolver.taskType()).isEqualTo("ps");
    assertThat(resolver.taskId()).isZero();
    assertThat(resolver.rpcLayer()).isEqualTo("grpc");
  }

  /** TC-10, TC-11. */
  @Test
  void anIndexMayBeTextAndSettingsWin() {
    TfConfigClusterResolver resolver =
        config("{" + CLUSTER + ", 'rpc_layer': 'grpc', 'task': {'type': 'worker', 'index': '1'}}");

    assertThat(resolver.taskId()).isEqualTo(1);
    assertThat(resolver.withTask(null, 2).taskId()).isEqualTo(2);
    assertThat(resolver.withTask(null, 2).taskType()).isEqualTo("worker");
    assertThat(resolver.withTask(null, 2).master()).isEqualTo("grpc://worker2:2222");
    assertThat(resolver.withTask("ps", 0).withRpcLayer("http").master())
        .isEqualTo("http://ps0:2222");
  }

  /** TC-13; TensorFlow's test of a cluster without jobs is the first. */
  @Test
  void aClusterOfOneTaskOrNoneIsThisProcess() {
    assertThat(config("{}").master()).isEmpty();
    assertThat(config("{'cluster': {}}").master()).isEmpty();
    assertThat(config("{'cluster': {'worker': ['worker0:2222']}, 'rpc_layer': 'grpc'}").master())
        .isEmpty();
  }

  /** TC-20. */
  @Test
  void withoutTheVariableNothingIsKnown() {
    TfConfigClusterResolver resolver =
        new TfConfigClusterResolver(
            name -> null, ResolverSettings.defaults().withDevices(() -> List.of("/device:CPU:0")));

    assertThat(resolver.taskType()).isNull();
    assertThat(resolver.taskId()).isNull();
    assertThat(resolver.rpcLayer()).isNull();
    assertThat(resolver.environment()).isEmpty();
    assertThat(resolver.clusterSpec().isEmpty()).isTrue();
    assertThat(resolver.master()).isEmpty();
    assertThat(resolver.numAccelerators()).isEmpty();
  }

  /** TC-22. */
  @Test
  void anEmptyListIsNoCluster() {
    assertThat(config("[]").clusterSpec().isEmpty()).isTrue();
  }

  /** TC-21, TC-25 (where TensorFlow takes 1.9 for 1), and more. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                                         | TF_CONFIG is empty, not JSON",
        "{                                          | TF_CONFIG is not JSON: Unexpected"
            + " end-of-input",
        "{} {}                                      | TF_CONFIG is not JSON: Trailing token",
        "{'task': {}, 'task': {}}                   | TF_CONFIG is not JSON: Duplicate",
        "5                                          | TF_CONFIG is not an object with the keys"
            + " cluster and task, but 5",
        "[1]                                        | TF_CONFIG is not an object with the keys"
            + " cluster and task, but [1]",
        "{'task': {'index': 'x'}}                   | TF_CONFIG has a task.index that is not a"
            + " whole number, but \"x\"",
        "{'task': {'index': null}}                  | TF_CONFIG has a task.index that is not a"
            + " whole number, but null",
        "{'task': {'index': 1.9}}                   | TF_CONFIG has a task.index that is not a"
            + " whole number, but 1.9",
        "{'task': {'index': 1e20}}                  | TF_CONFIG has a task.index that is not a"
            + " whole number, but",
        "{'task': {'index': -1}}                    | TF_CONFIG has a task.index of -1, not from 0"
            + " to 999999",
        "{'task': {'type': 5}}                      | TF_CONFIG has a task.type that is not a"
            + " string, but 5",
        "{'task': {'type': 'a-b'}}                  | TF_CONFIG, task.type: Job name 'a-b' is not",
        "{'cluster': []}                            | TF_CONFIG has a cluster that is not an object"
            + " from job to tasks, but []",
        "{'cluster': {'worker': 'h:1'}}             | TF_CONFIG, cluster: The tasks for job"
            + " 'worker' must be a list of addresses",
        "{'cluster': {'worker': ['h']}}             | TF_CONFIG, cluster: The address of task 0 of"
            + " job 'worker' is 'h', which is not of the form host:port: it has no port",
        "{'cluster': {'worker': [5]}}               | TF_CONFIG, cluster: The address of task 0 of"
            + " job 'worker' is 5, which is not a string",
        "{'sparseCluster': {'worker': {'x':'h:1'}}} | TF_CONFIG, sparseCluster: Task index 'x' of"
            + " job 'worker' is not a whole number",
      })
  void whatIsWrongInTheVariableIsNamed(String config, String message) {
    TfConfigClusterResolver resolver = config(config);

    assertThatThrownBy(
            () -> {
              resolver.taskType();
              resolver.taskId();
              resolver.clusterSpec();
            })
        .isInstanceOfSatisfying(
            ClusterResolutionException.class,
            e -> {
              assertThat(e.reason()).isEqualTo(Reason.INVALID);
              assertThat(e.isRetryable()).isFalse();
            })
        .hasMessageStartingWith(message);
  }

  /** TC-23, TC-24, TC-29. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'cluster': {'worker': ['a:1', 'b:1']}} | TF_CONFIG has several tasks and does not say"
            + " which job this process is",
        "{'cluster': {'worker': ['a:1', 'b:1']}, 'task': {'type': 'worker'}} | TF_CONFIG has"
            + " several tasks and does not say which task of job 'worker' this process is",
        "{'cluster': {'worker': ['a:1', 'b:1']}, 'task': {'type': 'ps', 'index': 0}} | TF_CONFIG:"
            + " No such job in cluster: 'ps'; its jobs are worker",
        "{'cluster': {'worker': []}, 'task': {'type': 'worker', 'index': 0}} | TF_CONFIG: No task"
            + " with index 0 in job 'worker'; it has no tasks",
      })
  void aMasterThatCannotBeToldIsRefused(String config, String message) {
    assertThatThrownBy(() -> config(config).master())
        .isInstanceOf(ClusterResolutionException.class)
        .hasMessageStartingWith(message);
  }

  /** TC-24. */
  @Test
  void aTaskWithoutIndexHasATypeAllTheSame() {
    TfConfigClusterResolver resolver = config("{" + CLUSTER + ", 'task': {'type': 'worker'}}");

    assertThat(resolver.taskType()).isEqualTo("worker");
    assertThat(resolver.taskId()).isNull();
  }

  /** TC-26. */
  @Test
  void theEnvironmentOfTheVariableIsNotTheResolvers() {
    assertThat(config("{'environment': 'cloud'}").environment()).isEmpty();
  }

  /** TC-27, which TensorFlow ignores: Kubeflow's form for workers that come and go. */
  @Test
  void kubeflowsSparseClusterIsRead() {
    TfConfigClusterResolver resolver =
        config(
            """
            {'sparseCluster': {'worker': {'1': 'job-worker-1.ns.svc:2222'},
                               'ps': ['job-ps-0.ns.svc:2222', 'job-ps-1.ns.svc:2222']},
             'task': {'type': 'worker', 'index': 1}}\
            """);

    assertThat(resolver.clusterSpec().taskIndices("worker")).containsExactly(1);
    assertThat(resolver.clusterSpec().numTasks("ps")).isEqualTo(2);
    assertThat(resolver.master()).isEqualTo("job-worker-1.ns.svc:2222");
  }

  /** TensorFlow fails here; Kubeflow leaves the evaluator out of the cluster on purpose. */
  @Test
  void anEvaluatorBesideTheClusterIsItsOwnMaster() {
    assertThat(config("{" + CLUSTER + ", 'task': {'type': 'evaluator', 'index': 0}}").master())
        .isEmpty();
  }

  @Test
  void theVariableIsReadAtEachCall() {
    Map<String, String> variables = new HashMap<>();
    TfConfigClusterResolver resolver = new TfConfigClusterResolver(Environment.of(variables));
    assertThat(resolver.clusterSpec().isEmpty()).isTrue();

    variables.put("TF_CONFIG", "{\"cluster\": {\"worker\": [\"a:1\"]}, \"task\": {\"index\": 3}}");

    assertThat(resolver.clusterSpec().taskAddress("worker", 0)).isEqualTo("a:1");
    assertThat(resolver.taskId()).isEqualTo(3);
  }

  @Test
  void acceleratorsAreThoseOfTheTaskOfTheVariable() {
    TfConfigClusterResolver resolver =
        new TfConfigClusterResolver(
            Environment.of(Map.of("TF_CONFIG", "{\"task\": {\"type\": \"worker\", \"index\": 1}}")),
            ResolverSettings.defaults()
                .withDevices(
                    () ->
                        List.of(
                            "/job:worker/task:0/device:GPU:0", "/job:worker/task:1/device:GPU:0")));

    assertThat(resolver.numAccelerators()).isEqualTo(Map.of("GPU", 1));
  }

  /** Single quotes stand for double ones. */
  private static TfConfigClusterResolver config(String json) {
    return new TfConfigClusterResolver(
        Environment.of(Map.of("TF_CONFIG", json.replace('\'', '"'))));
  }
}
