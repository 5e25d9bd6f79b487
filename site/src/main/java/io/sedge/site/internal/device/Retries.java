package io.sedge.site.internal.device;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What has failed on this device, and when it is tried again: after delays that double. Of some of
 * it the device says meanwhile that it is unfit for it, so that another one has it; that is tried
 * again less and less often, since each attempt takes it from a device that can do it.
 *
 * @param <K> names what has failed
 */
final class Retries<K extends Comparable<K>> {
  static final Duration FIRST = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofSeconds(30);
  static final Duration LONGEST_UNFIT = Duration.ofMinutes(10);

  private final Map<K, Retry> retries = new TreeMap<>();

  /**
   * @param delay before the next attempt
   * @param why it did not go on
   * @param unfit whether the device is unfit for it until then
   */
  private record Retry(long atNanos, Duration delay, String why, boolean unfit) {
    boolean isDue(long nowNanos) {
      return nowNanos - atNanos >= 0;
    }

    String text(long nowNanos) {
      long seconds = Math.max(0, atNanos - nowNanos) / 1_000_000_000;
      return "%s; tried again in %d s".formatted(why, seconds);
    }
  }

  /** It failed; the delay until it is tried again. */
  Duration failed(K what, long nowNanos, String why, boolean unfit) {
    return failed(what, nowNanos, why, unfit, unfit ? LONGEST_UNFIT : LONGEST);
  }

  /**
   * The same.
   *
   * @param longest delay
   */
  Duration failed(K what, long nowNanos, String why, boolean unfit, Duration longest) {
    Retry before = retries.get(what);
    Duration next = before == null ? FIRST : before.delay().multipliedBy(2);
    Duration delay = next.compareTo(longest) < 0 ? next : longest;
    retries.put(what, new Retry(nowNanos + delay.toNanos(), delay, why, unfit));
    return delay;
  }

  /** Whether it may be tried now. */
  boolean isDue(K what, long nowNanos) {
    Retry retry = retries.get(what);
    return retry == null || retry.isDue(nowNanos);
  }

  /** Why it does not go on, and when it will; empty if it has not failed. */
  Optional<String> why(K what, long nowNanos) {
    return Optional.ofNullable(retries.get(what)).map(retry -> retry.text(nowNanos));
  }

  /** What the device is unfit for now, and why. */
  Map<K, String> unfit(long nowNanos) {
    Map<K, String> unfit = new LinkedHashMap<>();
    retries.forEach(
        (what, retry) -> {
          if (retry.unfit() && !retry.isDue(nowNanos)) {
            unfit.put(what, retry.text(nowNanos));
          }
        });
    return unfit;
  }

  /** It works: should it fail again, the first delay comes first. */
  void forget(K what) {
    retries.remove(what);
  }

  /**
   * Forgets what is no business of the device any more. What it was unfit for is, wherever it runs:
   * should it come back and fail again, the delay is to be longer than before.
   *
   * @param ours what it has to do
   * @param known what there is in the site
   */
  void retain(Predicate<K> ours, Predicate<K> known) {
    Iterator<Map.Entry<K, Retry>> entries = retries.entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<K, Retry> entry = entries.next();
      boolean kept =
          ours.test(entry.getKey()) || (entry.getValue().unfit() && known.test(entry.getKey()));
      if (!kept) {
        entries.remove();
      }
    }
  }
}
