package io.sedge.tensor.training.cluster;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.tensorflow.ConcreteFunction;
import org.tensorflow.Graph;
import org.tensorflow.GraphOperation;
import org.tensorflow.Operand;
import org.tensorflow.Operation;
import org.tensorflow.Output;
import org.tensorflow.Signature;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.op.data.IteratorGetNext;
import org.tensorflow.proto.DataType;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;
import org.tensorflow.types.family.TType;

/**
 * A dataset that each worker reads for itself: {@code tf.data.Dataset} within a per-worker dataset.
 * All of it, files included, is read by TensorFlow in the worker's own process; nothing of it
 * passes through the coordinator. An element has one or several parts, each a tensor.
 *
 * <p>A dataset belongs to a graph and is immutable; each method gives another one. Numbers that
 * differ between workers ({@link #shard}, and what {@link PerWorker} says) are fed when a worker
 * begins to read. Not for several threads at once while a graph is made.
 */
public final class WorkerDataset {
  /** A number that depends on the worker. */
  @FunctionalInterface
  public interface PerWorker {
    /** The number for a worker. */
    long of(WorkerContext worker);
  }

  private record Fed(Placeholder<TInt64> placeholder, PerWorker value) {}

  private static final AtomicLong NAMES = new AtomicLong();

  private final Graph graph;
  private final Ops ops;
  private final Operand<? extends TType> variant;
  private final List<Class<? extends TType>> types;
  private final List<Shape> shapes;
  private final List<Fed> fed;

  private WorkerDataset(
      Graph graph,
      Operand<? extends TType> variant,
      List<Class<? extends TType>> types,
      List<Shape> shapes,
      List<Fed> fed) {
    this.graph = graph;
    this.ops = Ops.create(graph);
    this.variant = variant;
    this.types = List.copyOf(types);
    this.shapes = List.copyOf(shapes);
    this.fed = List.copyOf(fed);
  }

  /** The numbers from {@code from}, inclusive, to {@code to}, exclusive, one after the other. */
  public static WorkerDataset range(Graph graph, long from, long to) {
    Ops ops = Ops.create(graph);
    List<Class<? extends TType>> types = List.of(TInt64.class);
    List<Shape> shapes = List.of(Shape.scalar());
    Operand<? extends TType> made =
        ops.data.rangeDataset(
            ops.constant(from), ops.constant(to), ops.constant(1L), types, shapes);
    return new WorkerDataset(graph, made, types, shapes, List.of());
  }

  /** The lines of a text file of the worker's machine, without their ends. */
  public static WorkerDataset lines(Graph graph, String file) {
    Ops ops = Ops.create(graph);
    Operand<? extends TType> made =
        ops.data.textLineDataset(ops.constant(file), ops.constant(""), ops.constant(0L));
    return new WorkerDataset(
        graph, made, List.of(TString.class), List.of(Shape.scalar()), List.of());
  }

  /**
   * A dataset that a function makes, which must make nothing but that: variables belong to
   * parameter servers.
   *
   * @throws IllegalArgumentException if the function makes a variable
   */
  public static WorkerDataset of(Graph graph, Function<Graph, WorkerDataset> function) {
    long before = variables(graph);
    WorkerDataset made = function.apply(graph);
    if (variables(graph) > before) {
      throw new IllegalArgumentException("Creating variables in `dataset_fn` is not allowed.");
    }
    return made;
  }

  private static long variables(Graph graph) {
    long count = 0;
    for (Iterator<GraphOperation> all = graph.operations(); all.hasNext(); ) {
      String type = all.next().type();
      count += type.equals("VarHandleOp") || type.startsWith("Variable") ? 1 : 0;
    }
    return count;
  }

  /** The types of the parts of an element. */
  public List<Class<? extends TType>> types() {
    return types;
  }

  /** The shapes of the parts of an element; an unknown size is -1. */
  public List<Shape> shapes() {
    return shapes;
  }

  /** Without the first elements. */
  public WorkerDataset skip(PerWorker count) {
    List<Fed> more = with(count);
    return like(ops.data.skipDataset(variant, more.getLast().placeholder(), types, shapes), more);
  }

  /** The first elements alone; -1 for all. */
  public WorkerDataset take(PerWorker count) {
    List<Fed> more = with(count);
    return like(ops.data.takeDataset(variant, more.getLast().placeholder(), types, shapes), more);
  }

  /** Every n-th element of n workers, from the worker's own on: no two workers share one. */
  public WorkerDataset shard() {
    return shard(WorkerContext::workers, WorkerContext::shard);
  }

  /** Every {@code count}-th element, from {@code index} on. */
  public WorkerDataset shard(PerWorker count, PerWorker index) {
    List<Fed> more = new ArrayList<>(with(count));
    Placeholder<TInt64> shards = more.getLast().placeholder();
    Fed which = new Fed(number(), index);
    more.add(which);
    return like(ops.data.shardDataset(variant, shards, which.placeholder(), types, shapes), more);
  }

  /**
   * In another order each time that it is gone through, which is decided among the next elements.
   *
   * @param buffer how many elements are held for that
   * @param seed of the order; 0 for another one each time
   */
  public WorkerDataset shuffle(PerWorker buffer, long seed) {
    List<Fed> more = with(buffer);
    // The newer operation of this name needs a resource for its seeds, which nobody would free.
    Operation made =
        ops.scope()
            .env()
            .opBuilder("ShuffleDataset", ops.scope().makeOpName("ShuffleDataset"), ops.scope())
            .addInput(variant.asOutput())
            .addInput(more.getLast().placeholder().asOutput())
            .addInput(ops.constant(seed).asOutput())
            .addInput(ops.constant(seed).asOutput())
            .setAttr("reshuffle_each_iteration", true)
            .setAttr("output_types", dataTypes())
            .setAttr("output_shapes", shapes.toArray(Shape[]::new))
            .build();
    return like(variant(made), more);
  }

  private DataType[] dataTypes() {
    return types.stream().map(Types::of).toArray(DataType[]::new);
  }

  /** Over and over, without an end. */
  public WorkerDataset repeat() {
    return like(ops.data.repeatDataset(variant, ops.constant(-1L), types, shapes), fed);
  }

  /** So many elements as one, the last of which may be smaller. */
  public WorkerDataset batch(long size) {
    List<Shape> larger = longer(-1);
    return new WorkerDataset(
        graph,
        ops.data.batchDataset(variant, ops.constant(size), ops.constant(false), types, larger),
        types,
        larger,
        fed);
  }

  /** Each {@code size} elements that follow on each other as one, each window {@code shift} on. */
  public WorkerDataset window(long size, long shift) {
    List<Shape> larger = longer(-1);
    Operand<? extends TType> made =
        ops.data.slidingWindowDataset(
            variant,
            ops.constant(size),
            ops.constant(shift),
            ops.constant(1L),
            types,
            larger,
            org.tensorflow.op.data.SlidingWindowDataset.dropRemainder(true));
    return new WorkerDataset(graph, made, types, larger, fed);
  }

  private List<Shape> longer(long size) {
    return shapes.stream().map(shape -> shape.prepend(size)).toList();
  }

  /** The elements of this one, then those of another with the same types. */
  public WorkerDataset then(WorkerDataset other) {
    List<Fed> both = union(other);
    return like(ops.data.concatenateDataset(variant, other.variant, types, shapes), both);
  }

  /** Both may come from one dataset, and nothing can be fed twice. */
  private List<Fed> union(WorkerDataset other) {
    Set<Fed> both = new LinkedHashSet<>(fed);
    both.addAll(other.fed);
    return new ArrayList<>(both);
  }

  /** Elements whose parts are those of this one and then those of another. */
  public WorkerDataset with(WorkerDataset other) {
    List<Class<? extends TType>> bothTypes = new ArrayList<>(types);
    bothTypes.addAll(other.types);
    List<Shape> bothShapes = new ArrayList<>(shapes);
    bothShapes.addAll(other.shapes);
    List<Fed> both = union(other);
    return new WorkerDataset(
        graph,
        ops.data.zipDataset(List.of(variant, other.variant), bothTypes, bothShapes),
        bothTypes,
        bothShapes,
        both);
  }

  /** What makes of the parts of an element another part, or says whether it is kept. */
  @FunctionalInterface
  public interface Mapper {
    /** Adds operations that give it. Stateless: no variables, no iterators. */
    Operand<?> apply(Ops ops, List<Operand<?>> parts);
  }

  /** Elements of one part, each made of an element of this one. */
  public WorkerDataset map(Class<? extends TType> type, Shape shape, Mapper mapper) {
    ConcreteFunction function = function(mapper);
    List<Class<? extends TType>> mapped = List.of(type);
    List<Shape> mappedShapes = List.of(shape);
    return new WorkerDataset(
        graph,
        ops.data.mapDataset(variant, List.of(), function, mapped, mappedShapes),
        mapped,
        mappedShapes,
        fed);
  }

  /** Those elements of which the mapper gives true. */
  public WorkerDataset filter(Mapper mapper) {
    return like(ops.data.filterDataset(variant, List.of(), function(mapper), types, shapes), fed);
  }

  private ConcreteFunction function(Mapper mapper) {
    ConcreteFunction made =
        ConcreteFunction.create(
            body -> {
              Signature.Builder signature =
                  Signature.builder("worker_dataset_" + NAMES.incrementAndGet());
              List<Operand<?>> parts = new ArrayList<>();
              for (int i = 0; i < types.size(); i++) {
                Operand<?> part = body.placeholder(types.get(i), Placeholder.shape(shapes.get(i)));
                parts.add(part);
                signature.input("part_" + i, part);
              }
              return signature.output("made", mapper.apply(body, parts)).build();
            });
    graph.attachFunction(made);
    return made;
  }

  /** A place in this dataset, one on each worker, independent of others in the same dataset. */
  public WorkerIterator iterator() {
    String name = "sedge_iterator_" + NAMES.incrementAndGet();
    Operand<? extends TType> resource = ops.data.iterator(name, "", types, shapes);
    IteratorGetNext next = ops.data.iteratorGetNext(resource, types, shapes);
    List<Operand<?>> parts =
        IntStream.range(0, types.size()).<Operand<?>>mapToObj(i -> next.op().output(i)).toList();
    return new WorkerIterator(ops.data.makeIterator(variant, resource), parts, this::feeds);
  }

  private List<GraphRunner.Feed> feeds(WorkerContext worker) {
    List<GraphRunner.Feed> feeds = new ArrayList<>();
    for (Fed each : fed) {
      feeds.add(new GraphRunner.Feed(each.placeholder(), TInt64.scalarOf(each.value().of(worker))));
    }
    return feeds;
  }

  private Placeholder<TInt64> number() {
    return ops.placeholder(TInt64.class, Placeholder.shape(Shape.scalar()));
  }

  private List<Fed> with(PerWorker value) {
    List<Fed> more = new ArrayList<>(fed);
    more.add(new Fed(number(), value));
    return more;
  }

  private WorkerDataset like(Operand<? extends TType> other, List<Fed> feeds) {
    return new WorkerDataset(graph, other, types, shapes, feeds);
  }

  private static Operand<? extends TType> variant(Operation dataset) {
    @Nullable Output<? extends TType> output = dataset.output(0);
    return output;
  }
}
