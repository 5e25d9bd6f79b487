package io.sedge.tensor.training.cluster;

/** Is told what happens to a cluster's tasks. May be called by any thread; must not take long. */
@FunctionalInterface
public interface ClusterListener {
  /** A task was lost, is back, or variables were restored. */
  void happened(String what);
}
