package io.sedge.tensor.training.cluster;

import io.sedge.tensor.ClusterResolver;
import io.sedge.tensor.ClusterSpec;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.tensorflow.Graph;

/**
 * Which task does what, and where variables are: {@code tf.distribute.ParameterServerStrategy}.
 * Variables are on the tasks of job {@code ps}, steps run on those of job {@code worker}, and the
 * coordinator is the task of job {@code chief}, or none. Immutable.
 */
public final class ParameterServerStrategy {
  /** The job that has the variables. */
  public static final String PS = "ps";

  /** The job that runs the steps. */
  public static final String WORKER = "worker";

  /** The job of the coordinator. */
  public static final String CHIEF = "chief";

  /** The job that evaluates beside the cluster. */
  public static final String EVALUATOR = "evaluator";

  private static final Set<String> TASK_TYPES =
      new TreeSet<>(List.of(CHIEF, EVALUATOR, PS, WORKER));

  /** How the next variable finds its parameter server. */
  public enum Placement {
    /** One after the other, whatever their size: TensorFlow's way. */
    ROUND_ROBIN,
    /** Where the fewest bytes are so far. */
    BY_SIZE
  }

  private final ClusterSpec cluster;
  private final Partitioner partitioner;
  private final Placement placement;

  private ParameterServerStrategy(
      ClusterSpec cluster, Partitioner partitioner, Placement placement) {
    this.cluster = cluster;
    this.partitioner = partitioner;
    this.placement = placement;
  }

  /**
   * A strategy for a cluster, with whole variables one after the other.
   *
   * @throws IllegalArgumentException unless there are a {@code ps} and a {@code worker}, at most
   *     one {@code chief}, and no other job
   */
  public static ParameterServerStrategy of(ClusterSpec cluster) {
    check(cluster);
    return new ParameterServerStrategy(cluster, Partitioner.none(), Placement.ROUND_ROBIN);
  }

  /**
   * A strategy for the cluster that a resolver finds now.
   *
   * @throws IllegalArgumentException as {@link #of(ClusterSpec)}, and if the resolver's task is not
   *     of the cluster
   */
  public static ParameterServerStrategy of(ClusterResolver resolver) {
    ClusterSpec cluster = resolver.clusterSpec();
    check(cluster);
    String type = resolver.taskType();
    if (type != null) {
      checkTask(cluster, type, resolver.taskId());
    }
    return new ParameterServerStrategy(cluster, Partitioner.none(), Placement.ROUND_ROBIN);
  }

  static void check(ClusterSpec cluster) {
    if (cluster.isEmpty()) {
      throw new IllegalArgumentException(
          "Cluster spec must be non-empty in `tf.distribute.cluster_resolver.ClusterResolver`.");
    }
    if (!TASK_TYPES.containsAll(cluster.jobs())) {
      throw new IllegalArgumentException(
          "Disallowed task type found in cluster spec. Allowed types are "
              + TASK_TYPES
              + " and the cluster spec is "
              + cluster);
    }
    if (tasks(cluster, CHIEF) > 1) {
      throw new IllegalArgumentException("There must be at most one 'chief' job.");
    }
    if (tasks(cluster, PS) == 0) {
      throw new IllegalArgumentException("There must be at least one ps.");
    }
    if (tasks(cluster, WORKER) == 0) {
      throw new IllegalArgumentException("There must be at least one worker.");
    }
  }

  private static void checkTask(ClusterSpec cluster, String type, @Nullable Integer id) {
    if (!TASK_TYPES.contains(type)) {
      throw new IllegalArgumentException(
          "Unrecognized task_type: " + type + ", valid task types are: " + TASK_TYPES);
    }
    if (!cluster.hasJob(type)) {
      if (type.equals(EVALUATOR)) {
        return;
      }
      throw new IllegalArgumentException("`task_type` '" + type + "' not found in cluster_spec.");
    }
    if (id == null) {
      throw new IllegalArgumentException(
          "The resolver says that this is a task of job '"
              + type
              + "', and not which: its task_id is one of "
              + cluster.taskIndices(type));
    }
    if (!cluster.taskIndices(type).contains(id)) {
      throw new IllegalArgumentException(
          "The `task_id` " + id + " exceeds the maximum id of " + type + ".");
    }
  }

  private static int tasks(ClusterSpec cluster, String job) {
    return cluster.hasJob(job) ? cluster.numTasks(job) : 0;
  }

  /** The same with variables that are cut. */
  public ParameterServerStrategy withPartitioner(Partitioner other) {
    return new ParameterServerStrategy(cluster, other, placement);
  }

  /** The same with another way to place variables. */
  public ParameterServerStrategy withPlacement(Placement other) {
    return new ParameterServerStrategy(cluster, partitioner, other);
  }

  /** The cluster, without the evaluator, for which nobody must wait. */
  public ClusterSpec cluster() {
    return cluster.hasJob(EVALUATOR) ? cluster.withoutJob(EVALUATOR) : cluster;
  }

  /** The number of parameter servers. */
  public int parameterServers() {
    return cluster.numTasks(PS);
  }

  /** The number of workers with which training begins. */
  public int workers() {
    return cluster.numTasks(WORKER);
  }

  /** Makes the variables of a graph, one graph a strategy's variables. */
  public Variables variables(Graph graph) {
    VariablePlacer placer =
        switch (placement) {
          case ROUND_ROBIN -> VariablePlacer.roundRobin(parameterServers());
          case BY_SIZE -> VariablePlacer.bySize(parameterServers());
        };
    return Variables.placed(graph, partitioner, placer);
  }

  @Override
  public String toString() {
    return "ParameterServerStrategy("
        + parameterServers()
        + " ps, "
        + workers()
        + " workers, "
        + placement
        + ")";
  }
}
