package io.sedge.engine.operator.internal;

import io.sedge.engine.plan.SliceLayout;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What overlapping windows of many slices have in common, merged once.
 *
 * <p>Slices are numbered along time. A block of level n holds 2^n slices from a multiple of 2^n on
 * and is merged from its two halves when a window first needs it; a window of n slices is put
 * together from at most 2 log n blocks instead of n slices. Which blocks these are depends on the
 * window alone, so a result does not depend, not even in the last bit of a sum, on what has been
 * computed before; two stacks would be a little cheaper, but after a restore they would add in
 * another order. Invariant: a block here equals what its slices would merge to now; a slice that
 * gets a row takes the blocks that hold it away. Holds at most as many merged groups as the slices
 * of one window.
 */
final class SliceTree {
  /** Below so many slices per window, merging them is as cheap. */
  static final int LEAST_SLICES = 8;

  private final SliceLayout layout;
  private final SliceStore store;
  private final Supplier<Groups> factory;
  private final Map<Block, Groups> blocks = new HashMap<>();

  private record Block(int level, long index) {
    /** The number of its first slice. */
    long first() {
      return index << level;
    }

    long size() {
      return 1L << level;
    }
  }

  SliceTree(SliceLayout layout, SliceStore store, Supplier<Groups> factory) {
    this.layout = layout;
    this.store = store;
    this.factory = factory;
  }

  /** The groups of the slices of a window, merged in the order of time; not to be changed. */
  Groups window(long start, long end) {
    long next = layout.number(start) + 1;
    long last = layout.number(end);
    blocks.keySet().removeIf(block -> block.first() <= layout.number(start));
    Groups merged = null;
    boolean own = false;
    while (next <= last) {
      Block block = largest(next, last);
      Groups part = groups(block);
      if (part != null) {
        if (merged == null) {
          merged = part;
        } else {
          merged = own ? merged : copy(merged);
          own = true;
          merged.merge(part, 0);
        }
      }
      next += block.size();
    }
    return merged == null ? factory.get() : merged;
  }

  private static Block largest(long first, long last) {
    int level = 0;
    while (first % (2L << level) == 0 && first + (2L << level) - 1 <= last) {
      level++;
    }
    return new Block(level, first >> level);
  }

  private Groups copy(Groups groups) {
    Groups copy = factory.get();
    copy.merge(groups, 0);
    return copy;
  }

  private @Nullable Groups groups(Block block) {
    if (!store.hasAny(layout.end(block.first()), layout.end(block.first() + block.size() - 1))) {
      return null;
    }
    if (block.level() == 0) {
      Slice slice = store.find(layout.end(block.index()));
      return slice == null ? null : slice.groups;
    }
    Groups known = blocks.get(block);
    if (known == null) {
      known = merged(block);
      if (known != null) {
        blocks.put(block, known);
      }
    }
    return known;
  }

  private @Nullable Groups merged(Block block) {
    Groups left = groups(new Block(block.level() - 1, block.index() * 2));
    Groups right = groups(new Block(block.level() - 1, block.index() * 2 + 1));
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    Groups merged = copy(left);
    merged.merge(right, 0);
    return merged;
  }

  /** A slice that windows have fired with gets a row. */
  void changed(long end) {
    long number = layout.number(end);
    for (int level = 1; level < Long.SIZE - 1 && !blocks.isEmpty(); level++) {
      blocks.remove(new Block(level, number >> level));
    }
  }
}
