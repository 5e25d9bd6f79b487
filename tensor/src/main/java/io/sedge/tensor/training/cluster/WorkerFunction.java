package io.sedge.tensor.training.cluster;

/**
 * What a worker is asked to run. It runs at least once: if its worker is lost, another runs it
 * again, and what it did before may have had its effect.
 *
 * @param <T> what it gives: values of its own, no tensors that are closed with the step
 */
@FunctionalInterface
public interface WorkerFunction<T> {
  /**
   * Runs on a worker; blocks its thread.
   *
   * @throws Exception an error of its own, which cancels all other functions
   */
  T run(WorkerContext worker) throws Exception;
}
