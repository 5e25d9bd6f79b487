package io.sedge.engine.column;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ArrayColumnTest {
  // 4,096 copies of 2^20 elements are 2^32: an int that overflows would be 0 of them.
  @Test
  void moreElementsThanAColumnHoldsAreRefused() {
    int length = 1 << 20;
    ArrayColumn column =
        new ArrayColumn(
            new int[] {0, length}, new BooleanColumn(new boolean[length], null, length), null, 1);
    assertThatThrownBy(() -> column.gather(new int[4096], 4096))
        .isInstanceOf(CapacityException.class)
        .hasMessageContaining("2,147,483,647 elements");
  }
}
