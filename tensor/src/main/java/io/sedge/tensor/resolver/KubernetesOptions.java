package io.sedge.tensor.resolver;

import io.sedge.tensor.internal.Addresses;
import io.sedge.tensor.internal.JobNames;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which pods a {@link KubernetesClusterResolver} takes for tasks. Immutable.
 *
 * @param selectorsByJob label selectors whose pods are the tasks of a job; the pods of each
 *     selector are sorted and then follow those of the selector before
 * @param port the port of every task
 * @param namespace where to look; null: the client's own
 * @param allNamespaces looks everywhere, which needs a permission for the whole cluster
 * @param address which address of a pod to use
 * @param clusterDomain the end of names of services
 * @param order how the pods of a selector are sorted
 */
public record KubernetesOptions(
    Map<String, List<String>> selectorsByJob,
    int port,
    @Nullable String namespace,
    boolean allNamespaces,
    Address address,
    String clusterDomain,
    Order order) {
  private static final int DEFAULT_PORT = 8470;

  /** Which address of a pod a task has. */
  public enum Address {
    /** The pod's own, which other pods can reach. */
    POD_IP,
    /** That of the node, as TensorFlow's resolver does; pods must use the network of their node. */
    HOST_IP,
    /**
     * The pod's name under its headless service, which outlives the pod: that of its {@code
     * hostname} and {@code subdomain}, which a StatefulSet gives its pods.
     */
    SERVICE_NAME
  }

  /** How pods are sorted. */
  public enum Order {
    /** By name as a string, as TensorFlow's resolver does: worker-10 before worker-2. */
    NAME,
    /** By name with numbers compared as numbers: task indices are a StatefulSet's ordinals. */
    NUMBER
  }

  /** Checks names and port. */
  public KubernetesOptions {
    Map<String, List<String>> copy = new LinkedHashMap<>();
    selectorsByJob.forEach(
        (job, selectors) -> copy.put(JobNames.check(job), List.copyOf(selectors)));
    selectorsByJob = Collections.unmodifiableMap(copy);
    Addresses.checkPort(port, "Port");
  }

  /**
   * Workers are the pods labelled {@code job-name=tensorflow} in the client's namespace, at their
   * own addresses, port {@value #DEFAULT_PORT}.
   */
  public static KubernetesOptions defaults() {
    return new KubernetesOptions(
        Map.of("worker", List.of("job-name=tensorflow")),
        DEFAULT_PORT,
        null,
        false,
        Address.POD_IP,
        "cluster.local",
        Order.NAME);
  }

  /** These options with other jobs. */
  public KubernetesOptions withSelectors(Map<String, List<String>> selectors) {
    return new KubernetesOptions(
        selectors, port, namespace, allNamespaces, address, clusterDomain, order);
  }

  /** These options with another port. */
  public KubernetesOptions withPort(int otherPort) {
    return new KubernetesOptions(
        selectorsByJob, otherPort, namespace, allNamespaces, address, clusterDomain, order);
  }

  /** These options for one namespace. */
  public KubernetesOptions withNamespace(String name) {
    return new KubernetesOptions(selectorsByJob, port, name, false, address, clusterDomain, order);
  }

  /** These options for all namespaces. */
  public KubernetesOptions withAllNamespaces() {
    return new KubernetesOptions(selectorsByJob, port, null, true, address, clusterDomain, order);
  }

  /** These options with another address of the pods. */
  public KubernetesOptions withAddress(Address other) {
    return new KubernetesOptions(
        selectorsByJob, port, namespace, allNamespaces, other, clusterDomain, order);
  }

  /** These options with another end of names of services. */
  public KubernetesOptions withClusterDomain(String domain) {
    return new KubernetesOptions(
        selectorsByJob, port, namespace, allNamespaces, address, domain, order);
  }

  /** These options with another order. */
  public KubernetesOptions withOrder(Order other) {
    return new KubernetesOptions(
        selectorsByJob, port, namespace, allNamespaces, address, clusterDomain, other);
  }
}
