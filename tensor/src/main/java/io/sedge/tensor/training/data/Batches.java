package io.sedge.tensor.training.data;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What is trained next. Examples are dealt to shards; in each epoch every example of every shard is
 * in exactly one batch. A shard whose batches are used up helps the one that has most left, so that
 * a slow or lost worker holds nobody up and no example is left out. Threads may share it.
 *
 * <p>The order depends on the seed, the epoch and the number of shards alone. Which shard takes
 * which batch depends on who asks first, where there is more than one.
 */
public final class Batches {
  /** Examples of one epoch. */
  public static final class Batch {
    private final int shard;
    private final int epoch;
    private final boolean wholeShard;
    private final int[] examples;

    private Batch(int shard, int epoch, boolean wholeShard, int[] examples) {
      this.shard = shard;
      this.epoch = epoch;
      this.wholeShard = wholeShard;
      this.examples = examples;
    }

    /** The shard that they are of. */
    public int shard() {
      return shard;
    }

    /** The epoch, from 0. */
    public int epoch() {
      return epoch;
    }

    /** Whether these are all examples of the shard. */
    public boolean isWholeShard() {
      return wholeShard;
    }

    /** Their positions in the set that the batches are of; not to be changed. */
    public int[] examples() {
      return examples;
    }
  }

  private final Examples examples;
  private final int shards;
  private final int batchSize;
  private final boolean shuffled;
  private final long seed;
  private final int[][] order;
  private final int[] taken;
  private int epoch;

  /**
   * Batches of examples.
   *
   * @param shards 1 and more; no more than there are examples
   * @param batchSize examples in a batch; 0 for a whole shard. The last of an epoch may be smaller
   * @param shuffled whether each epoch has its own order
   * @param firstEpoch where to begin, from 0
   */
  public Batches(
      Examples examples, int shards, int batchSize, boolean shuffled, long seed, int firstEpoch) {
    if (shards < 1 || shards > examples.size()) {
      throw new DataException(
          "%d shards of %d examples: every shard needs one".formatted(shards, examples.size()));
    }
    if (batchSize < 0) {
      throw new DataException(
          "batch size %d: 1 or more, or 0 for a whole shard".formatted(batchSize));
    }
    this.examples = examples;
    this.shards = shards;
    this.batchSize = batchSize;
    this.shuffled = shuffled;
    this.seed = seed;
    this.order = new int[shards][];
    this.taken = new int[shards];
    this.epoch = firstEpoch;
    begin();
  }

  /** The examples that batches are of. */
  public Examples examples() {
    return examples;
  }

  /** The number of shards. */
  public int shards() {
    return shards;
  }

  /** How many batches an epoch has. */
  public int perEpoch() {
    int count = 0;
    for (int shard = 0; shard < shards; shard++) {
      int size = shardSize(shard);
      count += batchSize == 0 ? 1 : (size + batchSize - 1) / batchSize;
    }
    return count;
  }

  /** Examples of a full batch, on average over the shards: what a mean over a step divides by. */
  public double nominalSize() {
    return batchSize == 0 ? (double) examples.size() / shards : batchSize;
  }

  /** The epoch of the next batch, from 0. */
  public synchronized int epoch() {
    return epoch;
  }

  /**
   * The next batch of a shard, of another shard if this one's are used up; the next epoch's then.
   */
  public synchronized Batch next(int shard) {
    @Nullable Batch batch = take(shard);
    if (batch == null) {
      epoch++;
      begin();
      batch = take(shard);
    }
    if (batch == null) {
      throw new IllegalStateException("an epoch without a batch");
    }
    return batch;
  }

  private @Nullable Batch take(int wanted) {
    int shard = Math.floorMod(wanted, shards);
    if (left(shard) == 0) {
      for (int other = 0; other < shards; other++) {
        if (left(other) > left(shard)) {
          shard = other;
        }
      }
    }
    int length = batchSize == 0 ? left(shard) : Math.min(batchSize, left(shard));
    if (length == 0) {
      return null;
    }
    int[] chosen = new int[length];
    for (int i = 0; i < length; i++) {
      chosen[i] = order[shard][taken[shard]++] * shards + shard;
    }
    return new Batch(shard, epoch, length == shardSize(shard), chosen);
  }

  private int left(int shard) {
    return order[shard].length - taken[shard];
  }

  private int shardSize(int shard) {
    return (examples.size() - shard + shards - 1) / shards;
  }

  private void begin() {
    for (int shard = 0; shard < shards; shard++) {
      int[] positions = new int[shardSize(shard)];
      SplittableRandom random =
          new SplittableRandom(seed * 0x9E3779B97F4A7C15L + epoch * 31L + shard);
      for (int i = 0; i < positions.length; i++) {
        int other = shuffled ? random.nextInt(i + 1) : i;
        positions[i] = positions[other];
        positions[other] = i;
      }
      order[shard] = positions;
      taken[shard] = 0;
    }
  }
}
