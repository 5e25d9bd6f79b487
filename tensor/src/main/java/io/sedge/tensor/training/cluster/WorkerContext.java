package io.sedge.tensor.training.cluster;

import io.sedge.tensor.runtime.ClusterSession;
import java.util.List;

/** The worker that runs a function, for the function, while it runs. */
public final class WorkerContext {
  private final int index;
  private final int workers;
  private final ClusterSession session;
  private final List<Object> arguments;

  WorkerContext(int index, int workers, ClusterSession session, List<Object> arguments) {
    this.index = index;
    this.workers = workers;
    this.session = session;
    this.arguments = arguments;
  }

  /** Its task index in job {@code worker}. */
  public int index() {
    return index;
  }

  /** How many workers the cluster has, those that are away included. */
  public int workers() {
    return workers;
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
