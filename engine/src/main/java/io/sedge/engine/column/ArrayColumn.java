package io.sedge.engine.column;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column of ARRAY values: the elements of all rows in one column, and where each row's begin. Row
 * i has the elements {@code offsets[i]} to {@code offsets[i + 1] - 1}.
 */
public final class ArrayColumn extends Column {
  private final int[] offsets;
  private final Column elements;

  public ArrayColumn(int[] offsets, Column elements, boolean @Nullable [] nulls, int size) {
    super(size, nulls);
    this.offsets = offsets;
    this.elements = elements;
  }

  public int[] offsets() {
    return offsets;
  }

  public Column elements() {
    return elements;
  }

  /**
   * {@inheritDoc}
   *
   * @throws CapacityException if the elements are more than an array of Java holds
   */
  @Override
  public ArrayColumn gather(int[] rows, int count) {
    int total = 0;
    int[] gatheredOffsets = new int[count + 1];
    for (int i = 0; i < count; i++) {
      total = sum(total, offsets[rows[i] + 1] - offsets[rows[i]]);
      gatheredOffsets[i + 1] = total;
    }
    int[] elementRows = new int[total];
    int next = 0;
    for (int i = 0; i < count; i++) {
      for (int j = offsets[rows[i]]; j < offsets[rows[i] + 1]; j++) {
        elementRows[next++] = j;
      }
    }
    return new ArrayColumn(
        gatheredOffsets, elements.gather(elementRows, total), gatherNulls(rows, count), count);
  }

  private static int sum(int total, int length) {
    int sum = total + length;
    if (sum < 0) {
      throw new CapacityException(
          "the arrays of a batch have more than %,d elements together; leave the array out of the SELECT, or send shorter ones"
              .formatted(Integer.MAX_VALUE));
    }
    return sum;
  }

  @Override
  public ArrayColumn slice(int from, int to) {
    return new ArrayColumn(
        Arrays.copyOfRange(offsets, from, to + 1), elements, sliceNulls(from, to), to - from);
  }

  @Override
  public @Nullable List<@Nullable Object> value(int row) {
    if (isNull(row)) {
      return null;
    }
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = offsets[row]; i < offsets[row + 1]; i++) {
      list.add(elements.value(i));
    }
    return list;
  }
}
