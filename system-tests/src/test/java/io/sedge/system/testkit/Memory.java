package io.sedge.system.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Samples what a process has resident, in a thread of its own, until it is closed. */
public final class Memory implements AutoCloseable {
  private static final Duration INTERVAL = Duration.ofMillis(200);

  private final SedgeProcess process;
  private final List<Long> samples = new ArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;

  public Memory(SedgeProcess process) {
    this.process = process;
    this.thread = Thread.ofVirtual().start(this::sample);
  }

  private void sample() {
    try {
      while (!closed.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        long resident = process.residentKiB();
        if (resident > 0) {
          samples.add(resident);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The median of each of so many equal parts of the time that was sampled, in MiB; after {@link
   * #close}.
   */
  public List<Long> medians(int parts) {
    List<Long> medians = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      List<Long> some =
          samples
              .subList(part * samples.size() / parts, (part + 1) * samples.size() / parts)
              .stream()
              .sorted()
              .toList();
      medians.add(some.isEmpty() ? 0 : some.get(some.size() / 2) / 1024);
    }
    return medians;
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
