package io.sedge.identity;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How many refused attempts an address, or whatever else is counted, may make: some at once, one
 * more each time that has passed. The last {@value #MAX_ADDRESSES} are remembered. Any thread.
 */
public final class Rates {
  static final int BURST = 20;
  static final long REFILL_NANOS = 500_000_000;

  /** How many are remembered. */
  public static final int MAX_ADDRESSES = 1_024;

  private final LongSupplier nanoClock;
  private final int burst;
  private final long refillNanos;
  private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

  private static final class Bucket {
    private double left;
    private long atNanos;
  }

  /** {@value #BURST} attempts at once, one more each half second. */
  public Rates(LongSupplier nanoClock) {
    this(nanoClock, BURST, REFILL_NANOS);
  }

  /**
   * @param burst how many attempts at once
   * @param refillNanos after how long there is one more
   */
  public Rates(LongSupplier nanoClock, int burst, long refillNanos) {
    this.nanoClock = nanoClock;
    this.burst = burst;
    this.refillNanos = refillNanos;
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

  /** An attempt that was counted as refused was not. */
  public synchronized void permitted(String address) {
    Bucket bucket = bucket(address);
    bucket.left = Math.min(burst, bucket.left + 1);
  }

  private Bucket bucket(String address) {
    long now = nanoClock.getAsLong();
    Bucket bucket = buckets.get(address);
    if (bucket == null) {
      bucket = new Bucket();
      bucket.left = burst;
      bucket.atNanos = now;
      buckets.put(address, bucket);
      if (buckets.size() > MAX_ADDRESSES) {
        buckets.remove(buckets.keySet().iterator().next());
      }
    }
    bucket.left = Math.min(burst, bucket.left + (double) (now - bucket.atNanos) / refillNanos);
    bucket.atNanos = now;
    return bucket;
  }
}
