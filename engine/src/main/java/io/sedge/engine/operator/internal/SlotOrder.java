package io.sedge.engine.operator.internal;

import io.sedge.engine.plan.Ordering;
import java.util.List;

/** The order of rows in a table by some of their columns. */
final class SlotOrder {
  private final RowTable table;
  private final List<Ordering> orderings;

  SlotOrder(RowTable table, List<Ordering> orderings) {
    this.table = table;
    this.orderings = orderings;
  }

  int compare(int left, int right) {
    for (Ordering ordering : orderings) {
      SlotColumn column = table.column(ordering.column());
      int order = compare(column, ordering, left, right);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static int compare(SlotColumn column, Ordering ordering, int left, int right) {
    boolean leftNull = column.isNull(left);
    boolean rightNull = column.isNull(right);
    if (leftNull || rightNull) {
      int nullIsLess = ordering.nullsFirst() ? -1 : 1;
      return leftNull == rightNull ? 0 : leftNull ? nullIsLess : -nullIsLess;
    }
    int order = column.compare(left, right);
    return ordering.descending() ? -order : order;
  }

  /** Puts a slot behind all that are not greater, and returns where. */
  int insert(Ints slots, int slot) {
    return insert(slots, slot, 0);
  }

  /** Puts a slot behind all that are less. */
  void insertBeforeEqual(Ints slots, int slot) {
    insert(slots, slot, -1);
  }

  /** Puts a slot behind all that compare to it as {@code most} or less. */
  private int insert(Ints slots, int slot, int most) {
    int low = 0;
    int high = slots.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Integer.signum(compare(slots.get(middle), slot)) <= most) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    slots.insert(low, slot);
    return low;
  }

  void check(Ints slots) {
    for (int i = 1; i < slots.size(); i++) {
      if (compare(slots.get(i - 1), slots.get(i)) > 0) {
        throw new AssertionError("rows are out of order at rank " + i);
      }
    }
  }
}
