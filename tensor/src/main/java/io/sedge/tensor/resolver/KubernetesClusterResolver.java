package io.sedge.tensor.resolver;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.internal.Addresses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A resolver for tasks that run as pods of Kubernetes. Like TensorFlow's {@code
 * KubernetesClusterResolver}.
 *
 * <p>The client, which the caller makes and closes, says whether the program runs within the
 * cluster (service account) or outside (kubeconfig). It needs permission to list pods in the
 * namespace.
 *
 * <p>All pods of the selectors must run: one that does not yet, or is being deleted, makes the
 * cluster {@link Reason#NOT_READY}, and one that has failed or ended {@link Reason#INVALID}, since
 * without it the tasks after it would have other indices.
 */
public final class KubernetesClusterResolver extends SettledResolver {
  private final KubernetesClient client;
  private final KubernetesOptions options;

  /** A resolver with {@linkplain KubernetesOptions#defaults default options}. */
  public KubernetesClusterResolver(KubernetesClient client) {
    this(client, KubernetesOptions.defaults(), ResolverSettings.defaults());
  }

  /** A resolver with options; its task is what the settings say. */
  public KubernetesClusterResolver(
      KubernetesClient client, KubernetesOptions options, ResolverSettings settings) {
    super(settings);
    this.client = client;
    this.options = options;
  }

  @Override
  public ClusterSpec clusterSpec() {
    ClusterSpec.Builder cluster = ClusterSpec.builder();
    options
        .selectorsByJob()
        .forEach(
            (job, selectors) -> {
              List<String> addresses = new ArrayList<>();
              for (String selector : selectors) {
                pods(selector).stream().sorted(order()).map(this::address).forEach(addresses::add);
              }
              translate("The pods", Reason.INVALID, () -> cluster.job(job, addresses));
            });
    return translate("The pods", Reason.INVALID, cluster::build);
  }

  /** The address of the task asked for, else of this process's; empty if that is not known. */
  @Override
  public String master(
      @Nullable String askedType, @Nullable Integer askedId, @Nullable String rpcLayer) {
    @Nullable String type = askedType == null ? taskType() : askedType;
    @Nullable Integer id = askedId == null ? taskId() : askedId;
    return type == null || id == null
        ? ""
        : url(rpcLayer, address(clusterSpec(), "The pods", Reason.NOT_READY, type, id));
  }

  @Override
  public String rpcLayer() {
    return or(settings.rpcLayer(), "grpc");
  }

  @Override
  public KubernetesClusterResolver withTask(@Nullable String taskType, @Nullable Integer taskId) {
    return new KubernetesClusterResolver(client, options, settings.withTask(taskType, taskId));
  }

  @Override
  public KubernetesClusterResolver withRpcLayer(@Nullable String rpcLayer) {
    return new KubernetesClusterResolver(client, options, settings.withRpcLayer(rpcLayer));
  }

  private List<Pod> pods(String selector) {
    try {
      if (options.allNamespaces()) {
        return client.pods().inAnyNamespace().withLabelSelector(selector).list().getItems();
      }
      return client.pods().inNamespace(namespace()).withLabelSelector(selector).list().getItems();
    } catch (KubernetesClientException e) {
      boolean refused = e.getCode() == 400 || e.getCode() == 401 || e.getCode() == 403;
      throw new ClusterResolutionException(
          refused ? Reason.INVALID : Reason.UNREACHABLE,
          "Pods with label "
              + selector
              + " in "
              + (options.allNamespaces() ? "all namespaces" : "namespace " + namespace())
              + " could not be listed at "
              + client.getMasterUrl()
              + (e.getCode() == 403
                  ? "; the program's service account needs permission to list pods there: "
                  : ": ")
              + e.getMessage(),
          e);
    }
  }

  private String namespace() {
    @Nullable String own = client.getNamespace();
    return or(options.namespace(), own == null ? "default" : own);
  }

  private Comparator<Pod> order() {
    Comparator<String> names =
        switch (options.order()) {
          case NAME -> Comparator.naturalOrder();
          case NUMBER -> HostLists.BY_NUMBER;
        };
    return Comparator.comparing((Pod pod) -> pod.getMetadata().getName(), names)
        .thenComparing(pod -> pod.getMetadata().getNamespace());
  }

  private String address(Pod pod) {
    String name = pod.getMetadata().getName();
    @Nullable PodStatus status = pod.getStatus();
    @Nullable String phase = status == null ? null : status.getPhase();
    if (status == null || !"Running".equals(phase)) {
      boolean ended = "Failed".equals(phase) || "Succeeded".equals(phase);
      throw new ClusterResolutionException(
          ended ? Reason.INVALID : Reason.NOT_READY,
          "Pod \"" + name + "\" is not running; phase: \"" + phase + "\"");
    }
    if (pod.getMetadata().getDeletionTimestamp() != null) {
      throw new ClusterResolutionException(
          Reason.NOT_READY, "Pod \"" + name + "\" is being deleted");
    }
    @Nullable String host =
        switch (options.address()) {
          case POD_IP -> status.getPodIP();
          case HOST_IP -> status.getHostIP();
          case SERVICE_NAME -> serviceName(pod);
        };
    if (host == null || host.isEmpty()) {
      throw new ClusterResolutionException(
          Reason.NOT_READY, "Pod \"" + name + "\" runs but has no " + options.address() + " yet");
    }
    return Addresses.join(host, options.port());
  }

  private String serviceName(Pod pod) {
    @Nullable String host = pod.getSpec().getHostname();
    @Nullable String service = pod.getSpec().getSubdomain();
    if (host == null || service == null || host.isEmpty() || service.isEmpty()) {
      throw new ClusterResolutionException(
          Reason.INVALID,
          "Pod \""
              + pod.getMetadata().getName()
              + "\" has no name under a headless service: its spec needs a hostname and a"
              + " subdomain, as the pods of a StatefulSet with a serviceName have");
    }
    return String.join(
        ".", host, service, pod.getMetadata().getNamespace(), "svc", options.clusterDomain());
  }

  @Override
  public Map<String, Integer> numAccelerators(
      @Nullable String askedType, @Nullable Integer askedId) {
    return super.numAccelerators(
        askedType == null ? taskType() : askedType, askedId == null ? taskId() : askedId);
  }
}
