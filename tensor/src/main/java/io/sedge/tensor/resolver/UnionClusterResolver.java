package io.sedge.tensor.resolver;

import io.sedge.tensor.ClusterResolutionException.Reason;
import io.sedge.tensor.ClusterResolver;
import io.sedge.tensor.ClusterSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Several resolvers as one. Like TensorFlow's {@code UnionResolver}.
 *
 * <p>Tasks of a job that is dense in every resolver are numbered in the order of the resolvers.
 * Where it is sparse in one, all keep their indices, and an index that occurs twice is refused; so
 * is an address that occurs twice. What the settings do not say is the first resolver's.
 */
public final class UnionClusterResolver extends SettledResolver {
  private final List<ClusterResolver> resolvers;

  /** The union of at least one resolver. */
  public UnionClusterResolver(ClusterResolver... resolvers) {
    this(List.of(resolvers), ResolverSettings.defaults());
  }

  /**
   * The union of resolvers, with settings of its own.
   *
   * @throws IllegalArgumentException without any resolver
   */
  public UnionClusterResolver(List<ClusterResolver> resolvers, ResolverSettings settings) {
    super(settings);
    this.resolvers = List.copyOf(resolvers);
    if (this.resolvers.isEmpty()) {
      throw new IllegalArgumentException("At least one ClusterResolver is required.");
    }
  }

  @Override
  public ClusterSpec clusterSpec() {
    Map<String, List<Object>> partsByJob = new LinkedHashMap<>();
    for (ClusterResolver resolver : resolvers) {
      resolver
          .clusterSpec()
          .asMap()
          .forEach(
              (job, tasks) ->
                  partsByJob.computeIfAbsent(job, name -> new ArrayList<>()).add(tasks));
    }
    ClusterSpec.Builder union = ClusterSpec.builder();
    return translate(
        "The union of " + resolvers.size() + " resolvers",
        Reason.INVALID,
        () -> {
          partsByJob.forEach((job, parts) -> add(union, job, parts));
          return union.build();
        });
  }

  private static void add(ClusterSpec.Builder union, String job, List<Object> parts) {
    boolean dense = parts.stream().allMatch(UnionClusterResolver::isDenseOrEmpty);
    SortedMap<Integer, String> merged = new TreeMap<>();
    for (Object part : parts) {
      int first = dense ? merged.size() : 0;
      indexed(part).forEach((index, address) -> put(merged, job, first + index, address));
    }
    union.job(job, merged);
  }

  private static boolean isDenseOrEmpty(Object part) {
    return part instanceof List<?> || (part instanceof Map<?, ?> tasks && tasks.isEmpty());
  }

  /** The tasks of a job in the form of {@link ClusterSpec#asMap}, by index. */
  private static Map<Integer, String> indexed(Object part) {
    Map<Integer, String> tasks = new TreeMap<>();
    if (part instanceof List<?> addresses) {
      addresses.forEach(address -> tasks.put(tasks.size(), (String) address));
    } else if (part instanceof Map<?, ?> addresses) {
      addresses.forEach((index, address) -> tasks.put((Integer) index, (String) address));
    }
    return tasks;
  }

  private static void put(
      SortedMap<Integer, String> merged, String job, int index, String address) {
    @Nullable String other = merged.putIfAbsent(index, address);
    if (other != null) {
      throw new IllegalArgumentException(
          "Duplicate keys detected when merging two ClusterSpecs: task "
              + index
              + " of job '"
              + job
              + "' is both '"
              + other
              + "' and '"
              + address
              + "'");
    }
  }

  /**
   * The address of the task asked for, from the union, if both type and index are given; else the
   * first resolver's master.
   */
  @Override
  public String master(
      @Nullable String taskType, @Nullable Integer taskId, @Nullable String rpcLayer) {
    @Nullable String ownLayer = rpcLayer == null ? settings.rpcLayer() : rpcLayer;
    return taskType == null || taskId == null
        ? resolvers.getFirst().master(null, null, ownLayer)
        : url(rpcLayer, address(clusterSpec(), "The union", Reason.INVALID, taskType, taskId));
  }

  @Override
  public Map<String, Integer> numAccelerators(@Nullable String taskType, @Nullable Integer taskId) {
    return resolvers.getFirst().numAccelerators(taskType, taskId);
  }

  @Override
  public @Nullable String taskType() {
    return settings.taskType() == null ? resolvers.getFirst().taskType() : settings.taskType();
  }

  @Override
  public @Nullable Integer taskId() {
    return settings.taskId() == null ? resolvers.getFirst().taskId() : settings.taskId();
  }

  @Override
  public @Nullable String rpcLayer() {
    return settings.rpcLayer() == null ? resolvers.getFirst().rpcLayer() : settings.rpcLayer();
  }

  @Override
  public String environment() {
    return settings.environment().isEmpty()
        ? resolvers.getFirst().environment()
        : settings.environment();
  }

  @Override
  public UnionClusterResolver withTask(@Nullable String taskType, @Nullable Integer taskId) {
    return new UnionClusterResolver(resolvers, settings.withTask(taskType, taskId));
  }

  @Override
  public UnionClusterResolver withRpcLayer(@Nullable String rpcLayer) {
    return new UnionClusterResolver(resolvers, settings.withRpcLayer(rpcLayer));
  }
}
