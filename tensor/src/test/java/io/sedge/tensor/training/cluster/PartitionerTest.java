package io.sedge.tensor.training.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.proto.DataType;

/** Each test names the row of TensorFlow's cases that it holds. */
class PartitionerTest {
  private static final Shape SIX = Shape.of(6, 1);
  private static final DataType FLOAT = DataType.DT_FLOAT;

  @Test
  void pt02MinSize() {
    assertThat(Partitioner.minSize(4, 2).partitions(SIX, FLOAT, 0)).containsExactly(2, 1);
    assertThat(Partitioner.minSize(4, 10).partitions(SIX, FLOAT, 0)).containsExactly(6, 1);
  }

  @Test
  void pt03MaxSize() {
    assertThat(Partitioner.maxSize(4).partitions(SIX, FLOAT, 0)).containsExactly(6, 1);
    assertThat(Partitioner.maxSize(4, 2).partitions(SIX, FLOAT, 0)).containsExactly(2, 1);
    assertThat(Partitioner.maxSize(1024).partitions(SIX, FLOAT, 0)).containsExactly(1, 1);
  }

  /** Zero shards, which TensorFlow accepts and then cannot use, are refused. */
  @Test
  void pt10Fixed() {
    assertThat(Partitioner.fixedShards(5).partitions(Shape.of(3, 2), FLOAT, 0))
        .containsExactly(3, 1);
    assertThatThrownBy(() -> Partitioner.fixedShards(0))
        .hasMessage("Argument `num_shards` must be positive. Received: 0");
  }

  @Test
  void pt12APieceCanBeUnderTheMinimum() {
    assertThat(Partitioner.minSize(5, 10).partitions(SIX, FLOAT, 0)).containsExactly(5, 1);
  }

  @Test
  void pt13MinSizeIsChecked() {
    assertThatThrownBy(() -> Partitioner.minSize(0L, 1))
        .hasMessage("Argument `min_shard_bytes` must be positive. Received: 0");
    assertThatThrownBy(() -> Partitioner.minSize(1L, 0))
        .hasMessage("Argument `max_shards` must be positive. Received: 0");
  }

  @Test
  void pt14MaxSizeIsChecked() {
    assertThatThrownBy(() -> Partitioner.maxSize(0))
        .hasMessage("Argument `max_shard_bytes` must be positive. Received 0");
    assertThatThrownBy(() -> Partitioner.maxSize(4, -1))
        .hasMessage("Argument `max_shards` must be positive. Received -1");
    assertThat(Partitioner.maxSize(4, 0).partitions(SIX, FLOAT, 0)).containsExactly(6, 1);
  }

  @Test
  void pt15StringsAndOtherAxes() {
    assertThat(Partitioner.maxSize(32).partitions(Shape.of(6), DataType.DT_STRING, 0))
        .containsExactly(3);
    assertThat(Partitioner.maxSize(24).partitions(Shape.of(6, 4), FLOAT, 1)).containsExactly(1, 4);
  }
}
