package io.sedge.tensor.training.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.DeviceSpec;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.VarHandleOp;
import org.tensorflow.proto.DataType;
import org.tensorflow.types.family.TType;

/**
 * Makes the variables of one graph, whole on this machine or cut and placed by a strategy.
 * Variables are shared by name: every session of every graph that makes one of the same name on the
 * same server sees the same values. Not for several threads at once.
 */
public final class Variables {
  private final Ops ops;
  private final Partitioner partitioner;
  private final VariablePlacer placer;
  private final boolean placed;
  private final Map<String, ShardedVariable<?>> made = new LinkedHashMap<>();

  private Variables(Graph graph, Partitioner partitioner, VariablePlacer placer, boolean placed) {
    this.ops = Ops.create(graph);
    this.partitioner = partitioner;
    this.placer = placer;
    this.placed = placed;
  }

  /** Variables where the session is: none is cut, none has a device. */
  public static Variables local(Graph graph) {
    return new Variables(graph, Partitioner.none(), bytes -> 0, false);
  }

  /** Variables where the session is, cut by a partitioner. */
  public static Variables local(Graph graph, Partitioner partitioner) {
    return new Variables(graph, partitioner, bytes -> 0, false);
  }

  static Variables placed(Graph graph, Partitioner partitioner, VariablePlacer placer) {
    return new Variables(graph, partitioner, placer, true);
  }

  /**
   * A variable without a value; {@link ShardedVariable#assign} gives it one.
   *
   * @throws IllegalArgumentException if there is one of that name, or the partitioner cuts along
   *     another axis than the first
   */
  public <T extends TType> ShardedVariable<T> create(String name, Class<T> type, Shape shape) {
    DataType dataType = Types.of(type);
    int count = pieces(shape, dataType);
    List<ShardedVariable.Shard> shards = new ArrayList<>();
    long row = 0;
    for (int i = 0; i < count; i++) {
      Shape part = count == 1 ? shape : part(shape, i, count);
      int task = placer.place(part.size() * Types.bytes(dataType));
      String shardName = count == 1 ? name : name + "/part_" + i;
      shards.add(shard(shardName, type, part, row, task));
      row += shape.numDimensions() == 0 ? 0 : part.get(0);
    }
    return register(new ShardedVariable<>(name, type, shape, shards));
  }

  /**
   * A variable of the same shape and cut, each piece where that of {@code like} is: for what an
   * optimizer remembers.
   */
  public <T extends TType> ShardedVariable<T> createLike(String name, ShardedVariable<T> like) {
    List<ShardedVariable.Shard> shards = new ArrayList<>();
    int i = 0;
    for (ShardedVariable.Shard shard : like.shards()) {
      String shardName = like.shards().size() == 1 ? name : name + "/part_" + i++;
      shards.add(shard(shardName, like.type(), shard.shape(), shard.firstRow(), shard.task()));
    }
    return register(new ShardedVariable<>(name, like.type(), like.shape(), shards));
  }

  /** All variables, in the order in which they were made. */
  public List<ShardedVariable<?>> all() {
    return List.copyOf(made.values());
  }

  private <T extends TType> ShardedVariable<T> register(ShardedVariable<T> variable) {
    if (made.putIfAbsent(variable.name(), variable) != null) {
      throw new IllegalArgumentException("there is a variable '" + variable.name() + "' already");
    }
    return variable;
  }

  private int pieces(Shape shape, DataType type) {
    if (shape.numDimensions() == 0) {
      return 1;
    }
    List<Integer> pieces = partitioner.partitions(shape, type, 0);
    boolean first = !pieces.isEmpty() && pieces.getFirst() > 0;
    if (!first || pieces.stream().skip(1).anyMatch(count -> count != 1)) {
      throw new IllegalArgumentException(
          "variable_partitioner must return a list/tuple whose elements are 1 besides the first"
              + " element (non-zero), got: "
              + pieces);
    }
    return (int) Math.max(1, Math.min(pieces.getFirst(), shape.get(0)));
  }

  /** The first pieces are one row larger where the rows do not come out even. */
  private static Shape part(Shape shape, int index, int count) {
    long rows = shape.get(0) / count + (index < shape.get(0) % count ? 1 : 0);
    long[] dimensions = shape.asArray().clone();
    dimensions[0] = rows;
    return Shape.of(dimensions);
  }

  private <T extends TType> ShardedVariable.Shard shard(
      String name, Class<T> type, Shape shape, long firstRow, int task) {
    Ops here = placed ? ops.withDevice(device(task)) : ops;
    Operand<? extends TType> handle =
        here.withName(name.replace('/', '_'))
            .varHandleOp(type, shape, VarHandleOp.sharedName(name));
    return new ShardedVariable.Shard(
        name, placed ? deviceName(task) : "", task, shape, firstRow, handle);
  }

  /** Operations where a piece is, so that what it is changed with need not travel. */
  public Ops at(ShardedVariable.Shard shard) {
    return placed ? ops.withDevice(device(shard.task())) : ops;
  }

  private static String deviceName(int task) {
    return "/job:" + ParameterServerStrategy.PS + "/task:" + task + "/device:CPU:0";
  }

  private static DeviceSpec device(int task) {
    return DeviceSpec.newBuilder()
        .job(ParameterServerStrategy.PS)
        .task(task)
        .deviceType(DeviceSpec.DeviceType.CPU)
        .deviceIndex(0)
        .build();
  }
}
