package io.sedge.engine.column;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class BatchBuilderTest {
  private static final Schema SCHEMA =
      Schema.builder()
          .add("b", Type.BOOLEAN)
          .add("i", Type.INT)
          .add("l", Type.BIGINT)
          .add("f", Type.FLOAT)
          .add("d", Type.DOUBLE)
          .add("m", Type.decimal(10, 2))
          .add("s", Type.STRING)
          .add("a", Type.array(Type.STRING))
          .add("r", Type.row(List.of("x", "y"), List.of(Type.INT, Type.array(Type.DOUBLE))))
          .build();

  // Decoders find payloads malformed half-way; what they added must leave no trace.
  @Test
  void discardedRowsLeaveNoTraceInAnyColumn() {
    long seed = System.nanoTime();
    System.out.println("BatchBuilderTest seed " + seed);
    Random random = new Random(seed);
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    for (int round = 0; round < 20; round++) {
      List<List<Object>> expected = new ArrayList<>();
      List<ChangeKind> changes = new ArrayList<>();
      int rows = random.nextInt(200);
      while (expected.size() < rows) {
        Object[] row = randomRow(random);
        int given = random.nextInt(4) == 0 ? random.nextInt(SCHEMA.size()) : SCHEMA.size();
        for (int i = 0; i < given; i++) {
          builder.column(i).add(row[i]);
        }
        if (random.nextInt(3) == 0) {
          builder.discardRow();
        } else {
          Arrays.fill(row, given, row.length, null);
          ChangeKind change =
              round % 2 == 1 && random.nextInt(4) == 0
                  ? ChangeKind.UPDATE_AFTER
                  : ChangeKind.INSERT;
          builder.endRow(change);
          expected.add(Arrays.asList(row));
          changes.add(change);
        }
      }
      Batch batch = builder.build();
      assertThat(batch.rows()).isEqualTo(rows);
      for (int i = 0; i < rows; i++) {
        assertThat(batch.row(i)).isEqualTo(expected.get(i));
        assertThat(batch.change(i)).isEqualTo(changes.get(i));
      }
    }
  }

  @Test
  void stringsMayBeGivenAsBytes() {
    BatchBuilder builder = new BatchBuilder(Schema.builder().add("s", Type.STRING).build());
    byte[] bytes = "pumpe-ü".getBytes(UTF_8);
    assertThat(builder.column(0).addUtf8(bytes, 0, 5)).isTrue();
    builder.endRow();
    assertThat(builder.column(0).addUtf8(bytes, 0, bytes.length - 1)).isFalse();
    builder.discardRow();
    assertThat(builder.column(0).addUtf8(bytes, 0, bytes.length)).isTrue();
    builder.endRow();
    Batch batch = builder.build();
    assertThat(batch.row(0)).containsExactly("pumpe");
    assertThat(batch.row(1)).containsExactly("pumpe-ü");
  }

  private static Object[] randomRow(Random random) {
    Object[] row = {
      random.nextBoolean(),
      random.nextInt(),
      random.nextLong(),
      random.nextFloat(),
      random.nextDouble(),
      BigDecimal.valueOf(random.nextInt(100_000), 2),
      "s" + random.nextInt(20),
      randomStrings(random),
      Arrays.asList(random.nextInt(), List.of(random.nextDouble(), random.nextDouble()))
    };
    for (int i = 0; i < row.length; i++) {
      if (random.nextInt(5) == 0) {
        row[i] = null;
      }
    }
    return row;
  }

  private static List<String> randomStrings(Random random) {
    List<String> strings = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      strings.add(random.nextInt(4) == 0 ? null : "e" + random.nextInt(5));
    }
    return strings;
  }

  /** What {@link Column} promises of null rows, so that nobody reads an earlier batch's value. */
  @Test
  void aNullRowHoldsTheDefaultThoughTheArrayIsUsedAgain() {
    BatchBuilder builder = new BatchBuilder(SCHEMA);
    Object[] row = {
      true, 1, 2L, 3f, 4.0, BigDecimal.ONE, "s", List.of("a"), Arrays.asList(5, List.of(6.0))
    };
    builder.addRow(row).addRow(row).build();
    builder.addRow(row);
    for (int i = 0; i < row.length; i++) {
      builder.column(i).add(row[i]);
    }
    builder.discardRow();
    builder.endRow();
    Batch batch = builder.build();
    assertThat(((BooleanColumn) batch.column(0)).values()[1]).isFalse();
    assertThat(((IntColumn) batch.column(1)).values()[1]).isZero();
    assertThat(((LongColumn) batch.column(2)).values()[1]).isZero();
    assertThat(((FloatColumn) batch.column(3)).values()[1]).isZero();
    assertThat(((DoubleColumn) batch.column(4)).values()[1]).isZero();
    assertThat(((DecimalColumn) batch.column(5)).values()[1]).isNull();
    assertThat(((StringColumn) batch.column(6)).codes()[1]).isZero();
    assertThat(batch.row(1)).containsOnlyNulls();
  }
}
