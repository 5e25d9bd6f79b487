package io.sedge.engine.column;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchTest {
  private static final int ROWS = 100;

  private static LongColumn longs(long... values) {
    return new LongColumn(values, null, values.length);
  }

  /**
   * Columns: the row's number, and its text; watermarks of their own; every third is a deletion.
   */
  private static Batch batch(SplittableRandom random) {
    long[] numbers = IntStream.range(0, ROWS).asLongStream().toArray();
    long[] own = random.longs(ROWS, 0, 1000).toArray();
    ChangeKind[] changes = new ChangeKind[ROWS];
    String[] texts = new String[ROWS];
    boolean[] nulls = new boolean[ROWS];
    for (int i = 0; i < ROWS; i++) {
      changes[i] = i % 3 == 0 ? ChangeKind.DELETE : ChangeKind.INSERT;
      texts[i] = "row " + i;
      nulls[i] = i % 7 == 0;
    }
    return new Batch(ROWS, List.of(longs(numbers), StringColumn.of(texts, ROWS)), changes, null)
        .withWatermarksAfter(500, new LongColumn(own, nulls, ROWS));
  }

  private static int[] someRows(SplittableRandom random, int of) {
    return IntStream.range(0, of).filter(_ -> random.nextInt(10) < 7).toArray();
  }

  private static void assertSame(Batch actual, Batch expected) {
    assertThat(actual.rows()).isEqualTo(expected.rows());
    for (int row = 0; row < actual.rows(); row++) {
      assertThat(actual.row(row)).isEqualTo(expected.row(row));
      assertThat(actual.change(row)).isEqualTo(expected.change(row));
      assertThat(actual.watermarks()[row]).isEqualTo(expected.watermarks()[row]);
    }
  }

  /** A view is an optimisation: nobody may see a difference, however views are stacked. */
  @Test
  void aViewOfRowsIsWhatACopyOfThemIs() {
    long seed = System.nanoTime();
    System.out.println("BatchTest seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 50; round++) {
      Batch view = batch(random);
      Batch copy = view.slice(0, ROWS);
      for (int depth = 0; depth < 3; depth++) {
        int[] rows = someRows(random, view.rows());
        if (random.nextBoolean()) {
          view.watermarks(); // worked out before or after, it is the same
        }
        view = view.select(rows.clone(), rows.length);
        copy = copy.gather(rows, rows.length);
        assertThat(view.watermarksAreBefore(-1)).isFalse();
        assertSame(view, copy);
        assertSame(view.project(new int[] {1, 0}), copy.project(new int[] {1, 0}));
        int middle = view.rows() / 2;
        assertSame(view.slice(1, middle), copy.slice(1, middle));
      }
    }
  }

  @Test
  void whatAViewIsOfCanBeWorkedOnInPlace() {
    Batch all = new Batch(4, List.of(longs(10, 11, 12, 13), longs(20, 21, 22, 23)));
    Batch view = all.select(new int[] {1, 3}, 2).project(new int[] {1});
    assertThat(((LongColumn) view.source().column(0)).values()).containsExactly(20, 21, 22, 23);
    assertThat(view.sourceRows()).startsWith(1, 3);
    assertThat(all.source()).isSameAs(all);
    assertThat(all.sourceRows()).isNull();
  }

  /** DESIGN 004: a row's own watermark counts from the row after it on. */
  @Test
  void eachRowHasTheGreatestWatermarkOfThoseBeforeIt() {
    Batch batch =
        new Batch(4, List.of(longs(1, 2, 3, 4)))
            .withWatermarksAfter(
                7,
                new LongColumn(
                    new long[] {5, 9, 0, 8}, new boolean[] {false, false, true, false}, 4));
    assertThat(batch.watermarks()).containsExactly(7, 7, 9, 9);
    assertThat(batch.lastWatermark()).isEqualTo(9);
    assertThat(batch.watermarksAreBefore(9)).isFalse();
    assertThat(batch.watermarksAreBefore(10)).isTrue();
  }

  @Test
  void aBatchWithoutWatermarksIsBeforeEveryInstant() {
    Batch batch = new Batch(1, List.of(longs(1)));
    assertThat(batch.watermarks()).isNull();
    assertThat(batch.watermarksAreBefore(Long.MIN_VALUE)).isTrue();
  }
}
