package io.sedge.connector.mqtt.internal;

import io.reactivex.Flowable;
import io.reactivex.Single;
import io.reactivex.disposables.CompositeDisposable;
import io.reactivex.disposables.Disposable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * What the HiveMQ client has been asked for and has not ended. It keeps its thread for each of them
 * for as long as the session may last, which can be days after the last disconnection, or for ever
 * (MQTT 3.1.1). Any thread.
 */
final class Flows {
  private final CompositeDisposable open = new CompositeDisposable();

  /** Hands on what comes, until {@link #end}. */
  <T> void receive(Flowable<T> messages, Consumer<T> consumer) {
    // Failures are those of the connection, which its listeners hear of.
    open.add(messages.subscribe(consumer::accept, _ -> {}));
  }

  /** Completes with the answer, or never if the {@link #end} comes before it. */
  <T> CompletableFuture<T> answer(Single<T> asked) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Disposable flow = asked.subscribe(answer::complete, answer::completeExceptionally);
    open.add(flow);
    return answer.whenComplete((_, _) -> open.delete(flow));
  }

  /** Waits for nothing any more. */
  void end() {
    open.dispose();
  }
}
