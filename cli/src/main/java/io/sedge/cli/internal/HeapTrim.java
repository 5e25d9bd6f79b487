package io.sedge.cli.internal;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Has the whole heap of a device collected when it has grown. By itself the serial collector does
 * that only when the old generation has reached its limit: as some of what dies young is promoted
 * all the same, each device would within the hour have its limit resident, however little it holds.
 * A collection takes as long as what is alive takes to copy, some tens of milliseconds for 25 MB,
 * which is also why it had better not come when there is a limit full.
 *
 * <p>Does nothing under other collectors, which look after that themselves. One thread.
 */
final class HeapTrim implements AutoCloseable {
  private static final String OLD_GENERATION_OF_SERIAL = "Tenured Gen";
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(5);
  private static final Duration LEAST_BETWEEN_COLLECTIONS = Duration.ofSeconds(20);

  /** By so much it may grow, and by an eighth if that is more: a large heap takes long. */
  static final long GROWTH_BYTES = 3L << 20;

  private static final int GROWTH_DIVISOR = 8;

  private final CountDownLatch ending = new CountDownLatch(1);

  /** Begins to look. */
  static HeapTrim start() {
    HeapTrim trim = new HeapTrim();
    oldGeneration()
        .ifPresent(
            pool -> Thread.ofPlatform().daemon().name("sedge-heap").start(() -> trim.watch(pool)));
    return trim;
  }

  private HeapTrim() {}

  private static Optional<MemoryPoolMXBean> oldGeneration() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getName().equals(OLD_GENERATION_OF_SERIAL))
        .findFirst();
  }

  private void watch(MemoryPoolMXBean pool) {
    long least = 0;
    long collected = System.nanoTime();
    try {
      while (!ending.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS)) {
        long used = pool.getUsage().getUsed();
        least = Math.min(least, used); // The collector may have been here itself.
        if (isDue(used, least, Duration.ofNanos(System.nanoTime() - collected))) {
          System.gc();
          least = pool.getUsage().getUsed();
          collected = System.nanoTime();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * @param used bytes of the old generation
   * @param least the least that it had since it was collected
   * @param sinceCollection how long ago that was, or the start
   */
  static boolean isDue(long used, long least, Duration sinceCollection) {
    return used - least >= Math.max(GROWTH_BYTES, least / GROWTH_DIVISOR)
        && sinceCollection.compareTo(LEAST_BETWEEN_COLLECTIONS) >= 0;
  }

  @Override
  public void close() {
    ending.countDown();
  }
}
