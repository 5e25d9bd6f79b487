package io.sedge.tensor.training;

/**
 * How a model is trained.
 *
 * @param steps how many times a gradient is applied, 1 and more
 * @param batchSize examples of a gradient; 0 for a worker's whole shard
 * @param shuffled whether each epoch goes through the examples in an order of its own
 * @param seed of that order
 * @param mode whether workers wait for each other
 * @param backupWorkers of a synchronous step, how many workers need not have finished; 0 and more
 */
public record TrainingOptions(
    long steps, int batchSize, boolean shuffled, long seed, Mode mode, int backupWorkers) {
  /** Whether workers wait for each other. */
  public enum Mode {
    /** Each applies its gradient at once, to whatever the variables are by then. */
    ASYNCHRONOUS,
    /** The mean of the workers' gradients is applied once all, but the backup workers, have one. */
    SYNCHRONOUS
  }

  /** Checks. */
  public TrainingOptions {
    if (steps < 1 || batchSize < 0 || backupWorkers < 0) {
      throw new IllegalArgumentException(
          "steps %d, batch size %d, backup workers %d; the first is 1 or more, the others 0 or more"
              .formatted(steps, batchSize, backupWorkers));
    }
    if (backupWorkers > 0 && mode == Mode.ASYNCHRONOUS) {
      throw new IllegalArgumentException(
          "backup workers are of synchronous training; asynchronous workers wait for nobody");
    }
  }

  /** Asynchronous, shuffled by seed 1. */
  public static TrainingOptions asynchronous(long steps, int batchSize) {
    return new TrainingOptions(steps, batchSize, true, 1, Mode.ASYNCHRONOUS, 0);
  }

  /** Synchronous, every example in every step: gradient descent as in a textbook. */
  public static TrainingOptions wholeShards(long steps) {
    return new TrainingOptions(steps, 0, false, 1, Mode.SYNCHRONOUS, 0);
  }
}
