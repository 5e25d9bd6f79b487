package io.sedge.tensor.training.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.proto.DataType;

/**
 * Into how many pieces a variable is cut, so that it may be larger than one parameter server and
 * its traffic is spread over several. The semantics are TensorFlow's ({@code
 * tf.distribute.experimental.partitioners}). Never asked for a scalar.
 */
@FunctionalInterface
public interface Partitioner {
  /** Bytes that TensorFlow reckons for a string. */
  int BYTES_PER_STRING = 16;

  /** The pieces along each axis; all but those of {@code axis} are 1. */
  List<Integer> partitions(Shape shape, DataType type, int axis);

  /** No variable is cut. */
  static Partitioner none() {
    return (shape, type, axis) -> pieces(shape, axis, 1);
  }

  /** Into {@code shards} pieces, or as many as there are rows if those are fewer. */
  static Partitioner fixedShards(int shards) {
    positive("num_shards", shards);
    return (shape, type, axis) -> pieces(shape, axis, Math.min(shards, shape.get(axis)));
  }

  /** Pieces of at least 256 KiB, at most {@code maxShards}. */
  static Partitioner minSize(int maxShards) {
    return minSize(256 << 10, maxShards);
  }

  /**
   * As many pieces as there are {@code minShardBytes} in the variable, rounded up (so that a piece
   * can be a little under the minimum), at most {@code maxShards}.
   */
  static Partitioner minSize(long minShardBytes, int maxShards) {
    positive("min_shard_bytes", minShardBytes);
    positive("max_shards", maxShards);
    return (shape, type, axis) -> {
      long bytes = shape.size() * bytes(type);
      long wanted = Math.ceilDiv(bytes, minShardBytes);
      return pieces(
          shape, axis, Math.max(1, Math.min(shape.get(axis), Math.min(maxShards, wanted))));
    };
  }

  /** Pieces of at most {@code maxShardBytes}, or of one row if that is more. */
  static Partitioner maxSize(long maxShardBytes) {
    return maxSize(maxShardBytes, 0);
  }

  /** The same with at most {@code maxShards} pieces, if that is not 0. */
  static Partitioner maxSize(long maxShardBytes, int maxShards) {
    if (maxShardBytes <= 0) {
      throw new IllegalArgumentException(
          "Argument `max_shard_bytes` must be positive. Received " + maxShardBytes);
    }
    if (maxShards < 0) {
      throw new IllegalArgumentException(
          "Argument `max_shards` must be positive. Received " + maxShards);
    }
    return (shape, type, axis) -> {
      long rows = shape.get(axis);
      if (rows == 0 || shape.size() == 0) {
        return pieces(shape, axis, 1);
      }
      long rowBytes = shape.size() / rows * bytes(type);
      long rowsPerShard = Math.max(1, maxShardBytes / rowBytes);
      long wanted = Math.ceilDiv(rows, rowsPerShard);
      return pieces(shape, axis, maxShards == 0 ? wanted : Math.min(maxShards, wanted));
    };
  }

  private static void positive(String what, long value) {
    if (value <= 0) {
      throw new IllegalArgumentException(
          "Argument `" + what + "` must be positive. Received: " + value);
    }
  }

  private static List<Integer> pieces(Shape shape, int axis, long count) {
    List<Integer> pieces = new ArrayList<>(Collections.nCopies(shape.numDimensions(), 1));
    pieces.set(axis, Math.toIntExact(count));
    return List.copyOf(pieces);
  }

  private static long bytes(DataType type) {
    return switch (type) {
      case DT_STRING -> BYTES_PER_STRING;
      case DT_DOUBLE, DT_INT64, DT_UINT64, DT_COMPLEX64 -> 8;
      case DT_COMPLEX128 -> 16;
      case DT_HALF, DT_BFLOAT16, DT_INT16, DT_UINT16 -> 2;
      case DT_INT8, DT_UINT8, DT_BOOL -> 1;
      default -> 4;
    };
  }
}
