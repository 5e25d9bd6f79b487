package io.sedge.tensor.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows TP-.. that need no TPU service. */
class TpuClusterResolverTest {
  private static final String POD =
      "grpc://10.120.27.5:8470,grpc://10.120.27.6:8470,grpc://10.120.27.7:8470,grpc://10.120.27.8:8470";

  /** TP-01, TP-11. */
  @Test
  void anEmptyNameIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tpu(""))
        .withMessage("Please provide a TPU Name to connect to.");
    assertThatThrownBy(() -> new TpuClusterResolver(name -> null).clusterSpec())
        .isInstanceOfSatisfying(
            ClusterResolutionException.class, e -> assertThat(e.reason()).isEqualTo(Reason.ABSENT))
        .hasMessage(
            "Please provide a TPU Name to connect to: none is given, and neither"
                + " KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS nor TPU_NAME is set");
  }

  /** TP-04, TP-06; the address is given, and no server started. */
  @Test
  void aCoordinatorIsAJobBesideTheTpus() {
    TpuClusterResolver resolver = tpu("grpc://10.1.2.3:8470");

    assertThat(resolver.clusterSpec().asMap())
        .isEqualTo(Map.of("worker", List.of("10.1.2.3:8470")));
    assertThat(resolver.withCoordinator("coordinator", "10.128.1.5:10203").clusterSpec().asMap())
        .isEqualTo(
            Map.of("worker", List.of("10.1.2.3:8470"), "coordinator", List.of("10.128.1.5:10203")));
  }

  /** TP-07, TP-12 to TP-15: what TensorFlow looks up is refused. */
  @ParameterizedTest
  @ValueSource(strings = {"mytpu", "grpctpu", "10.1.2.3:8470"})
  void aNameIsNotLookedUp(String name) {
    assertThatThrownBy(() -> tpu(name).clusterSpec())
        .isInstanceOf(ClusterResolutionException.class)
        .hasMessage(
            "Could not lookup TPU metadata from name '"
                + name
                + "': names are not looked up; give the addresses, as in grpc://10.1.2.3:8470");
  }

  /** TP-16, TP-19. */
  @Test
  void anAddressIsUsedAsItIs() {
    TpuClusterResolver resolver = tpu("grpc://10.1.2.3:8470");

    assertThat(resolver.master()).isEqualTo("grpc://10.1.2.3:8470");
    assertThat(resolver.clusterSpec().taskAddress("worker", 0)).isEqualTo("10.1.2.3:8470");
    assertThat(tpu("grpc://10.1.2.3").master()).isEqualTo("grpc://10.1.2.3:8470");
    assertThat(tpu("grpc://[::1]").master()).isEqualTo("grpc://[::1]:8470");
  }

  /** TP-17. */
  @Test
  void theAddressOfTheEnvironmentIsUsed() {
    TpuClusterResolver resolver =
        environment("KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS", "grpc://10.120.27.5:8470");

    assertThat(resolver.master()).isEqualTo("grpc://10.120.27.5:8470");
    assertThat(resolver.clusterSpec().asMap())
        .isEqualTo(Map.of("worker", List.of("10.120.27.5:8470")));
    assertThat(environment("TPU_NAME", "grpc://10.1.1.1:1").master())
        .isEqualTo("grpc://10.1.1.1:1");
    assertThat(environment("KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS", "10.1.1.1").master())
        .isEqualTo("grpc://10.1.1.1:8470");
  }

  /** TP-18, and TP-09/10 as far as addresses go. */
  @Test
  void aPodHasSeveralAddresses() {
    TpuClusterResolver resolver = environment("KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS", POD);

    assertThat(resolver.master()).isEqualTo("grpc://10.120.27.5:8470");
    assertThat(resolver.clusterSpec().jobTasks("worker"))
        .containsExactly(
            "10.120.27.5:8470", "10.120.27.6:8470", "10.120.27.7:8470", "10.120.27.8:8470");
    assertThat(resolver.master("worker", 3)).isEqualTo("grpc://10.120.27.8:8470");
    assertThat(resolver.withTask("tpu", 2).master()).isEqualTo("grpc://10.120.27.7:8470");
    assertThat(resolver.withTask("tpu", 2).clusterSpec().jobs()).containsExactly("tpu");
  }

  /** TP-21, TP-24. */
  @Test
  void coresAreCountedPerHost() {
    List<String> devices =
        List.of(
            "/job:tpu_worker/task:0/device:TPU:0",
            "/job:tpu_worker/task:1/device:TPU:1",
            "/job:tpu_worker/task:2/device:TPU:0",
            "/job:tpu_worker/task:3/device:TPU:1",
            "/job:tpu_worker/task:0/device:TPU:4",
            "/job:tpu_worker/task:1/device:TPU:5",
            "/job:tpu_worker/task:2/device:TPU:4",
            "/job:tpu_worker/task:3/device:TPU:5");

    TpuCores cores = TpuCores.of(devices);
    assertThat(cores.total()).isEqualTo(8);
    assertThat(cores.coresByHost())
        .isEqualTo(Map.of(0, List.of(0, 4), 1, List.of(1, 5), 2, List.of(0, 4), 3, List.of(1, 5)));
    assertThat(
            new TpuClusterResolver(
                    name -> null,
                    "grpc://10.1.2.3:8470",
                    ResolverSettings.defaults().withDevices(() -> devices))
                .numAccelerators())
        .isEqualTo(Map.of("TPU", 2));
  }

  /** TP-22. */
  @Test
  void otherDevicesHaveNoCores() {
    TpuCores cores =
        TpuCores.of(
            List.of("/job:tpu_worker/task:0/device:CPU:0", "/job:tpu_worker/task:1/device:GPU:1"));

    assertThat(cores.total()).isZero();
    assertThat(cores.coresByHost()).isEmpty();
    assertThat(cores.perHost()).isZero();
  }

  /** TP-23. */
  @Test
  void allHostsMustHaveTheSameNumberOfCores() {
    assertThat(cores(8).perHost()).isEqualTo(8);
    assertThat(cores(2, 2).perHost()).isEqualTo(2);
    assertThatThrownBy(() -> cores(1, 2).perHost())
        .isInstanceOf(ClusterResolutionException.class)
        .hasMessage("TPU cores on each device is not the same: {0=[0], 1=[0, 1]}");
  }

  /** TP-26, TP-28. */
  @Test
  void theLocalTpuHasNoMaster() {
    assertThat(tpu("local").master()).isEmpty();
    assertThat(tpu("local").clusterSpec().isEmpty()).isTrue();
    assertThat(tpu("local").environment()).isEmpty();
  }

  private static TpuCores cores(int... counts) {
    List<String> devices = new ArrayList<>();
    for (int host = 0; host < counts.length; host++) {
      for (int core = 0; core < counts[host]; core++) {
        devices.add("/job:worker/task:" + host + "/device:TPU:" + core);
      }
    }
    return TpuCores.of(devices);
  }

  private static TpuClusterResolver tpu(String tpu) {
    return new TpuClusterResolver(name -> null, tpu, ResolverSettings.defaults());
  }

  private static TpuClusterResolver environment(String name, String value) {
    return new TpuClusterResolver(Environment.of(Map.of(name, value)));
  }
}
