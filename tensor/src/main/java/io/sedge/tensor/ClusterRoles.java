package io.sedge.tensor;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.tensorflow.proto.ClusterDef;

/**
 * Who does what among the tasks of a cluster that trains: {@code tf.distribute}'s {@code
 * multi_worker_util}. Job {@code chief} leads, {@code worker} works (the first leads where there is
 * no chief), {@code ps} holds variables, {@code evaluator} evaluates beside them. Immutable.
 *
 * @param cluster of these jobs alone
 */
public record ClusterRoles(ClusterSpec cluster) {
  private static final String CHIEF = "chief";
  private static final String WORKER = "worker";
  private static final String PS = "ps";
  private static final String EVALUATOR = "evaluator";
  private static final Set<String> TYPES = new TreeSet<>(List.of(CHIEF, EVALUATOR, PS, WORKER));

  /** Checks that there is at most one chief, and no job besides. */
  public ClusterRoles {
    if (!TYPES.containsAll(cluster.jobs())) {
      throw new IllegalArgumentException(
          "Disallowed task type found in cluster spec. Allowed types are "
              + TYPES
              + " and the cluster spec is "
              + cluster);
    }
    if (count(cluster, CHIEF) > 1) {
      throw new IllegalArgumentException("There must be at most one 'chief' job.");
    }
  }

  /** Of the protocol buffer. */
  public static ClusterRoles of(ClusterDef cluster) {
    return new ClusterRoles(ClusterSpec.from(cluster));
  }

  private static int count(ClusterSpec cluster, String job) {
    return cluster.hasJob(job) ? cluster.numTasks(job) : 0;
  }

  /**
   * Whether a task leads: the chief, an evaluator, or the first worker where there is no chief.
   *
   * @throws IllegalArgumentException if it is no task of the cluster
   */
  public boolean isChief(String type, int index) {
    check(type, index);
    return type.equals(CHIEF)
        || type.equals(EVALUATOR)
        || (type.equals(WORKER) && index == 0 && count(cluster, CHIEF) == 0);
  }

  /**
   * How many tasks work together with one of a type: chief and workers, or evaluators.
   *
   * @throws IllegalArgumentException for {@code ps}, and a type that the cluster has not
   */
  public int workerCount(String type) {
    if (type.equals(PS)) {
      throw new IllegalArgumentException("Unexpected `task_type` 'ps'");
    }
    check(type, 0);
    return type.equals(EVALUATOR)
        ? count(cluster, EVALUATOR)
        : count(cluster, CHIEF) + count(cluster, WORKER);
  }

  /**
   * A task's number among those that work together: the chief's is 0, then come the workers;
   * evaluators have their own.
   *
   * @throws IllegalArgumentException for {@code ps}, and if it is no task of the cluster
   */
  public int idInCluster(String type, int index) {
    if (type.equals(PS)) {
      throw new IllegalArgumentException("There is no id for task_type 'ps'");
    }
    check(type, index);
    return type.equals(WORKER) ? count(cluster, CHIEF) + index : index;
  }

  /**
   * The device name of the task that leads collective operations; empty for an evaluator, and where
   * there is but this process.
   *
   * @param type the type of the task that asks; null where it is none
   */
  public String collectiveLeader(@Nullable String type) {
    if (cluster.isEmpty() || EVALUATOR.equals(type)) {
      return "";
    }
    return name(count(cluster, CHIEF) > 0 ? CHIEF : WORKER);
  }

  /**
   * The device name of the task that the others find each other by: the first parameter server,
   * else the chief, else the first worker; empty where there is but this process.
   */
  public String coordinationLeader() {
    if (cluster.isEmpty()) {
      return "";
    }
    return count(cluster, PS) > 0 ? name(PS) : collectiveLeader(null);
  }

  private static String name(String job) {
    return "/job:" + job + "/replica:0/task:0";
  }

  private void check(String type, int index) {
    if (!TYPES.contains(type)) {
      throw new IllegalArgumentException(
          "Unrecognized task_type: " + type + ", valid task types are: " + TYPES);
    }
    if (count(cluster, type) == 0) {
      throw new IllegalArgumentException("`task_type` '" + type + "' not found in cluster_spec.");
    }
    if (index < 0 || index >= count(cluster, type)) {
      throw new IllegalArgumentException(
          "The `task_id` " + index + " exceeds the maximum id of " + type + ".");
    }
  }
}
