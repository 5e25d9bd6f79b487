package io.sedge.engine.operator.internal;

import io.sedge.engine.operator.Operator;
import io.sedge.engine.state.StateWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Merges entries of state that several shards have under the same key, for operators whose entries
 * are groups: feeding rows to several operators, merging their entries and restoring an operator
 * from them gives the results of one operator that had all rows. The operators' restore merges, so
 * it does the work here too. One thread.
 */
public final class StateMerge {
  private final Supplier<Operator> factory;

  /**
   * @param factory makes operators from {@link WindowAggregates} or {@link GroupAggregates}, always
   *     for the same plan node
   */
  public StateMerge(Supplier<Operator> factory) {
    this.factory = factory;
  }

  /**
   * @param key of the entry, the same in both shards
   * @param one the value in one shard
   * @param other the value in another; where order matters (FIRST_VALUE), its rows come later
   * @return the value for the rows of both
   */
  public byte[] merge(byte[] key, byte[] one, byte[] other) {
    Operator operator = factory.get();
    operator.restore(List.of(Map.entry(key, one), Map.entry(key, other)));
    One written = new One(key);
    operator.writeSnapshot(written);
    return written.value;
  }

  /** Keeps the value of one key. */
  private static final class One implements StateWriter {
    private final byte[] wanted;
    private byte[] value = {};

    One(byte[] wanted) {
      this.wanted = wanted;
    }

    @Override
    public void put(byte[] key, byte[] newValue) {
      if (Arrays.equals(key, wanted)) {
        value = newValue;
      }
    }

    @Override
    public void remove(byte[] key) {
      throw new IllegalStateException("a snapshot removes nothing");
    }
  }
}
