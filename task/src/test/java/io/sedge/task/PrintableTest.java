package io.sedge.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PrintableTest {
  @Test
  void aListIsWrittenAsPeopleWriteOneAndDoesNotFillTheScreen() {
    assertThat(Printable.list(List.of())).isEqualTo("none");
    assertThat(Printable.list(List.of("a", 2))).isEqualTo("a, 2");
    assertThat(Printable.list(IntStream.range(0, 20).boxed().toList())).endsWith("18, 19");
    assertThat(Printable.list(IntStream.range(0, 1_100).boxed().toList()))
        .endsWith("18, 19 and 1,080 more");
  }

  @Test
  void oneIsNotSeveral() {
    assertThat(Printable.count(0, "row")).isEqualTo("0 rows");
    assertThat(Printable.count(1, "row")).isEqualTo("1 row");
    assertThat(Printable.count(2_000, "row")).isEqualTo("2,000 rows");
  }

  @Test
  void nothingInATextMovesACursorOrTurnsItsDirection() {
    assertThat(Printable.text("a\u001b[2J\nb\u202ec")).isEqualTo("a·[2J·b·c");
  }
}
