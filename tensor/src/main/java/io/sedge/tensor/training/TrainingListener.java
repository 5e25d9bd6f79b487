package io.sedge.tensor.training;

/** Is told how a training goes. Called by one thread at a time; must not take long. */
@FunctionalInterface
public interface TrainingListener {
  /**
   * A gradient was applied.
   *
   * @param step how many were applied by now
   * @param loss the mean over the examples that it was of
   * @param examples how many those were
   */
  void applied(long step, double loss, int examples);

  /** Something else worth a line happened: a task was lost or is back, a checkpoint was written. */
  default void happened(String what) {}

  /** Not interested. */
  static TrainingListener none() {
    return (step, loss, examples) -> {};
  }
}
