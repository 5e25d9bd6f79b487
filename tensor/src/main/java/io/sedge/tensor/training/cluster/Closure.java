package io.sedge.tensor.training.cluster;

import java.util.List;
import java.util.concurrent.CancellationException;

/** A scheduled function, its arguments, and where its value goes. */
final class Closure<T> implements ClosureQueue.Cancellable {
  /** For whichever worker is free. */
  static final int ANY = -1;

  private final int tag;
  private final WorkerFunction<T> function;
  private final List<Object> arguments;
  private final RemoteValue<T> value;
  private int failures;

  Closure(int tag, WorkerFunction<T> function, List<Object> arguments, Counts counts) {
    this.tag = tag;
    this.function = function;
    this.arguments = arguments;
    this.value = new RemoteValue<>(counts);
  }

  /** Whether it is for one worker alone. */
  boolean isTagged() {
    return tag != ANY;
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
