package io.sedge.tensor.training.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Named after the row of TensorFlow's cases that it holds. */
@Timeout(20)
class WatchdogTest {
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  private final AtomicLong finished = new AtomicLong();

  @Test
  void wd01WhatIsUnderWayIsToldAgainAndAgainWhileNothingIsFinished() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    Thread stuck = Thread.ofPlatform().name("sedge-worker-7").start(() -> await(end));
    Watchdog watchdog =
        new Watchdog(Duration.ofMillis(30), finished::get, () -> "2 functions run", told::add);
    try (watchdog) {
      for (int i = 0; i < 2; i++) {
        assertThat(told.poll(10, TimeUnit.SECONDS))
            .startsWith("nothing was finished for 0 s: 2 functions run")
            .contains("thread sedge-worker-7", "WatchdogTest.await");
      }
      finished.incrementAndGet();
      told.clear();
      assertThat(told.poll(10, TimeUnit.SECONDS)).contains("2 functions run");
    }
    end.countDown();
    stuck.join();
    while (!watchdog.isEnded()) {
      LockSupport.parkNanos(1_000_000);
    }
    told.clear();
    assertThat(told).isEmpty();
  }

  private static void await(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whereNothingIsToBeDoneNothingIsTold() throws InterruptedException {
    CountDownLatch asked = new CountDownLatch(3);
    try (Watchdog watchdog =
        new Watchdog(
            Duration.ofMillis(5),
            finished::get,
            () -> {
              asked.countDown();
              return "";
            },
            told::add)) {
      assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(watchdog.isEnded()).isFalse();
    }
    assertThat(told).isEmpty();
  }

  @Test
  void aLimitOfZeroIsNone() {
    try (Watchdog watchdog = new Watchdog(Duration.ZERO, finished::get, () -> "x", told::add)) {
      assertThat(watchdog.isEnded()).isTrue();
    }
  }
}
