package io.sedge.tensor.training.cluster;

import java.util.List;
import java.util.concurrent.CancellationException;

/** A scheduled function, its arguments, and where its value goes. */
final class Closure<T> implements ClosureQueue.Cancellable {
  private final WorkerFunction<T> function;
  private final List<Object> arguments;
  private final RemoteValue<T> value = new RemoteValue<>();
  private int failures;

  Closure(WorkerFunction<T> function, List<Object> arguments) {
    this.function = function;
    this.arguments = arguments;
  }

  RemoteValue<T> value() {
    return value;
  }

  List<Object> arguments() {
    return arguments;
  }

  T call(WorkerContext worker) throws Exception {
    return function.run(worker);
  }

  /** One more failure without a lost server; how many there were. */
  int countFailure() {
    return ++failures;
  }

  void fail(Throwable error) {
    if (error instanceof CancellationException) {
      value.cancel();
    } else {
      value.fail(error);
    }
  }

  @Override
  public void cancelled() {
    value.cancel();
  }
}
