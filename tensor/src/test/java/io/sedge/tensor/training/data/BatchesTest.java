package io.sedge.tensor.training.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BatchesTest {
  @Test
  void inEveryEpochEveryExampleIsInExactlyOneBatchWhoeverTakesThem() {
    for (int shards = 1; shards <= 4; shards++) {
      Batches batches = new Batches(examples(23), shards, 5, true, 7, 0);
      for (int epoch = 0; epoch < 3; epoch++) {
        List<Integer> seen = new ArrayList<>();
        int count = batches.perEpoch();
        for (int i = 0; i < count; i++) {
          // Only the first shard asks: it must get the others' batches as well.
          Batches.Batch batch = batches.next(0);
          assertThat(batch.epoch()).isEqualTo(epoch);
          Arrays.stream(batch.examples()).forEach(seen::add);
        }
        assertThat(seen)
            .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 23).boxed().toList());
      }
    }
  }

  @Test
  void aShardTakesItsOwnExamplesAsLongAsThereAreSome() {
    Batches batches = new Batches(examples(12), 3, 2, true, 7, 0);
    for (int i = 0; i < 2; i++) {
      Batches.Batch batch = batches.next(1);
      assertThat(batch.shard()).isEqualTo(1);
      assertThat(Arrays.stream(batch.examples())).allMatch(example -> example % 3 == 1);
    }
    assertThat(batches.next(1).shard()).isNotEqualTo(1);
  }

  @Test
  void theOrderIsTheSeeds() {
    assertThat(first(1)).isEqualTo(first(1));
    assertThat(first(1)).isNotEqualTo(first(2));
  }

  private static int[] first(long seed) {
    return new Batches(examples(100), 1, 10, true, seed, 0).next(0).examples();
  }

  @Test
  void aWholeShardIsOneBatch() {
    Batches batches = new Batches(examples(10), 4, 0, false, 1, 0);
    assertThat(batches.perEpoch()).isEqualTo(4);
    assertThat(batches.nominalSize()).isEqualTo(2.5);
    assertThat(batches.next(3).examples()).containsExactly(3, 7);
  }

  @Test
  void moreShardsThanExamplesAreRefused() {
    assertThatThrownBy(() -> new Batches(examples(2), 3, 1, true, 1, 0))
        .hasMessageContaining("3 shards of 2 examples");
  }

  @Test
  void aWindowHasItsRowsAndItsLastRowsTarget() {
    List<double[]> rows =
        IntStream.range(0, 7).mapToObj(i -> new double[] {i, 10 * i, 100 * i}).toList();
    Table table = Table.of("rows", List.of("a", "b", "y"), rows);
    ExampleColumns columns = new ExampleColumns(List.of("b", "a"), List.of("y"), 3, 2);
    Examples examples = Examples.of(table, columns, Scaling.none(2), Scaling.none(1));
    assertThat(examples.size()).isEqualTo(3);
    double[] features = new double[6];
    examples.copyFeatures(new int[] {1}, features);
    assertThat(features).containsExactly(20, 2, 30, 3, 40, 4);
    assertThat(examples.target(1, 0)).isEqualTo(400);
    assertThat(examples.shard(1, 2).size()).isEqualTo(1);
    assertThat(examples.shard(0, 2).target(1, 0)).isEqualTo(600);
  }

  @Test
  void fewerRowsThanAWindowAreRefused() {
    Table table = Table.of("rows", List.of("a"), List.of(new double[] {1}));
    ExampleColumns columns = new ExampleColumns(List.of("a"), List.of(), 2, 1);
    assertThatThrownBy(() -> Examples.of(table, columns, Scaling.none(1), Scaling.none(0)))
        .hasMessageContaining("rows has 1 rows, fewer than one window of 2");
  }

  @Test
  void scalingIsByMeanAndPopulationDeviationAndAConstantColumnBecomesZero() {
    Table table =
        Table.of(
            "rows",
            List.of("a", "c"),
            List.of(new double[] {1, 0.1}, new double[] {3, 0.1}, new double[] {5, 0.1}));
    Scaling scaling = Scaling.of(table, List.of("a", "c"));
    assertThat(scaling.mean().getFirst()).isEqualTo(3);
    assertThat(scaling.deviation().getFirst()).isEqualTo(Math.sqrt(8.0 / 3));
    assertThat(scaling.scale(1, 0.1)).isBetween(-1e-12, 1e-12);
    assertThat(scaling.unscale(0, scaling.scale(0, 17))).isBetween(16.999999, 17.000001);
  }

  private static Examples examples(int count) {
    List<double[]> rows = IntStream.range(0, count).mapToObj(i -> new double[] {i}).toList();
    Table table = Table.of("rows", List.of("a"), rows);
    ExampleColumns columns = new ExampleColumns(List.of("a"), List.of());
    return Examples.of(table, columns, Scaling.none(1), Scaling.none(0));
  }
}
