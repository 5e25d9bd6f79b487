package io.sedge.tensor.training;

import io.sedge.tensor.training.cluster.GraphRunner.Feed;
import io.sedge.tensor.training.cluster.WorkerContext;
import java.util.List;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.op.Op;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.family.TFloating;

/**
 * What a gradient was of.
 *
 * @param lossSum the losses of its examples, added
 */
record StepResult(double lossSum, int examples) {
  /** Computes one on a worker; asks for the number of examples where it is 0. */
  static <T extends TFloating> StepResult of(
      TrainingGraph<T> training, WorkerContext worker, List<Feed> feeds, Op target, int known) {
    List<Operand<?>> fetches =
        known > 0 ? List.of(training.lossSum()) : List.of(training.lossSum(), training.examples());
    try (Result result = worker.runner().run(feeds, fetches, List.of(target))) {
      int count = known > 0 ? known : Math.toIntExact(((TInt64) result.get(1)).getLong());
      return new StepResult(training.numbers().read(result.get(0))[0], count);
    }
  }
}
