package io.sedge.connector.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges follow each other without a gap, over all whole numbers too. */
final class KeyRangeTest {
  @ParameterizedTest
  @CsvSource({
    "1, 100, 7, 7",
    "5, 5, 3, 1",
    "-3, 3, 1000, 7",
    "-9223372036854775808, 9223372036854775807, 1000, 1000",
  })
  void theRangesTogetherAreTheWhole(long from, long to, int parts, int count) {
    KeyRange whole = new KeyRange(0, from, to);
    List<KeyRange> ranges = whole.cut(parts);
    assertThat(ranges).hasSize(count);
    assertThat(ranges.getFirst().from()).isEqualTo(from);
    assertThat(ranges.getLast().to()).isEqualTo(to);
    for (int i = 1; i < count; i++) {
      assertThat(ranges.get(i).from()).isEqualTo(ranges.get(i - 1).to() + 1);
    }
    for (KeyRange range : ranges) {
      assertThat(whole.parse(range.text())).isEqualTo(range);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "0..5", "5..11", "6..5", "a..b", "99999999999999999999..1"})
  void whatIsNotWithinTheRangeIsNoShard(String text) {
    KeyRange whole = new KeyRange(0, 1, 10);
    assertThatIllegalArgumentException().isThrownBy(() -> whole.parse(text));
  }
}
