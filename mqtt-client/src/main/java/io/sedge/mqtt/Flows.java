package io.sedge.mqtt;

import io.reactivex.Flowable;
import io.reactivex.Single;
import io.reactivex.disposables.CompositeDisposable;
import io.reactivex.disposables.Disposable;
import io.reactivex.subscribers.DisposableSubscriber;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * What the HiveMQ client has been asked for and has not ended. It keeps its thread for each of them
 * for as long as the session may last, which can be days after the last disconnection, or for ever
 * (MQTT 3.1.1). Any thread.
 */
final class Flows {
  private final CompositeDisposable open = new CompositeDisposable();

  /**
   * Hands on what comes, until {@link #end}. Nothing else ends it, since the client acknowledges
   * what nobody receives: what a consumer throws ends the connection.
   */
  <T> void receive(Flowable<T> messages, Consumer<T> consumer) {
    DisposableSubscriber<T> subscriber =
        new DisposableSubscriber<>() {
          @Override
          public void onNext(T message) {
            consumer.accept(message);
          }

          @Override
          public void onError(Throwable thrown) {
            // The listeners of the connection hear of it.
          }

          @Override
          public void onComplete() {}
        };
    open.add(subscriber);
    messages.subscribe(subscriber);
  }

  /** Completes with the answer, or never if the {@link #end} comes before it. */
  <T> CompletableFuture<T> answer(Single<T> asked) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Disposable flow = asked.subscribe(answer::complete, answer::completeExceptionally);
    open.add(flow);
    CompletableFuture<T> ignored = answer.whenComplete((_, _) -> open.delete(flow));
    return answer;
  }

  /** Waits for nothing any more. */
  void end() {
    open.dispose();
  }
}
