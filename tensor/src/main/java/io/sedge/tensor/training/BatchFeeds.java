package io.sedge.tensor.training;

import io.sedge.tensor.training.cluster.GraphRunner.Feed;
import io.sedge.tensor.training.data.Batches;
import io.sedge.tensor.training.data.Examples;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.tensorflow.Tensor;
import org.tensorflow.ndarray.Shape;
import org.tensorflow.types.family.TFloating;

/**
 * The tensors of batches. Those of a whole shard are the same in every epoch and are kept, if the
 * order is; all others are closed with the step. For any number of threads.
 */
final class BatchFeeds<T extends TFloating> implements AutoCloseable {
  private final TrainingGraph<T> graph;
  private final Examples examples;
  private final ConcurrentHashMap<Integer, Kept> kept = new ConcurrentHashMap<>();

  private record Kept(Batches.Batch batch, Tensor features, Tensor targets) {}

  /** What is fed for a batch, and what of it is closed with the step. */
  record Fed(List<Feed> feeds, List<Tensor> owned) implements AutoCloseable {
    @Override
    public void close() {
      owned.forEach(Tensor::close);
    }
  }

  BatchFeeds(TrainingGraph<T> graph, Examples examples) {
    this.graph = graph;
    this.examples = examples;
  }

  /** Feeds of a batch whose added losses are divided by a number before the gradient. */
  Fed of(Batches.Batch batch, double divisor) {
    Tensor by = graph.numbers().tensor(new double[] {divisor}, Shape.scalar());
    Feed divide = new Feed(graph.divisor(), by);
    if (batch.isWholeShard()) {
      Kept same = kept.computeIfAbsent(batch.shard(), shard -> make(batch));
      if (Arrays.equals(same.batch().examples(), batch.examples())) {
        return new Fed(List.of(features(same), targets(same), divide), List.of(by));
      }
    }
    Kept made = make(batch);
    return new Fed(
        List.of(features(made), targets(made), divide),
        List.of(made.features(), made.targets(), by));
  }

  private Feed features(Kept tensors) {
    return new Feed(graph.features(), tensors.features());
  }

  private Feed targets(Kept tensors) {
    return new Feed(graph.targets(), tensors.targets());
  }

  private Kept make(Batches.Batch batch) {
    int count = batch.examples().length;
    Shape featureShape = sized(graph.features().asOutput().shape(), count);
    double[] numbers = new double[Math.toIntExact(featureShape.size())];
    examples.copyFeatures(batch.examples(), numbers);
    Tensor features = graph.numbers().tensor(numbers, featureShape);
    Shape targetShape = sized(graph.targets().asOutput().shape(), count);
    double[] wanted = new double[Math.toIntExact(targetShape.size())];
    examples.copyTargets(batch.examples(), wanted);
    return new Kept(batch, features, graph.numbers().tensor(wanted, targetShape));
  }

  private static Shape sized(Shape shape, int count) {
    long[] dimensions = shape.asArray().clone();
    dimensions[0] = count;
    return Shape.of(dimensions);
  }

  @Override
  public void close() {
    kept.values()
        .forEach(
            tensors -> {
              tensors.features().close();
              tensors.targets().close();
            });
  }
}
