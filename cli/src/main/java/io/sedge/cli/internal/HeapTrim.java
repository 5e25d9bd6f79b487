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
 * <p>Everything stands still meanwhile, and where the process can run for a part of the time only,
 * as in a virtual machine whose host has other work, that much longer: long enough for the others
 * of a site to take the device for gone. So it is not done there, and takes a small part of the
 * time.
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

  /** What is between two collections is so many times what the first one took, within bounds. */
  private static final int LEAST_BETWEEN_PER_PAUSE = 500;

  private static final Duration LONGEST_BETWEEN_COLLECTIONS = Duration.ofMinutes(10);

  /** Short sleeps, which take as long as they should where the process can run when it wants. */
  private static final int SLEEPS = 10;

  private static final Duration SLEEP = Duration.ofMillis(10);

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
    Duration pause = Duration.ZERO;
    try {
      while (!ending.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS)) {
        long used = pool.getUsage().getUsed();
        least = Math.min(least, used); // The collector may have been here itself.
        Duration since = Duration.ofNanos(System.nanoTime() - collected);
        if (isDue(used, least, since, pause) && !isHeldUp(sleep())) {
          long begin = System.nanoTime();
          System.gc();
          collected = System.nanoTime();
          pause = Duration.ofNanos(collected - begin);
          least = pool.getUsage().getUsed();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How long {@link #SLEEPS} sleeps take. */
  private static Duration sleep() throws InterruptedException {
    long begin = System.nanoTime();
    for (int i = 0; i < SLEEPS; i++) {
      Thread.sleep(SLEEP);
    }
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  /**
   * Whether the process can run for less than half of the time.
   *
   * @param slept for how long it was to sleep {@link #SLEEPS} times
   */
  static boolean isHeldUp(Duration slept) {
    return slept.compareTo(SLEEP.multipliedBy(2 * SLEEPS)) > 0;
  }

  /**
   * @param used bytes of the old generation
   * @param least the least that it had since it was collected
   * @param sinceCollection how long ago that was, or the start
   * @param pause what it took
   */
  static boolean isDue(long used, long least, Duration sinceCollection, Duration pause) {
    return used - least >= Math.max(GROWTH_BYTES, least / GROWTH_DIVISOR)
        && sinceCollection.toNanos() >= leastBetweenNanos(pause);
  }

  private static long leastBetweenNanos(Duration pause) {
    return Math.clamp(
        pause.toNanos() * LEAST_BETWEEN_PER_PAUSE,
        LEAST_BETWEEN_COLLECTIONS.toNanos(),
        LONGEST_BETWEEN_COLLECTIONS.toNanos());
  }

  @Override
  public void close() {
    ending.countDown();
  }
}
