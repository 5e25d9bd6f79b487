package io.sedge.connector.mqtt.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LatestRowsTest {
  private final LatestRows rows = new LatestRows();

  // The later one may be acknowledged while the earlier one is refused: it must not come again.
  @Test
  void aMessageStaysReplacedWhenTheLaterOneIsSettledFirst() {
    rows.add("a", 1);
    rows.add("a", 2);
    rows.settle("a");
    assertThat(rows.isReplaced("a", 1)).isTrue();
    assertThat(rows.isReplaced("a", 2)).isFalse();
  }

  @Test
  void otherTopicsReplaceNothingAndASettledOneIsForgotten() {
    rows.add("a", 1);
    rows.add("b", 2);
    assertThat(rows.isReplaced("a", 1)).isFalse();
    rows.settle("a");
    rows.add("a", 1);
    assertThat(rows.isReplaced("a", 1)).isFalse();
  }
}
