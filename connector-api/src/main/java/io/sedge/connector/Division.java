package io.sedge.connector;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How a source's readings can be divided among devices. Each shard is a {@link Source} of its own
 * ({@link Source#shard}); the shards together give every reading of the source once, whoever reads
 * which of them. Immutable values, the same on every device for the same table.
 */
public sealed interface Division {
  /** The whole, which one reader at a time reads, on any device. */
  Division WHOLE = new Whole();

  /** The sensors of the machine that the reader runs on. */
  Division BY_DEVICE = new ByDevice();

  /** Parts of an input that ends. */
  Division BY_PART = new ByPart();

  /** One reader at a time reads all of it, on any device. */
  record Whole() implements Division {}

  /**
   * Rows of each value of a column come from the shard of that name alone; rows of other values
   * come from none.
   *
   * @param column the shard key: a STRING column, by position in the table's schema
   * @param shards their names, at least one, each once
   */
  record ByKey(int column, List<String> shards) implements Division {
    /**
     * @throws IllegalArgumentException if there is no shard, or one twice
     */
    public ByKey {
      shards = List.copyOf(shards);
      if (column < 0 || shards.isEmpty()) {
        throw new IllegalArgumentException(
            "column %d and %d shards: a division needs a column and one shard at least"
                .formatted(column, shards.size()));
      }
      Set<String> names = new HashSet<>();
      for (String shard : shards) {
        if (!names.add(shard)) {
          throw new IllegalArgumentException("shard '%s' is named twice".formatted(shard));
        }
      }
    }
  }

  /**
   * By key, where nobody has said which values there are: {@link Source#values} finds them, and the
   * same table with them is divided {@link ByKey by key}. Until then one reader reads all.
   *
   * @param column the shard key, as of {@link ByKey}
   * @param option the option of the table that is to have the values, separated by ';'
   */
  record Undiscovered(int column, String option) implements Division {}

  /**
   * Each device has readings of its own, such as those of the machine's sensors: a shard is a
   * device, and can be read nowhere else.
   */
  record ByDevice() implements Division {}

  /**
   * The input ends and can be cut into parts, which {@link Source#parts} finds by looking at it.
   * Rows of a part have nothing in common but their place in the input.
   */
  record ByPart() implements Division {}
}
