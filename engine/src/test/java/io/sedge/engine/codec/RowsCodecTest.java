package io.sedge.engine.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows as bytes: outbox, exchange and snapshots hold them, of this version and the one before. */
class RowsCodecTest {
  private static final Schema WINDOWS =
      new Schema(
          List.of(
              new Schema.Field("sensor", Type.STRING),
              new Schema.Field("window_end", Type.timestamp(3)),
              new Schema.Field("n", Type.BIGINT),
              new Schema.Field("mean", Type.DOUBLE)));

  private static final List<ChangeKind> CHANGES = List.of(ChangeKind.values());

  private static final Schema ALL =
      new Schema(
          List.of(
              new Schema.Field("b", Type.BOOLEAN),
              new Schema.Field("i", Type.INT),
              new Schema.Field("l", Type.BIGINT),
              new Schema.Field("f", Type.FLOAT),
              new Schema.Field("d", Type.DOUBLE),
              new Schema.Field("c", Type.decimal(20, 3)),
              new Schema.Field("s", Type.STRING),
              new Schema.Field("a", Type.array(Type.STRING))));

  private static List<List<@Nullable Object>> rows(Batch batch) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int row = 0; row < batch.rows(); row++) {
      List<@Nullable Object> values = new ArrayList<>(batch.row(row));
      values.add(batch.change(row));
      rows.add(values);
    }
    return rows;
  }

  private static List<List<@Nullable Object>> rows(List<Batch> batches) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    batches.forEach(batch -> rows.addAll(rows(batch)));
    return rows;
  }

  private static @Nullable Object value(int column, Random random) {
    if (random.nextInt(5) == 0) {
      return null;
    }
    return switch (column) {
      case 0 -> random.nextBoolean();
      case 1 -> random.nextBoolean() ? random.nextInt() : Integer.valueOf(random.nextInt(9) - 4);
      case 2 -> random.nextBoolean() ? random.nextLong() : Long.valueOf(random.nextInt(9) - 4);
      case 3 -> random.nextFloat();
      case 4 -> random.nextInt(4) == 0 ? Double.NaN : random.nextGaussian();
      case 5 -> BigDecimal.valueOf(random.nextLong(), 3);
      case 6 -> "é".repeat(random.nextInt(3)) + random.nextInt(5);
      default -> Arrays.asList("x" + random.nextInt(3), null);
    };
  }

  private static Batch batch(Random random, boolean updates) {
    BatchBuilder builder = new BatchBuilder(ALL);
    int rows = random.nextInt(40);
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < ALL.size(); column++) {
        builder.column(column).add(value(column, random));
      }
      builder.endRow(updates ? CHANGES.get(random.nextInt(CHANGES.size())) : ChangeKind.INSERT);
    }
    return builder.build();
  }

  /** Several batches become one: nothing but where they began and ended may be lost. */
  @Test
  void rowsOfAllTypesComeBack() {
    RowsCodec codec = new RowsCodec(ALL);
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<Batch> batches = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        batches.add(batch(random, random.nextInt(3) == 0));
      }
      byte[] bytes = codec.encode(batches);
      assertThat(rows(codec.decode(RowsCodec.rows(batches), bytes)))
          .as("seed %d", seed)
          .isEqualTo(rows(batches));
    }
  }

  @Test
  void viewsAndExtremesComeBack() {
    Batch all =
        new BatchBuilder(WINDOWS)
            .addRow("a", Long.MIN_VALUE, Long.MAX_VALUE, -0.0)
            .addRow("b", Long.MAX_VALUE, Long.MIN_VALUE, Double.MIN_VALUE)
            .addRow(null, 0L, null, null)
            .build();
    RowsCodec codec = new RowsCodec(WINDOWS);
    Batch view = all.select(new int[] {1, 2}, 2);
    assertThat(rows(codec.decode(5, codec.encode(List.of(all, view)))))
        .isEqualTo(rows(List.of(all, view)));
    assertThat(codec.decode(0, codec.encode(List.of())).rows()).isZero();
  }

  /** {@code SELECT COUNT(*)} over several devices reads rows of which no column is wanted. */
  @Test
  void rowsWithoutColumnsComeBack() {
    Schema none = new Schema(List.of());
    RowsCodec codec = new RowsCodec(none);
    BatchBuilder insertions = new BatchBuilder(none);
    BatchBuilder updates = new BatchBuilder(none);
    for (int row = 0; row < 20; row++) {
      insertions.endRow(ChangeKind.INSERT);
      updates.endRow(CHANGES.get(row % CHANGES.size()));
    }
    for (Batch batch : List.of(insertions.build(), updates.build())) {
      Batch decoded = codec.decode(20, codec.encode(List.of(batch)));
      assertThat(decoded.rows()).isEqualTo(20);
      assertThat(rows(decoded)).isEqualTo(rows(batch));
    }
  }

  /** An outbox outlives an upgrade: what the version before wrote is in ledgers. */
  @Test
  void rowsOfTheVersionBeforeAreRead() {
    byte[] bytes =
        HexFormat.of()
            .parseHex(
                "01"
                    + "00"
                    + "010000000161"
                    + "010000000000002710"
                    + "010000000000000003"
                    + "013ff8000000000000"
                    + "03"
                    + "00"
                    + "010000000000002710"
                    + "00"
                    + "00");
    Batch batch = new RowsCodec(WINDOWS).decode(2, bytes);
    assertThat(rows(batch))
        .containsExactly(
            List.of("a", 10_000L, 3L, 1.5, ChangeKind.INSERT),
            Arrays.asList(null, 10_000L, null, null, ChangeKind.DELETE));
  }

  /** What a window's row takes is sent to every device and written by each. */
  @Test
  void windowsTakeLittleMoreThanTheirMeasures() {
    List<Batch> batches = new ArrayList<>();
    for (int window = 0; window < 40; window++) {
      BatchBuilder builder = new BatchBuilder(WINDOWS);
      for (int sensor = 0; sensor < 100; sensor++) {
        builder.addRow("line-1/sensor-" + sensor, window * 10_000_000L, 100L, sensor / 7.0);
      }
      batches.add(builder.build());
    }
    List<List<Batch>> blocks = RowsCodec.blocks(batches);
    assertThat(blocks).hasSize(1);
    byte[] bytes = new RowsCodec(WINDOWS).encode(blocks.getFirst());
    assertThat(bytes.length / 4_000.0).isLessThan(12);
  }

  @Test
  void blocksHaveAboutAsManyRowsAsABatch() {
    Batch thousand = thousandRows();
    assertThat(RowsCodec.blocks(List.of())).isEmpty();
    assertThat(RowsCodec.blocks(List.of(thousand, thousand, thousand, thousand, thousand)))
        .extracting(List::size)
        .containsExactly(4, 1);
  }

  private static Batch thousandRows() {
    BatchBuilder builder = new BatchBuilder(WINDOWS);
    for (int row = 0; row < 1_000; row++) {
      builder.addRow("s", 0L, 0L, 0.0);
    }
    return builder.build();
  }

  /** Bytes come from other devices: whatever they are, nothing but a refusal comes of them. */
  @Test
  void otherBytesAreRefused() {
    RowsCodec codec = new RowsCodec(ALL);
    Random random = new Random(7);
    Batch batch = batch(random, true);
    byte[] bytes = codec.encode(List.of(batch));
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> codec.decode(batch.rows(), cut))
          .isInstanceOf(IllegalArgumentException.class);
    }
    byte[] more = Arrays.copyOf(bytes, bytes.length + 1);
    assertThatThrownBy(() -> codec.decode(batch.rows(), more))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> codec.decode(Integer.MAX_VALUE, bytes))
        .isInstanceOf(IllegalArgumentException.class);
    bytes[0] = 3;
    assertThatThrownBy(() -> codec.decode(batch.rows(), bytes))
        .hasMessage("rows of version 3, this is version 2");
    for (int i = 0; i < 20_000; i++) {
      byte[] damaged = codec.encode(List.of(batch));
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      try {
        codec.decode(batch.rows(), damaged);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageNotContaining("null");
      }
    }
  }
}
