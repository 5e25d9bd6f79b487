package io.sedge.tensor.training.cluster;

import java.util.ArrayList;
import java.util.List;
import org.tensorflow.Operand;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.family.TNumber;
import org.tensorflow.types.family.TType;

/**
 * A variable of a graph, in one piece or cut along its first axis into pieces that may be on
 * different parameter servers. Its methods add operations to the graph; a session runs them. A
 * piece is changed as one; a variable of several pieces is not, when several sessions change it at
 * once.
 *
 * @param <T> the type of its numbers
 */
public final class ShardedVariable<T extends TType> {
  /**
   * A piece.
   *
   * @param name the variable's, followed by {@code /part_i} if there are several
   * @param device TensorFlow's name for where it is; empty where the session is
   * @param task the parameter server's index; 0 where there is none
   * @param firstRow the row of the variable that is its first
   * @param handle the resource
   */
  public record Shard(
      String name,
      String device,
      int task,
      Shape shape,
      long firstRow,
      Operand<? extends TType> handle) {}

  /** What a scatter does with the rows that are there and those that come. */
  public enum Scatter {
    /** Adds. */
    ADD,
    /** Subtracts. */
    SUB,
    /** Multiplies. */
    MUL,
    /** Divides what is there by what comes. */
    DIV,
    /** Keeps the smaller. */
    MIN,
    /** Keeps the larger. */
    MAX,
    /** Replaces. */
    UPDATE
  }

  private final String name;
  private final Class<T> type;
  private final Shape shape;
  private final List<Shard> shards;

  ShardedVariable(String name, Class<T> type, Shape shape, List<Shard> shards) {
    this.name = name;
    this.type = type;
    this.shape = shape;
    this.shards = List.copyOf(shards);
  }

  /** The name under which it is saved. */
  public String name() {
    return name;
  }

  /** The type of its numbers. */
  public Class<T> type() {
    return type;
  }

  /** The shape of the whole. */
  public Shape shape() {
    return shape;
  }

  /** The pieces, in the order of their rows; one that is the whole if it was not cut. */
  public List<Shard> shards() {
    return shards;
  }

  /** The whole, pieces one after the other. */
  public Operand<T> read(Ops ops) {
    List<Operand<T>> parts = new ArrayList<>();
    for (Shard shard : shards) {
      parts.add(read(ops, shard));
    }
    return parts.size() == 1 ? parts.getFirst() : ops.concat(parts, ops.constant(0));
  }

  /** One piece. */
  public Operand<T> read(Ops ops, Shard shard) {
    return ops.readVariableOp(shard.handle(), type);
  }

  /** Cuts a value of the whole's shape as the variable is cut. */
  public List<Operand<T>> split(Ops ops, Operand<T> value) {
    if (shards.size() == 1) {
      return List.of(value);
    }
    int[] rows = shards.stream().mapToInt(shard -> (int) shard.shape().get(0)).toArray();
    return List.copyOf(
        ops.splitV(value, ops.constant(rows), ops.constant(0), (long) rows.length).output());
  }

  /** Replaces the value. */
  public List<Op> assign(Ops ops, Operand<T> value) {
    return each(ops, value, (shard, part) -> ops.assignVariableOp(shard.handle(), part));
  }

  /** Adds to the value. */
  public List<Op> assignAdd(Ops ops, Operand<T> value) {
    return each(ops, value, (shard, part) -> ops.assignAddVariableOp(shard.handle(), part));
  }

  /** Subtracts from the value. */
  public List<Op> assignSub(Ops ops, Operand<T> value) {
    return each(ops, value, (shard, part) -> ops.assignSubVariableOp(shard.handle(), part));
  }

  private interface Change<T extends TType> {
    Op of(Shard shard, Operand<T> part);
  }

  private List<Op> each(Ops ops, Operand<T> value, Change<T> change) {
    List<Operand<T>> parts = split(ops, value);
    List<Op> made = new ArrayList<>();
    for (int i = 0; i < shards.size(); i++) {
      made.add(change.of(shards.get(i), parts.get(i)));
    }
    return List.copyOf(made);
  }

  /**
   * The rows of these numbers, as TensorFlow's embedding lookup gives them: each server is asked
   * only for the rows that it has.
   *
   * @param rows a vector of row numbers; one that the variable does not have makes the step fail
   */
  public Operand<T> gather(Ops ops, Operand<TInt32> rows) {
    if (shards.size() == 1) {
      return ops.resourceGather(shards.getFirst().handle(), rows, type);
    }
    Operand<TInt32> owners = owners(ops, rows);
    List<Operand<TInt32>> local = perShard(ops, rows, owners);
    List<Operand<TInt32>> places =
        perShardPlaces(ops, ops.range(ops.constant(0), ops.size(rows), ops.constant(1)), owners);
    List<Operand<T>> found = new ArrayList<>();
    for (int i = 0; i < shards.size(); i++) {
      found.add(ops.resourceGather(shards.get(i).handle(), local.get(i), type));
    }
    return ops.dynamicStitch(places, found);
  }

  /**
   * Changes the rows of these numbers.
   *
   * @param rows a vector of row numbers
   * @param updates a row for each of them
   */
  public List<Op> scatter(Ops ops, Scatter how, Operand<TInt32> rows, Operand<T> updates) {
    if (shards.size() == 1) {
      return List.of(scatter(ops, how, shards.getFirst(), rows, updates));
    }
    Operand<TInt32> owners = owners(ops, rows);
    List<Operand<TInt32>> local = perShard(ops, rows, owners);
    List<Operand<T>> parts =
        List.copyOf(ops.dynamicPartition(updates, owners, (long) shards.size()).outputs());
    List<Op> made = new ArrayList<>();
    for (int i = 0; i < shards.size(); i++) {
      made.add(scatter(ops, how, shards.get(i), local.get(i), parts.get(i)));
    }
    return List.copyOf(made);
  }

  private Op scatter(Ops ops, Scatter how, Shard shard, Operand<TInt32> rows, Operand<T> updates) {
    Operand<? extends TType> handle = shard.handle();
    return switch (how) {
      case ADD -> ops.resourceScatterAdd(handle, rows, updates);
      case SUB -> ops.resourceScatterSub(handle, rows, updates);
      case MUL -> ops.resourceScatterMul(handle, rows, updates);
      case DIV -> ops.resourceScatterDiv(handle, rows, updates);
      case MIN -> ops.resourceScatterMin(handle, rows, updates);
      case MAX -> ops.resourceScatterMax(handle, rows, updates);
      case UPDATE -> ops.resourceScatterUpdate(handle, rows, updates);
    };
  }

  /** For each row number, which piece has it: how many pieces begin at or before it, less one. */
  private Operand<TInt32> owners(Ops ops, Operand<TInt32> rows) {
    int[] starts = shards.stream().skip(1).mapToInt(shard -> (int) shard.firstRow()).toArray();
    Operand<TInt32> column = ops.expandDims(rows, ops.constant(1));
    Operand<TInt32> reached =
        ops.dtypes.cast(ops.math.greaterEqual(column, ops.constant(starts)), TInt32.class);
    return ops.sum(reached, ops.constant(1));
  }

  private List<Operand<TInt32>> perShard(Ops ops, Operand<TInt32> rows, Operand<TInt32> owners) {
    int[] starts = shards.stream().mapToInt(shard -> (int) shard.firstRow()).toArray();
    Operand<TInt32> local =
        ops.math.sub(rows, ops.gather(ops.constant(starts), owners, ops.constant(0)));
    return perShardPlaces(ops, local, owners);
  }

  private <U extends TNumber> List<Operand<U>> perShardPlaces(
      Ops ops, Operand<U> values, Operand<TInt32> owners) {
    return List.copyOf(ops.dynamicPartition(values, owners, (long) shards.size()).outputs());
  }

  @Override
  public String toString() {
    return "ShardedVariable(" + name + ", " + shape + ", " + shards.size() + " shards)";
  }
}
