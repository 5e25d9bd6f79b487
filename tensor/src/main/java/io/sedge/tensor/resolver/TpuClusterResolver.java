package io.sedge.tensor.resolver;

import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.internal.JobNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A resolver for TPUs whose addresses are known: given, or in the environment variables that Google
 * Kubernetes Engine sets ({@code KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS}, else {@code TPU_NAME}). Like
 * TensorFlow's {@code TPUClusterResolver}, except that names are not looked up with Google's TPU
 * service.
 *
 * <p>Addresses are separated by commas; each may begin with {@code grpc://}, and a port that is
 * missing is {@value #DEFAULT_PORT}. The word {@code local} stands for the TPU of this machine.
 */
public final class TpuClusterResolver extends SettledResolver {
  /** The port of a TPU's server. */
  public static final int DEFAULT_PORT = 8470;

  private static final String GRPC = "grpc://";
  private static final String LOCAL = "local";
  private static final String ENDPOINTS = "KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS";
  private static final String NAME = "TPU_NAME";

  private final Environment variables;
  private final Target target;
  private final Coordinator coordinator;

  /** Which TPU: null for that of the environment, else {@code grpc://} addresses, or a word. */
  private record Target(@Nullable String tpu, String job) {}

  /** The job of one task that coordinates; null for none. */
  private record Coordinator(@Nullable String name, @Nullable String address) {}

  /** A resolver for the TPU that the environment names. */
  public TpuClusterResolver(Environment variables) {
    this(variables, null, ResolverSettings.defaults());
  }

  /**
   * A resolver for a TPU.
   *
   * @param tpu {@code grpc://} addresses separated by commas, or {@code local}; null: that of the
   *     environment
   * @param settings their task type, where set, is the name of the TPU's job, else {@code worker}
   * @throws IllegalArgumentException if {@code tpu} is empty
   */
  public TpuClusterResolver(
      Environment variables, @Nullable String tpu, ResolverSettings settings) {
    this(
        variables,
        new Target(tpu, or(settings.taskType(), "worker")),
        new Coordinator(null, null),
        settings);
  }

  private TpuClusterResolver(
      Environment variables, Target target, Coordinator coordinator, ResolverSettings settings) {
    super(settings);
    this.variables = variables;
    this.target = target;
    this.coordinator = coordinator;
    if (target.tpu() != null && target.tpu().isEmpty()) {
      throw new IllegalArgumentException("Please provide a TPU Name to connect to.");
    }
  }

  /**
   * This resolver with a job of one task besides the TPU's.
   *
   * @param address the task's, which the caller's own server has
   */
  public TpuClusterResolver withCoordinator(String name, String address) {
    return new TpuClusterResolver(
        variables, target, new Coordinator(JobNames.check(name), address), settings);
  }

  @Override
  public ClusterSpec clusterSpec() {
    String tpu = tpu();
    if (tpu.equals(LOCAL)) {
      return ClusterSpec.empty();
    }
    return translate(
        "The TPU's addresses",
        Reason.INVALID,
        () -> {
          ClusterSpec.Builder cluster = ClusterSpec.builder().job(target.job(), addresses(tpu));
          if (coordinator.name() != null && coordinator.address() != null) {
            cluster.job(coordinator.name(), coordinator.address());
          }
          return cluster.build();
        });
  }

  /** The address of the task asked for, else of this one, else of the TPU's first. */
  @Override
  public String master(
      @Nullable String askedType, @Nullable Integer askedId, @Nullable String rpcLayer) {
    ClusterSpec cluster = clusterSpec();
    if (cluster.isEmpty()) {
      return "";
    }
    return askedType == null || askedId == null
        ? url(cluster, target.job(), or(taskId(), 0))
        : url(cluster, askedType, askedId);
  }

  private static String url(ClusterSpec cluster, String taskType, int taskId) {
    return GRPC + address(cluster, "The TPU", Reason.INVALID, taskType, taskId);
  }

  /**
   * How many cores each host of the TPU has.
   *
   * @throws ClusterResolutionException if they are not the same for all
   */
  @Override
  public Map<String, Integer> numAccelerators(@Nullable String taskType, @Nullable Integer taskId) {
    return Map.of("TPU", TpuCores.of(devices().deviceNames()).perHost());
  }

  /** The job of the TPU's tasks. */
  @Override
  public String taskType() {
    return target.job();
  }

  @Override
  public String rpcLayer() {
    return or(settings.rpcLayer(), "grpc");
  }

  @Override
  public TpuClusterResolver withTask(@Nullable String taskType, @Nullable Integer taskId) {
    ResolverSettings changed = settings.withTask(taskType, taskId);
    return new TpuClusterResolver(
        variables, new Target(target.tpu(), or(taskType, "worker")), coordinator, changed);
  }

  @Override
  public TpuClusterResolver withRpcLayer(@Nullable String rpcLayer) {
    return new TpuClusterResolver(variables, target, coordinator, settings.withRpcLayer(rpcLayer));
  }

  /** The addresses with their prefix, or a word. */
  private String tpu() {
    if (target.tpu() != null) {
      return checked(target.tpu());
    }
    @Nullable String endpoints = variables.get(ENDPOINTS);
    if (endpoints != null && !endpoints.isEmpty()) {
      return endpoints;
    }
    @Nullable String name = variables.get(NAME);
    if (name == null || name.isEmpty()) {
      throw new ClusterResolutionException(
          Reason.ABSENT,
          "Please provide a TPU Name to connect to: none is given, and neither "
              + ENDPOINTS
              + " nor "
              + NAME
              + " is set");
    }
    return checked(name);
  }

  private static String checked(String tpu) {
    if (!tpu.equals(LOCAL) && !tpu.startsWith(GRPC)) {
      throw new ClusterResolutionException(
          Reason.INVALID,
          "Could not lookup TPU metadata from name '"
              + tpu
              + "': names are not looked up; give the addresses, as in grpc://10.1.2.3:"
              + DEFAULT_PORT);
    }
    return tpu;
  }

  private static List<String> addresses(String tpu) {
    List<String> addresses = new ArrayList<>();
    for (String part : tpu.split(",", -1)) {
      String endpoint = part.strip();
      String address = endpoint.startsWith(GRPC) ? endpoint.substring(GRPC.length()) : endpoint;
      boolean hasPort = address.lastIndexOf(':') > address.lastIndexOf(']');
      addresses.add(hasPort ? address : address + ":" + DEFAULT_PORT);
    }
    return addresses;
  }
}
