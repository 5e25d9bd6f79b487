package io.sedge.tensor.training.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.tensor.training.cluster.ShardedVariable.Scatter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.ndarray.buffer.DataBuffers;
import org.tensorflow.ndarray.index.Indices;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.types.TFloat32;

/** Variables in pieces, in one process. Each test names the row of TensorFlow's cases it holds. */
class ShardedVariableTest {
  private final Graph graph = new Graph();
  private final Session session = new Session(graph);
  private final Ops ops = Ops.create(graph);

  @AfterEach
  void close() {
    session.close();
    graph.close();
  }

  private ShardedVariable<TFloat32> variable(int shards, int rows, int width) {
    Shape shape = width == 0 ? Shape.of(rows) : Shape.of(rows, width);
    return Variables.local(graph, Partitioner.fixedShards(shards))
        .create("v" + shards, TFloat32.class, shape);
  }

  private Operand<TFloat32> rows(int rows, int width, float... values) {
    Operand<TFloat32> flat = ops.constant(values);
    return width == 0 ? flat : ops.reshape(flat, ops.constant(new int[] {rows, width}));
  }

  private void run(List<Op> changes) {
    Session.Runner runner = session.runner();
    changes.forEach(runner::addTarget);
    runner.run().close();
  }

  private float[] values(Operand<TFloat32> operand) {
    try (Result result = session.runner().fetch(operand).run()) {
      TFloat32 tensor = (TFloat32) result.get(0);
      float[] values = new float[(int) tensor.size()];
      tensor.copyTo(
          org.tensorflow.ndarray.NdArrays.wrap(
              tensor.shape(), DataBuffers.of(values, false, false)));
      return values;
    }
  }

  private static float[] counting(int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = i + 1;
    }
    return values;
  }

  @Test
  void sh01NameShapeTypeAndPiecesInOrder() {
    ShardedVariable<TFloat32> variable = variable(2, 2, 0);
    assertThat(variable.shape()).isEqualTo(Shape.of(2));
    assertThat(variable.type()).isEqualTo(TFloat32.class);
    assertThat(variable.shards())
        .extracting(ShardedVariable.Shard::name)
        .containsExactly("v2/part_0", "v2/part_1");
  }

  @Test
  void sh02To04AssignAddAndSubtractReachEveryPiece() {
    ShardedVariable<TFloat32> variable = variable(3, 4, 2);
    run(variable.assign(ops, rows(4, 2, 0, 0, 1, 1, 2, 2, 3, 3)));
    assertThat(values(variable.read(ops))).containsExactly(0, 0, 1, 1, 2, 2, 3, 3);
    assertThat(values(variable.read(ops, variable.shards().getFirst())))
        .containsExactly(0, 0, 1, 1);
    run(variable.assignAdd(ops, rows(4, 2, 1, 1, 1, 1, 2, 2, 2, 2)));
    assertThat(values(variable.read(ops))).containsExactly(1, 1, 2, 2, 4, 4, 5, 5);
    run(variable.assignSub(ops, rows(4, 2, 0, 0, 1, 1, 1, 1, 3, 3)));
    assertThat(values(variable.read(ops))).containsExactly(1, 1, 1, 1, 3, 3, 2, 2);
  }

  /** 30 rows as 10/10/10 and 32 as 11/11/10: the same as a variable in one piece. */
  @ParameterizedTest
  @EnumSource(Scatter.class)
  void sh05To13ScattersAreThoseOfAWholeVariable(Scatter scatter) {
    for (int rows : new int[] {30, 32}) {
      int[] places = rows == 30 ? new int[] {0, 10, 12, 21, 22} : new int[] {0, 10, 11, 12, 31};
      Operand<TFloat32> updates = rows(5, 0, 1, 2, 3, 4, 5);
      List<float[]> results = new ArrayList<>();
      for (int shards : new int[] {1, 3}) {
        ShardedVariable<TFloat32> variable =
            Variables.local(graph, Partitioner.fixedShards(shards))
                .create(rows + "of" + shards, TFloat32.class, Shape.of(rows));
        run(variable.assign(ops, rows(rows, 0, counting(rows))));
        run(variable.scatter(ops, scatter, ops.constant(places), updates));
        results.add(values(variable.read(ops)));
      }
      assertThat(results.get(1)).isEqualTo(results.get(0));
      if (scatter != Scatter.MIN && scatter != Scatter.MAX) {
        assertThat(results.get(1)).isNotEqualTo(counting(rows));
      }
    }
  }

  @Test
  void sh14RowsAreGatheredFromTheirPieces() {
    ShardedVariable<TFloat32> variable = variable(3, 30, 0);
    run(variable.assign(ops, rows(30, 0, counting(30))));
    assertThat(values(variable.gather(ops, ops.constant(new int[] {0, 10, 12, 21, 22, 0}))))
        .containsExactly(1, 11, 13, 22, 23, 1);
  }

  @Test
  void sh16And35TheWholeIsThePiecesOneAfterTheOther() {
    ShardedVariable<TFloat32> variable = variable(3, 4, 2);
    run(variable.assign(ops, rows(4, 2, counting(8))));
    assertThat(values(variable.read(ops))).isEqualTo(counting(8));
  }

  @Test
  void sh27AnEmbeddingLookupAsksEachPieceForItsRows() {
    ShardedVariable<TFloat32> variable = variable(3, 5, 2);
    run(variable.assign(ops, rows(5, 2, counting(10))));
    assertThat(values(variable.gather(ops, ops.constant(new int[] {0, 3, 4}))))
        .containsExactly(1, 2, 7, 8, 9, 10);
    long gathers =
        java.util.stream.StreamSupport.stream(
                java.util.Spliterators.spliteratorUnknownSize(graph.operations(), 0), false)
            .filter(operation -> operation.type().equals("ResourceGather"))
            .count();
    assertThat(gathers).isEqualTo(3);
  }

  /** Slices are TensorFlow's own, of the whole. */
  @Test
  void sh28And30SlicesAreThoseOfTheWhole() {
    ShardedVariable<TFloat32> variable = variable(3, 8, 2);
    run(variable.assign(ops, rows(8, 2, counting(16))));
    assertThat(sliced(variable, 0, 8, 3)).containsExactly(1, 2, 7, 8, 13, 14);
    assertThat(sliced(variable, 1, 8, 6)).containsExactly(3, 4, 15, 16);
    assertThat(sliced(variable, 2, 7, 2)).containsExactly(5, 6, 9, 10, 13, 14);
    assertThat(sliced(variable, 5, 3, 1)).isEmpty();
    assertThat(sliced(variable, -8, 2, 1)).containsExactly(1, 2, 3, 4);
  }

  private float[] sliced(ShardedVariable<TFloat32> variable, int from, int to, int step) {
    return values(
        ops.stridedSlice(
            variable.read(ops),
            ops.constant(new int[] {from}),
            ops.constant(new int[] {to}),
            ops.constant(new int[] {step})));
  }

  /** Columns, single rows and elements, masks: TensorFlow's own operations on the whole. */
  @Test
  void sh31OtherIndicesAreThoseOfTheWhole() {
    ShardedVariable<TFloat32> variable = variable(3, 8, 2);
    run(variable.assign(ops, rows(8, 2, counting(16))));
    Operand<TFloat32> whole = variable.read(ops);
    assertThat(values(ops.stridedSlice(whole, Indices.all(), Indices.at(0))))
        .containsExactly(1, 3, 5, 7, 9, 11, 13, 15);
    assertThat(values(ops.stridedSlice(whole, Indices.all(), Indices.sliceTo(1))))
        .containsExactly(1, 3, 5, 7, 9, 11, 13, 15);
    assertThat(values(ops.stridedSlice(whole, Indices.at(2)))).containsExactly(5, 6);
    assertThat(values(ops.stridedSlice(whole, Indices.at(6)))).containsExactly(13, 14);
    assertThat(values(ops.stridedSlice(whole, Indices.at(2), Indices.at(1)))).containsExactly(6);
    assertThat(values(ops.stridedSlice(whole, Indices.at(-2)))).containsExactly(13, 14);
    assertThat(values(ops.stridedSlice(whole, Indices.ellipsis()))).isEqualTo(counting(16));
    assertThat(values(ops.stridedSlice(whole, Indices.ellipsis(), Indices.at(0))))
        .containsExactly(1, 3, 5, 7, 9, 11, 13, 15);
    assertThat(
            values(
                ops.stridedSlice(whole, Indices.sliceTo(1), Indices.ellipsis(), Indices.newAxis())))
        .containsExactly(1, 2);
    for (int row : new int[] {100, -100}) {
      assertThatThrownBy(() -> values(ops.stridedSlice(whole, Indices.at(row))))
          .hasMessageContaining("out of bounds");
    }
    assertThat(values(ops.booleanMask(whole, ops.math.greater(whole, ops.constant(10f)))))
        .containsExactly(11, 12, 13, 14, 15, 16);
  }

  @Test
  void aRowThatIsNotThereFailsTheStep() {
    ShardedVariable<TFloat32> variable = variable(2, 4, 0);
    run(variable.assign(ops, rows(4, 0, counting(4))));
    Operand<TFloat32> missing = variable.gather(ops, ops.constant(new int[] {4}));
    assertThatThrownBy(() -> values(missing)).hasMessageContaining("not in [0, 2)");
  }
}
