package io.sedge.connector.modbus.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReadPlanTest {
  private static List<Field> fields(String... registers) {
    RegisterParser parser = new RegisterParser(RegisterParser.Addressing.PROTOCOL, ByteOrder.BE);
    return Stream.of(registers)
        .map(text -> new Field(text, 0, Type.DOUBLE, parser.parse(text), Scaling.NONE))
        .toList();
  }

  private static List<String> spans(ReadPlan plan) {
    return plan.reads().stream().map(read -> read.span().toString()).toList();
  }

  @Test
  void neighboursAreReadTogetherInWhateverOrderTheyStand() {
    ReadPlan plan =
        ReadPlan.of(fields("holding:4", "holding:0:float32", "holding:2:int32"), 0, 125);
    assertThat(spans(plan)).containsExactly("holding 0 to 4");
    assertThat(plan.reads().getFirst().overGaps()).isFalse();
    assertThat(plan.reads().getFirst().fields().stream().map(ReadPlan.Placed::offset))
        .containsExactly(0, 2, 4);
  }

  @Test
  void aGapIsReadOverUpToItsLimit() {
    List<Field> fields = fields("holding:0", "holding:9", "holding:19");
    assertThat(spans(ReadPlan.of(fields, 8, 125))).containsExactly("holding 0 to 9", "holding 19");
    assertThat(ReadPlan.of(fields, 8, 125).reads().getFirst().overGaps()).isTrue();
    assertThat(spans(ReadPlan.of(fields, 0, 125)))
        .containsExactly("holding 0", "holding 9", "holding 19");
  }

  @Test
  void sixteenBitsCountAsOneRegister() {
    assertThat(spans(ReadPlan.of(fields("coil:0", "coil:17", "coil:35"), 1, 125)))
        .containsExactly("coil 0 to 17", "coil 35");
    assertThat(spans(ReadPlan.of(fields("discrete:0", "discrete:1999", "discrete:2000"), 125, 125)))
        .containsExactly("discrete 0 to 1999", "discrete 2000");
  }

  @Test
  void kindsAreNotReadTogether() {
    assertThat(spans(ReadPlan.of(fields("input:1", "holding:0", "coil:2", "discrete:3"), 8, 125)))
        .containsExactly("coil 2", "discrete 3", "input 1", "holding 0");
  }

  @Test
  void noRequestIsLargerThanItMayBe() {
    assertThat(spans(ReadPlan.of(fields("holding:0", "holding:124", "holding:125"), 125, 125)))
        .containsExactly("holding 0 to 124", "holding 125");
    assertThat(spans(ReadPlan.of(fields("holding:0:int64", "holding:4:int64"), 0, 4)))
        .containsExactly("holding 0 to 3", "holding 4 to 7");
  }

  @Test
  void severalFieldsMayShareARegister() {
    ReadPlan plan = ReadPlan.of(fields("holding:5.0", "holding:5.15", "holding:5"), 0, 125);
    assertThat(spans(plan)).containsExactly("holding 5");
  }

  /**
   * Whatever the map, each field lies within its request, at its offset, and requests are valid.
   */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void everyFieldIsInARequest(long seed) {
    Random random = new Random(seed);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      String type = List.of("uint16", "int32", "float64", "string(30)").get(random.nextInt(4));
      texts.add("holding:%d:%s".formatted(random.nextInt(3000), type));
      texts.add("coil:%d".formatted(random.nextInt(9000)));
    }
    ReadPlan plan = ReadPlan.of(fields(texts.toArray(String[]::new)), 8, 60);
    int placed = 0;
    for (ReadPlan.Read read : plan.reads()) {
      assertThat(read.span().count()).isBetween(1, 60 * read.span().kind().perRegister());
      for (ReadPlan.Placed field : read.fields()) {
        Span span = field.field().register().span();
        assertThat(read.span().address() + field.offset()).isEqualTo(span.address());
        assertThat(span.end()).isLessThanOrEqualTo(read.span().end());
        placed++;
      }
    }
    assertThat(placed).isEqualTo(600);
  }
}
