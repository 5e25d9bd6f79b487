package io.sedge.tensor.training.cluster;

import io.sedge.tensor.runtime.ClusterSession;
import java.util.List;

/** The worker that runs a function, for the function, while it runs. */
public final class WorkerContext {
  private final int index;
  private final List<Integer> tasks;
  private final ClusterSession session;
  private final List<Object> arguments;

  WorkerContext(int index, List<Integer> tasks, ClusterSession session, List<Object> arguments) {
    this.index = index;
    this.tasks = tasks;
    this.session = session;
    this.arguments = arguments;
  }

  /** Its task index in job {@code worker}. */
  public int index() {
    return index;
  }

  /** How many workers the cluster has now, those that are away included. */
  public int workers() {
    return tasks.size();
  }

  /** Which of {@link #workers} shards is its own: from 0, in the order of the task indices. */
  public int shard() {
    return Math.max(0, tasks.indexOf(index));
  }

  /** The session on its server. */
  public ClusterSession session() {
    return session;
  }

  /** Runs the coordinator's graph on it. */
  public GraphRunner runner() {
    return GraphRunner.on(session);
  }

  /**
   * An argument that the function was scheduled with; of {@link PerWorkerValues}, this worker's.
   */
  public Object argument(int position) {
    return arguments.get(position);
  }
}
