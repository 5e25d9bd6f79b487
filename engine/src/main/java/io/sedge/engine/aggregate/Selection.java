package io.sedge.engine.aggregate;

import org.jspecify.annotations.Nullable;

/**
 * Rows that count, ascending, and the slot of each: what is left of others after a mask. The arrays
 * may be longer than {@code count}.
 */
final class Selection {
  private final int[] rows;
  private final int[] slots;
  private final int count;

  Selection(int[] rows, int[] slots, int count) {
    this.rows = rows;
    this.slots = slots;
    this.count = count;
  }

  int[] rows() {
    return rows;
  }

  int[] slots() {
    return slots;
  }

  int count() {
    return count;
  }

  /** The rows that {@code mask} has as {@code wanted}; all of them where there is no mask. */
  Selection where(boolean @Nullable [] mask, boolean wanted) {
    if (mask == null) {
      return this;
    }
    int[] keptRows = new int[count];
    int[] keptSlots = new int[count];
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int row = rows[i];
      keptRows[kept] = row;
      keptSlots[kept] = slots[i];
      kept += mask[row] == wanted ? 1 : 0;
    }
    return new Selection(keptRows, keptSlots, kept);
  }

  /** Whether the rows follow each other without a gap, so that their values need no gathering. */
  boolean isContiguous() {
    return count > 0 && rows[count - 1] - rows[0] == count - 1;
  }

  /** Whether all rows go to one slot; looks closer only if the ends agree. */
  boolean isOneSlot() {
    int slot = slots[0];
    if (slots[count - 1] != slot) {
      return false;
    }
    int different = 0;
    for (int i = 0; i < count; i++) {
      different |= slots[i] ^ slot;
    }
    return different == 0;
  }
}
