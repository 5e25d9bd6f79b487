package io.sedge.tensor.runtime;

import io.sedge.tensor.ClusterDeviceFilters;
import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.internal.Addresses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.ServerDef;

/**
 * What a connection is to be, worked out before TensorFlow is asked.
 *
 * @param asked the cluster that was asked for
 * @param cluster the same, with this process in it
 * @param job this process's job
 * @param index its task
 * @param protocol the protocol
 * @param filters the filters; null for none
 */
record ConnectPlan(
    ClusterSpec asked,
    ClusterSpec cluster,
    String job,
    int index,
    String protocol,
    @Nullable ClusterDeviceFilters filters) {

  /**
   * A plan.
   *
   * @throws IllegalArgumentException if this process has a job without a task of its own in it, for
   *     filters of tasks that are not there, and for a network that must be asked for aloud
   */
  static ConnectPlan of(ClusterSpec asked, ConnectOptions options) {
    ClusterSpec cluster = asked;
    if (asked.hasJob(options.job())) {
      asked.taskAddress(options.job(), options.taskIndex());
    } else {
      cluster =
          with(
              asked,
              options.job(),
              options.taskIndex(),
              Addresses.join(options.localHost(), Ports.unused(1).getFirst()));
    }
    if (options.filters() != null) {
      options.filters().checkAgainst(cluster);
    }
    Exposure.check(
        cluster,
        "This process, as task " + options.taskIndex() + " of job '" + options.job() + "',",
        options.insecureNetwork());
    return new ConnectPlan(
        asked, cluster, options.job(), options.taskIndex(), options.protocol(), options.filters());
  }

  private static ClusterSpec with(ClusterSpec cluster, String job, int index, String address) {
    ClusterSpec.Builder builder = ClusterSpec.builder();
    cluster.jobs().forEach(other -> builder.job(other, cluster.tasks(other)));
    return builder.task(job, index, address).build();
  }

  /** This plan for another cluster, in which this process stays what it is, at its address. */
  ConnectPlan withCluster(ClusterSpec other) {
    String address = cluster.taskAddress(job, index);
    if (!other.hasJob(job)) {
      return new ConnectPlan(
          other, with(other, job, index, address), job, index, protocol, filters);
    }
    if (!other.taskAddress(job, index).equals(address)) {
      throw new IllegalArgumentException(
          "This process is task "
              + index
              + " of job '"
              + job
              + "' at "
              + address
              + " and cannot move to "
              + other.taskAddress(job, index)
              + " in an update; connect anew");
    }
    return new ConnectPlan(other, other, job, index, protocol, filters);
  }

  ConnectPlan withFilters(@Nullable ClusterDeviceFilters other) {
    return new ConnectPlan(asked, cluster, job, index, protocol, other);
  }

  /** Whether the same cluster is asked for in the same role. */
  boolean isSameAs(ConnectPlan other) {
    return asked.equals(other.asked)
        && job.equals(other.job)
        && index == other.index
        && protocol.equals(other.protocol);
  }

  String address() {
    return cluster.taskAddress(job, index);
  }

  /** The definition that TensorFlow takes. */
  ServerDef toServerDef(ConfigProto config) {
    ConfigProto.Builder session = config.toBuilder();
    session.getExperimentalBuilder().setCollectiveGroupLeader(leader());
    ServerDef.Builder definition =
        ServerDef.newBuilder()
            .setCluster(cluster.toClusterDef())
            .setJobName(job)
            .setTaskIndex(index)
            .setProtocol(protocol)
            .setDefaultSessionConfig(session);
    if (filters != null) {
      definition.setClusterDeviceFilters(filters.toProto());
    }
    return definition.build();
  }

  /** As in Python: the first task of the last job that is not this process's. */
  private String leader() {
    String leader = job;
    for (String other : cluster.jobs()) {
      leader = other.equals(job) ? leader : other;
    }
    return "/job:" + leader + "/replica:0/task:0";
  }

  /**
   * Waits until somebody listens at the address of every other task.
   *
   * @throws TensorFlowStatusException with code UNAVAILABLE, naming the first that does not in time
   */
  void awaitOthers(Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    for (Map.Entry<String, String> task : others().entrySet()) {
      Duration left = Duration.ofNanos(Math.max(1_000_000, end - System.nanoTime()));
      Peers.await(task.getValue(), task.getKey(), left);
    }
  }

  private Map<String, String> others() {
    Map<String, String> others = new TreeMap<>();
    for (String name : cluster.jobs()) {
      cluster
          .tasks(name)
          .forEach(
              (task, at) -> {
                if (!name.equals(job) || task != index) {
                  others.put("task " + task + " of job '" + name + "'", at);
                }
              });
    }
    return others;
  }

  /** The tasks of this plan that are not in the other, or elsewhere, as device names. */
  List<String> tasksNotIn(ConnectPlan other) {
    List<String> gone = new ArrayList<>();
    for (String name : cluster.jobs()) {
      cluster
          .tasks(name)
          .forEach(
              (task, at) -> {
                boolean stays =
                    other.cluster.hasJob(name) && at.equals(other.cluster.tasks(name).get(task));
                if (!stays) {
                  gone.add("/job:" + name + "/task:" + task);
                }
              });
    }
    return gone;
  }

  /** The task whose address this is, as a device name; null if there is none. */
  @Nullable String taskAt(String address) {
    String bare = address.substring(address.indexOf("://") < 0 ? 0 : address.indexOf("://") + 3);
    @Nullable String found = null;
    for (String name : cluster.jobs()) {
      for (Map.Entry<Integer, String> task : cluster.tasks(name).entrySet()) {
        if (task.getValue().equals(bare)) {
          found = "/job:" + name + "/replica:0/task:" + task.getKey();
        }
      }
    }
    return found;
  }
}
