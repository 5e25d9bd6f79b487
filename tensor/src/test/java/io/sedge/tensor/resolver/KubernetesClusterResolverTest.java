package io.sedge.tensor.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import io.sedge.tensor.resolver.KubernetesOptions.Address;
import io.sedge.tensor.resolver.KubernetesOptions.Order;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows K8-.., against an API server that answers as Kubernetes does. */
class KubernetesClusterResolverTest {
  private static final String LABEL = "job-name=tensorflow";
  private static final KubernetesOptions DEFAULTS = KubernetesOptions.defaults();

  /** What TensorFlow's resolver does. */
  private static final KubernetesOptions AS_TENSORFLOW =
      DEFAULTS.withAllNamespaces().withAddress(Address.HOST_IP);

  private KubernetesMockServer server;
  private NamespacedKubernetesClient client;

  @BeforeEach
  void start() {
    server =
        new KubernetesMockServer(
            new Context(),
            new MockWebServer(),
            new HashMap<>(),
            new KubernetesCrudDispatcher(),
            false);
    server.init();
    client = server.createClient();
  }

  @AfterEach
  void stop() {
    client.close();
    server.destroy();
  }

  /** K8-01, K8-03: the node's address, as TensorFlow; the pod's is the default. */
  @Test
  void aRunningPodIsATask() {
    create("tensorflow-abc123", LABEL, "Running", "10.1.2.3");

    assertThat(resolver(AS_TENSORFLOW).clusterSpec().asMap())
        .isEqualTo(Map.of("worker", List.of("10.1.2.3:8470")));
    assertThat(resolver(DEFAULTS).clusterSpec().asMap())
        .isEqualTo(Map.of("worker", List.of("172.1.2.3:8470")));
  }

  /** K8-04. */
  @Test
  void podsAreSortedByName() {
    create("tensorflow-abc123", LABEL, "Running", "10.1.2.3");
    create("tensorflow-def456", LABEL, "Running", "10.1.2.4");
    create("tensorflow-999999", LABEL, "Running", "10.1.2.5");

    assertThat(resolver(AS_TENSORFLOW).clusterSpec().jobTasks("worker"))
        .containsExactly("10.1.2.5:8470", "10.1.2.3:8470", "10.1.2.4:8470");
  }

  /** K8-05. */
  @Test
  void theMasterIsThisTaskOrTheOneAskedFor() {
    create("tensorflow-0", LABEL, "Running", "10.1.2.3");
    create("tensorflow-1", LABEL, "Running", "10.1.2.4");
    create("tensorflow-2", LABEL, "Running", "10.1.2.5");
    KubernetesClusterResolver resolver = resolver(AS_TENSORFLOW);

    assertThat(resolver.withTask("worker", 0).master()).isEqualTo("grpc://10.1.2.3:8470");
    assertThat(resolver.master("worker", 2)).isEqualTo("grpc://10.1.2.5:8470");
    assertThat(resolver.withRpcLayer("http").master("worker", 2)).isEqualTo("http://10.1.2.5:8470");
    assertThat(resolver.master()).isEmpty();
    assertThatThrownBy(() -> resolver.master("worker", 3))
        .isInstanceOfSatisfying(
            ClusterResolutionException.class, e -> assertThat(e.isRetryable()).isTrue())
        .hasMessage("The pods: No task with index 3 in job 'worker'; it has tasks 0, 1, 2");
  }

  /** K8-06; who waits for a cluster to form must know which of the two it is. */
  @ParameterizedTest
  @CsvSource({"Failed, INVALID", "Succeeded, INVALID", "Pending, NOT_READY", "Unknown, NOT_READY"})
  void aPodThatDoesNotRunIsNamed(String phase, Reason reason) {
    create("tensorflow-abc123", LABEL, phase, "10.1.2.3");

    assertThatThrownBy(() -> resolver(AS_TENSORFLOW).clusterSpec())
        .isInstanceOfSatisfying(
            ClusterResolutionException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessage("Pod \"tensorflow-abc123\" is not running; phase: \"" + phase + "\"");
  }

  /** K8-07. */
  @Test
  void thePodsOfEachSelectorFollowThoseOfTheOneBefore() {
    create("tensorflow-abc123", "job-name=worker1", "Running", "10.1.2.3");
    create("tensorflow-def456", "job-name=worker1", "Running", "10.1.2.4");
    create("tensorflow-999999", "job-name=worker1", "Running", "10.1.2.5");
    create("tensorflow-xyz", "job-name=worker2", "Running", "10.1.2.6");
    create("tensorflow-zzz", "job-name=worker2", "Running", "10.1.2.7");
    create("tensorflow-aaa", "job-name=worker2", "Running", "10.1.2.8");
    create("tensorflow-ps-1", "job-name=ps", "Running", "10.1.2.1");
    create("tensorflow-ps-2", "job-name=ps", "Running", "10.1.2.2");
    Map<String, List<String>> selectors = new LinkedHashMap<>();
    selectors.put("worker", List.of("job-name=worker1", "job-name=worker2"));
    selectors.put("ps", List.of("job-name=ps"));

    assertThat(resolver(AS_TENSORFLOW.withSelectors(selectors)).clusterSpec().asMap())
        .isEqualTo(
            Map.of(
                "worker",
                List.of(
                    "10.1.2.5:8470",
                    "10.1.2.3:8470",
                    "10.1.2.4:8470",
                    "10.1.2.8:8470",
                    "10.1.2.6:8470",
                    "10.1.2.7:8470"),
                "ps",
                List.of("10.1.2.1:8470", "10.1.2.2:8470")));
  }

  @Test
  void podsOfOtherNamespacesAreLeftOut() {
    create("here", LABEL, "Running", "10.1.2.3");
    create(
        pod("there", LABEL, "Running", "10.1.2.4")
            .editMetadata()
            .withNamespace("other")
            .endMetadata()
            .build());

    assertThat(resolver(DEFAULTS).clusterSpec().jobTasks("worker"))
        .containsExactly("172.1.2.3:8470");
    assertThat(resolver(DEFAULTS.withNamespace("other")).clusterSpec().jobTasks("worker"))
        .containsExactly("172.1.2.4:8470");
    assertThat(resolver(DEFAULTS.withAllNamespaces()).clusterSpec().numTasks("worker"))
        .isEqualTo(2);
  }

  @Test
  void namesUnderAHeadlessServiceOutliveThePods() {
    for (String name : List.of("w-0", "w-1", "w-2", "w-10")) {
      create(
          pod(name, LABEL, "Running", "10.1.2.3")
              .editSpec()
              .withHostname(name)
              .withSubdomain("trainers")
              .endSpec()
              .build());
    }
    KubernetesOptions options = DEFAULTS.withAddress(Address.SERVICE_NAME).withPort(2222);

    assertThat(resolver(options.withOrder(Order.NUMBER)).clusterSpec().jobTasks("worker"))
        .containsExactly(
            "w-0.trainers.test.svc.cluster.local:2222",
            "w-1.trainers.test.svc.cluster.local:2222",
            "w-2.trainers.test.svc.cluster.local:2222",
            "w-10.trainers.test.svc.cluster.local:2222");
    assertThat(resolver(options.withClusterDomain("plant.lan")).clusterSpec().jobTasks("worker"))
        .element(2)
        .isEqualTo("w-10.trainers.test.svc.plant.lan:2222");
  }

  @Test
  void aPodWithoutANameUnderAServiceIsRefused() {
    create("alone", LABEL, "Running", "10.1.2.3");

    assertThatThrownBy(() -> resolver(DEFAULTS.withAddress(Address.SERVICE_NAME)).clusterSpec())
        .isInstanceOf(ClusterResolutionException.class)
        .hasMessage(
            "Pod \"alone\" has no name under a headless service: its spec needs a hostname and a"
                + " subdomain, as the pods of a StatefulSet with a serviceName have");
  }

  @Test
  void aPodWithoutAnAddressIsNotReady() {
    create(
        pod("new", LABEL, "Running", "10.1.2.3").editStatus().withPodIP(null).endStatus().build());

    assertThatThrownBy(() -> resolver(DEFAULTS).clusterSpec())
        .isInstanceOfSatisfying(
            ClusterResolutionException.class, e -> assertThat(e.isRetryable()).isTrue())
        .hasMessage("Pod \"new\" runs but has no POD_IP yet");
  }

  @Test
  void theAddressOfAPodMayBeIpv6() {
    create(
        pod("six", LABEL, "Running", "10.1.2.3")
            .editStatus()
            .withPodIP("fd00::12")
            .endStatus()
            .build());

    assertThat(resolver(DEFAULTS).clusterSpec().jobTasks("worker"))
        .containsExactly("[fd00::12]:8470");
  }

  /** Two pods on one node cannot both have the node's address: TensorFlow lets them. */
  @Test
  void podsThatShareTheAddressOfTheirNodeAreRefused() {
    create("a", LABEL, "Running", "10.1.2.3");
    create("b", LABEL, "Running", "10.1.2.3");

    assertThatThrownBy(() -> resolver(AS_TENSORFLOW).clusterSpec())
        .isInstanceOf(ClusterResolutionException.class)
        .hasMessageStartingWith(
            "The pods: The address of task 1 of job 'worker' is '10.1.2.3:8470', which is that of"
                + " task 0");
  }

  @Test
  void theClusterIsAskedForAnewEachTime() {
    KubernetesClusterResolver resolver = resolver(DEFAULTS);
    assertThat(resolver.clusterSpec().jobTasks("worker")).isEmpty();

    create("a", LABEL, "Running", "10.1.2.3");
    assertThat(resolver.clusterSpec().jobTasks("worker")).containsExactly("172.1.2.3:8470");

    client.pods().inNamespace("test").withName("a").delete();
    assertThat(resolver.clusterSpec().jobTasks("worker")).isEmpty();
  }

  @Test
  void aRefusalByTheServerSaysWhatIsMissing() {
    KubernetesMockServer strict = new KubernetesMockServer(false);
    strict.init();
    try (NamespacedKubernetesClient refused = strict.createClient()) {
      strict
          .expect()
          .get()
          .withPath("/api/v1/namespaces/test/pods?labelSelector=job-name%3Dtensorflow")
          .andReturn(
              403, new StatusBuilder().withCode(403).withMessage("pods is forbidden").build())
          .always();

      assertThatThrownBy(() -> new KubernetesClusterResolver(refused).clusterSpec())
          .isInstanceOfSatisfying(
              ClusterResolutionException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.INVALID))
          .hasMessageContaining(
              "Pods with label job-name=tensorflow in namespace test could not be")
          .hasMessageContaining("needs permission to list pods there")
          .hasMessageContaining("pods is forbidden");
    } finally {
      strict.destroy();
    }
  }

  @Test
  void aServerThatIsNotThereMayComeBack() {
    KubernetesMockServer gone = new KubernetesMockServer(false);
    gone.init();
    try (NamespacedKubernetesClient lost =
        gone.createClient(
            (Consumer<io.fabric8.kubernetes.client.KubernetesClientBuilder>)
                builder -> builder.editOrNewConfig().withRequestRetryBackoffLimit(0).endConfig())) {
      gone.destroy();

      assertThatThrownBy(() -> new KubernetesClusterResolver(lost).clusterSpec())
          .isInstanceOfSatisfying(
              ClusterResolutionException.class,
              e -> assertThat(e.reason()).isEqualTo(Reason.UNREACHABLE));
    }
  }

  @Test
  void optionsAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withPort(0))
        .withMessage("Port 0 is not from 1 to 65535");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.withSelectors(Map.of("my-job", List.of(LABEL))))
        .withMessageStartingWith("Job name 'my-job' is not");
  }

  private KubernetesClusterResolver resolver(KubernetesOptions options) {
    return new KubernetesClusterResolver(client, options, ResolverSettings.defaults());
  }

  private void create(String name, String label, String phase, String hostIp) {
    create(pod(name, label, phase, hostIp).build());
  }

  private void create(Pod pod) {
    client.pods().inNamespace(pod.getMetadata().getNamespace()).resource(pod).create();
  }

  /** The pod's own address is the node's with 172 in place of 10. */
  private static PodBuilder pod(String name, String label, String phase, String hostIp) {
    String[] keyAndValue = label.split("=", 2);
    return new PodBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("test")
        .addToLabels(keyAndValue[0], keyAndValue[1])
        .endMetadata()
        .withNewSpec()
        .endSpec()
        .withNewStatus()
        .withPhase(phase)
        .withHostIP(hostIp)
        .withPodIP(hostIp.replaceFirst("^10", "172"))
        .endStatus();
  }
}
