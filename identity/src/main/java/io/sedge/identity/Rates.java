package io.sedge.identity;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How many refused attempts an address may make: {@value #BURST} at once, one more each {@link
 * #REFILL_NANOS}. Of addresses the last {@value #MAX_ADDRESSES} are remembered. Any thread.
 */
public final class Rates {
  static final int BURST = 20;
  static final long REFILL_NANOS = 500_000_000;
  static final int MAX_ADDRESSES = 1_024;

  private final LongSupplier nanoClock;
  private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

  private static final class Bucket {
    private double left = BURST;
    private long atNanos;
  }

  public Rates(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  /** Whether an address may try again. */
  public synchronized boolean mayTry(String address) {
    return bucket(address).left >= 1;
  }

  /** Counts an attempt that was refused. */
  public synchronized void refused(String address) {
    Bucket bucket = bucket(address);
    bucket.left = Math.max(0, bucket.left - 1);
  }

  private Bucket bucket(String address) {
    long now = nanoClock.getAsLong();
    Bucket bucket = buckets.get(address);
    if (bucket == null) {
      bucket = new Bucket();
      bucket.atNanos = now;
      buckets.put(address, bucket);
      if (buckets.size() > MAX_ADDRESSES) {
        buckets.remove(buckets.keySet().iterator().next());
      }
    }
    bucket.left = Math.min(BURST, bucket.left + (double) (now - bucket.atNanos) / REFILL_NANOS);
    bucket.atNanos = now;
    return bucket;
  }
}
