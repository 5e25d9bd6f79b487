package io.sedge.tensor.resolver;

import com.fasterxml.jackson.databind.JsonNode;
import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.internal.Addresses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A resolver for training jobs of Amazon SageMaker, which tells hosts by the environment variables
 * {@code SM_HOSTS} and {@code SM_CURRENT_HOST}. Like TensorFlow's {@code SageMakerClusterResolver}:
 * every host is a task of job {@code worker}, numbered in the order of the names as strings.
 */
public final class SageMakerClusterResolver extends SettledResolver {
  /** The port of TensorFlow's resolver. */
  public static final int DEFAULT_PORT = 2223;

  private static final String HOSTS = "SM_HOSTS";
  private static final String CURRENT = "SM_CURRENT_HOST";
  private static final String WORKER = "worker";

  private final Environment variables;
  private final int port;

  /** A resolver for the default port that finds the rest in the variables. */
  public SageMakerClusterResolver(Environment variables) {
    this(variables, DEFAULT_PORT, ResolverSettings.defaults());
  }

  /**
   * A resolver whose settings, where set, win over the variables.
   *
   * @throws IllegalArgumentException if the port is not from 1 to 65535
   */
  public SageMakerClusterResolver(Environment variables, int port, ResolverSettings settings) {
    super(settings);
    this.variables = variables;
    this.port = Addresses.checkPort(port, "Port");
  }

  @Override
  public ClusterSpec clusterSpec() {
    return hosts().spec(port);
  }

  @Override
  public String master(
      @Nullable String askedType, @Nullable Integer askedId, @Nullable String rpcLayer) {
    Hosts hosts = hosts();
    String address =
        masterOfWhole(
            hosts.spec(port),
            HOSTS,
            askedType == null ? taskType(hosts) : askedType,
            askedId == null ? taskId(hosts) : askedId);
    return address.isEmpty() ? "" : url(rpcLayer, address);
  }

  @Override
  public Map<String, Integer> numAccelerators(
      @Nullable String askedType, @Nullable Integer askedId) {
    Hosts hosts = hosts();
    return super.numAccelerators(
        askedType == null ? taskType(hosts) : askedType, askedId == null ? taskId(hosts) : askedId);
  }

  @Override
  public @Nullable String taskType() {
    return taskType(hosts());
  }

  @Override
  public @Nullable Integer taskId() {
    return taskId(hosts());
  }

  @Override
  public SageMakerClusterResolver withTask(@Nullable String taskType, @Nullable Integer taskId) {
    return new SageMakerClusterResolver(variables, port, settings.withTask(taskType, taskId));
  }

  @Override
  public SageMakerClusterResolver withRpcLayer(@Nullable String rpcLayer) {
    return new SageMakerClusterResolver(variables, port, settings.withRpcLayer(rpcLayer));
  }

  private @Nullable String taskType(Hosts hosts) {
    return settings.taskType() == null && hosts.current() >= 0 ? WORKER : settings.taskType();
  }

  private @Nullable Integer taskId(Hosts hosts) {
    return settings.taskId() == null && hosts.current() >= 0
        ? Integer.valueOf(hosts.current())
        : settings.taskId();
  }

  private Hosts hosts() {
    @Nullable String json = variables.get(HOSTS);
    @Nullable String current = variables.get(CURRENT);
    if (json == null || current == null) {
      throw new ClusterResolutionException(
          Reason.ABSENT,
          "Not a SageMaker Environment: " + (json == null ? HOSTS : CURRENT) + " is not set");
    }
    List<String> names = json.isEmpty() ? List.of() : names(json);
    if (current.isEmpty()) {
      return new Hosts(List.of(), -1);
    }
    if (!names.contains(current)) {
      throw new ClusterResolutionException(
          Reason.INVALID, CURRENT + " is '" + current + "', which is not in " + HOSTS + "=" + json);
    }
    return new Hosts(names, names.indexOf(current));
  }

  private static List<String> names(String json) {
    JsonNode node = Json.read(json, HOSTS, Reason.INVALID);
    List<String> names = new ArrayList<>();
    for (JsonNode item : node) {
      if (item.isTextual()) {
        names.add(item.textValue());
      }
    }
    if (!node.isArray() || names.size() < node.size()) {
      throw new ClusterResolutionException(
          Reason.INVALID, HOSTS + " is not a list of host names, but " + json);
    }
    names.sort(null);
    return names;
  }

  /** The hosts in their order, and the place of this one; none and -1 where it has no name. */
  private record Hosts(List<String> names, int current) {
    ClusterSpec spec(int port) {
      if (names.isEmpty()) {
        return ClusterSpec.empty();
      }
      List<String> addresses = names.stream().map(name -> Addresses.join(name, port)).toList();
      return translate(
          HOSTS, Reason.INVALID, () -> ClusterSpec.builder().job(WORKER, addresses).build());
    }
  }
}
