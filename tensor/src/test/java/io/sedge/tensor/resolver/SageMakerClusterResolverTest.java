package io.sedge.tensor.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows SM-.. */
class SageMakerClusterResolverTest {
  private static final String TWO = "[\"algo-1\",\"algo-2\"]";

  /** SM-01. */
  @Test
  void everyHostIsAWorker() {
    assertThat(hosts(TWO, "algo-2").clusterSpec().asMap())
        .isEqualTo(Map.of("worker", List.of("algo-1:2223", "algo-2:2223")));
  }

  /** SM-03, SM-05, SM-06. */
  @Test
  void settingsWinOverTheVariables() {
    SageMakerClusterResolver resolver = hosts(TWO, "algo-2");

    assertThat(resolver.taskType()).isEqualTo("worker");
    assertThat(resolver.taskId()).isEqualTo(1);
    assertThat(resolver.master()).isEqualTo("algo-2:2223");
    assertThat(resolver.master("worker", 1)).isEqualTo("algo-2:2223");
    SageMakerClusterResolver first = resolver.withTask("worker", 0);
    assertThat(first.taskId()).isZero();
    assertThat(first.master()).isEqualTo("algo-1:2223");
    assertThat(first.withTask("worker", 1).withRpcLayer("test").master())
        .isEqualTo("test://algo-2:2223");
  }

  /** SM-07, SM-08. */
  @Test
  void withoutAHostNameThereIsNoCluster() {
    assertThat(hosts("", "").master()).isEmpty();
    assertThat(hosts("[\"algo-1\"]", "").master()).isEmpty();
    assertThat(hosts("", "").clusterSpec().isEmpty()).isTrue();
    assertThat(hosts("", "").taskType()).isNull();
  }

  /** SM-20. */
  @Test
  void withoutTheVariablesItIsNotSageMaker() {
    assertThatThrownBy(() -> new SageMakerClusterResolver(name -> null).clusterSpec())
        .isInstanceOfSatisfying(
            ClusterResolutionException.class, e -> assertThat(e.reason()).isEqualTo(Reason.ABSENT))
        .hasMessage("Not a SageMaker Environment: SM_HOSTS is not set");
    assertThatThrownBy(
            () ->
                new SageMakerClusterResolver(Environment.of(Map.of("SM_HOSTS", TWO))).clusterSpec())
        .hasMessage("Not a SageMaker Environment: SM_CURRENT_HOST is not set");
  }

  /** SM-21. */
  @Test
  void hostsAreSorted() {
    SageMakerClusterResolver resolver = hosts("[\"b\",\"a\"]", "b");

    assertThat(resolver.clusterSpec().jobTasks("worker")).containsExactly("a:2223", "b:2223");
    assertThat(resolver.taskId()).isEqualTo(1);
    assertThat(resolver.master()).isEqualTo("b:2223");
  }

  /** TensorFlow would run alone on a host that is not in the list. */
  @Test
  void aHostThatIsNotInTheListIsRefused() {
    assertThatThrownBy(() -> hosts(TWO, "algo-3").clusterSpec())
        .isInstanceOf(ClusterResolutionException.class)
        .hasMessage(
            "SM_CURRENT_HOST is 'algo-3', which is not in SM_HOSTS=[\"algo-1\",\"algo-2\"]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[1]", "\"algo-1\"", "algo-1"})
  void aListOfHostsThatIsNoneIsRefused(String json) {
    assertThatThrownBy(() -> hosts(json, "algo-1").clusterSpec())
        .isInstanceOf(ClusterResolutionException.class)
        .hasMessageStartingWith("SM_HOSTS is not ");
  }

  @Test
  void thePortCanBeChosen() {
    Environment variables = Environment.of(Map.of("SM_HOSTS", TWO, "SM_CURRENT_HOST", "algo-1"));
    ResolverSettings settings =
        ResolverSettings.defaults().withDevices(() -> List.of("/job:worker/task:0/device:GPU:0"));

    SageMakerClusterResolver resolver = new SageMakerClusterResolver(variables, 4000, settings);
    assertThat(resolver.master()).isEqualTo("algo-1:4000");
    assertThat(resolver.numAccelerators()).isEqualTo(Map.of("GPU", 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SageMakerClusterResolver(variables, 0, settings))
        .withMessage("Port 0 is not from 1 to 65535");
  }

  private static SageMakerClusterResolver hosts(String hosts, String current) {
    return new SageMakerClusterResolver(
        Environment.of(Map.of("SM_HOSTS", hosts, "SM_CURRENT_HOST", current)));
  }
}
