package io.sedge.tensor.training.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each test names the row of TensorFlow's cases that it holds. */
@Timeout(20)
class ClosureQueueTest {
  private static final long SECOND_NS = Duration.ofSeconds(1).toNanos();

  private final AtomicInteger cancellations = new AtomicInteger();
  private final ClosureQueue<Item> queue = new ClosureQueue<>(10, cancellations::incrementAndGet);

  private static final class Item implements ClosureQueue.Cancellable {
    private volatile boolean isCancelled;

    @Override
    public void cancelled() {
      isCancelled = true;
    }
  }

  @Test
  void cq01WhatIsPutBackIsTheNextAgain() throws InterruptedException {
    Item first = new Item();
    Item second = new Item();
    queue.put(first);
    queue.put(second);
    assertThat(queue.get(0, SECOND_NS)).isSameAs(first);
    assertThat(queue.done()).isFalse();
    queue.putBack(first);
    assertThat(queue.get(0, SECOND_NS)).isSameAs(first);
    queue.markFinished();
    assertThat(queue.get(0, SECOND_NS)).isSameAs(second);
    assertThat(queue.done()).isFalse();
    queue.markFinished();
    assertThat(queue.done()).isTrue();
    queue.await();
  }

  @Test
  void cq03WaitingForWhatIsFinishedDoesNotBlock() throws InterruptedException {
    queue.put(new Item());
    queue.get(0, SECOND_NS);
    queue.markFinished();
    queue.await();
  }

  @Test
  void cq04WaitingBlocksUntilAFunctionFailsAndThrowsItsError() throws Exception {
    queue.put(new Item());
    queue.get(0, SECOND_NS);
    CompletableFuture<Void> waiting = CompletableFuture.runAsync(this::await);
    assertThat(waiting).isNotDone();
    queue.markFailed(new IllegalArgumentException("Some error."));
    assertThatThrownBy(() -> waiting.get(5, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("Some error.");
    assertThat(queue.done()).isTrue();
  }

  private void await() {
    try {
      queue.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void cq06AnErrorIsThrownOnceByWaiting() throws InterruptedException {
    failOne();
    assertThatThrownBy(queue::await).hasMessage("Some error.");
    queue.await();
  }

  @Test
  void cq07AnErrorIsThrownByAskingWhetherAllIsDone() throws InterruptedException {
    failOne();
    assertThatThrownBy(queue::done).hasMessage("Some error.");
    assertThat(queue.done()).isTrue();
  }

  private void failOne() throws InterruptedException {
    queue.put(new Item());
    queue.get(0, SECOND_NS);
    queue.markFailed(new IllegalArgumentException("Some error."));
  }

  @Test
  void cq08And09TheFirstErrorIsThrownOnceNothingRunsAndCancelsTheRest() throws Exception {
    Item first = new Item();
    Item second = new Item();
    Item third = new Item();
    queue.put(first);
    queue.put(second);
    queue.put(third);
    queue.get(0, SECOND_NS);
    queue.get(1, SECOND_NS);
    queue.markFailed(new IllegalArgumentException("Some error."));
    assertThat(third.isCancelled).isTrue();
    assertThat(cancellations).hasValue(1);
    CompletableFuture<Void> waiting = CompletableFuture.runAsync(this::await);
    CompletableFuture<Void> putting =
        CompletableFuture.runAsync(
            () -> {
              try {
                queue.put(new Item());
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(waiting).isNotDone();
    assertThat(putting).isNotDone();
    queue.markFailed(new IllegalArgumentException("Fake cancellation error."));
    assertThat(cancellations).hasValue(1);
    // One of the two throws it; the other does what it was asked.
    String told = message(waiting) + message(putting);
    assertThat(told).isEqualTo("Some error.");
  }

  private static String message(CompletableFuture<Void> future) throws Exception {
    try {
      future.get(5, TimeUnit.SECONDS);
      return "";
    } catch (ExecutionException e) {
      return e.getCause().getMessage();
    } catch (java.util.concurrent.TimeoutException e) {
      // It waits for what the other has put; nobody takes it here.
      return "";
    }
  }

  @Test
  void cq10AfterAnErrorWorkGoesOn() throws InterruptedException {
    failOne();
    assertThatThrownBy(queue::await).hasMessage("Some error.");
    Item next = new Item();
    queue.put(next);
    assertThat(queue.get(0, SECOND_NS)).isSameAs(next);
    queue.markFinished();
    queue.await();
  }

  @Test
  void cq12WhatIsForOneWorkerComesFirstAndDoesNotCount() throws InterruptedException {
    Item one = new Item();
    Item two = new Item();
    Item any = new Item();
    queue.put(one, 1);
    queue.put(two, 2);
    queue.put(any);
    assertThat(queue.get(2, SECOND_NS)).isSameAs(two);
    assertThat(queue.get(2, SECOND_NS)).isSameAs(any);
    queue.markFinished();
    assertThat(queue.done()).isTrue();
  }

  @Test
  void aFullQueueLetsNobodyPutUntilSomebodyTakes() throws Exception {
    ClosureQueue<Item> small = new ClosureQueue<>(1, () -> {});
    small.put(new Item());
    CompletableFuture<Void> second =
        CompletableFuture.runAsync(
            () -> {
              try {
                small.put(new Item());
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(second).isNotDone();
    small.get(0, SECOND_NS);
    second.get(5, TimeUnit.SECONDS);
  }

  @Test
  void whatIsPutBackAfterAnErrorIsCancelled() throws InterruptedException {
    Item lost = new Item();
    queue.put(lost);
    queue.put(new Item());
    queue.get(0, SECOND_NS);
    queue.get(1, SECOND_NS);
    queue.markFailed(new IllegalArgumentException("Some error."));
    queue.putBack(lost);
    assertThat(lost.isCancelled).isTrue();
    assertThatThrownBy(queue::await).hasMessage("Some error.");
  }
}
