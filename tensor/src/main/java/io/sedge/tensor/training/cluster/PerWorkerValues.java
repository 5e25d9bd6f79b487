package io.sedge.tensor.training.cluster;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A value for each worker, an iterator over its shard of the data for example, made by a function
 * when the worker first needs it. A worker that was lost and is back has a new one.
 *
 * @param <T> the value
 */
public final class PerWorkerValues<T> {
  /**
   * Makes a worker's value.
   *
   * @param <T> the value
   */
  @FunctionalInterface
  public interface Factory<T> {
    /** Runs where the functions of the worker run. */
    T make(WorkerContext worker) throws Exception;
  }

  private record Made(Object session, Object value) {}

  private final Factory<T> factory;
  private final Map<Integer, Made> values = new ConcurrentHashMap<>();

  PerWorkerValues(Factory<T> factory) {
    this.factory = factory;
  }

  /** The value of a worker; a new one if its session is not the one that it was made for. */
  Object of(WorkerContext worker) {
    Made made = values.get(worker.index());
    if (made == null || made.session() != worker.session()) {
      try {
        made = new Made(worker.session(), factory.make(worker));
      } catch (io.sedge.tensor.runtime.TensorFlowStatusException e) {
        throw e;
      } catch (Exception e) {
        throw new ClosureInputException(
            "what worker " + worker.index() + " needs could not be made: " + e.getMessage(), e);
      }
      values.put(worker.index(), made);
    }
    return made.value();
  }
}
