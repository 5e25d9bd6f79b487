package io.sedge.tensor.training;

import io.sedge.tensor.runtime.StatusCode;
import io.sedge.tensor.runtime.TensorFlowStatusException;
import io.sedge.tensor.training.cluster.ClusterCoordinator;
import io.sedge.tensor.training.cluster.ClusterListener;
import io.sedge.tensor.training.cluster.CoordinatorOptions;
import io.sedge.tensor.training.cluster.ParameterServerStrategy;
import io.sedge.tensor.training.cluster.RemoteValue;
import io.sedge.tensor.training.cluster.WorkerContext;
import io.sedge.tensor.training.cluster.WorkerDataset;
import io.sedge.tensor.training.cluster.WorkerFunction;
import io.sedge.tensor.training.cluster.WorkerIterator;
import io.sedge.tensor.training.data.CsvHeader;
import io.sedge.tensor.training.data.DataException;
import io.sedge.tensor.training.data.Scaling;
import io.sedge.tensor.training.data.WorkerFiles;
import io.sedge.tensor.training.data.WorkerFiles.Ownership;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.Tensor;
import org.tensorflow.types.TFloat64;
import org.tensorflow.types.family.TFloating;

/**
 * Examples that workers read from their own files, as a survey found them: TensorFlow reads,
 * decodes, scales and shuffles them in the worker's process. What reaches the chief are first
 * lines, counts, means and deviations, losses, and, of the examples that are held back, targets and
 * predictions. Immutable.
 */
public final class WorkerData {
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final int SHUFFLED = 10_000;
  private static final int EVALUATED_AT_ONCE = 1000;

  /** Examples of a worker that are evaluated at most. */
  static final int MOST_EVALUATED = 200_000;

  private final WorkerFiles files;
  private final CsvHeader header;
  private final Map<Integer, Long> kept;
  private final long examples;
  private final long heldBack;
  private final Scaling featureScaling;
  private final Scaling targetScaling;

  private WorkerData(
      WorkerFiles files,
      CsvHeader header,
      Map<Integer, Long> kept,
      long examples,
      long heldBack,
      Scaling featureScaling,
      Scaling targetScaling) {
    this.files = files;
    this.header = header;
    this.kept = Map.copyOf(kept);
    this.examples = examples;
    this.heldBack = heldBack;
    this.featureScaling = featureScaling;
    this.targetScaling = targetScaling;
  }

  /**
   * Looks through all files, on the workers: shared ones on one of them, each one's own on each,
   * which therefore must all be there.
   *
   * @param isScaled whether columns are brought to mean 0 and deviation 1
   * @throws DataException with worker, file, line and column for what is missing or no number
   * @throws io.sedge.tensor.training.cluster.ClusterLostException if a server that is needed does
   *     not answer in time
   * @throws InterruptedException if the thread is interrupted
   */
  public static WorkerData survey(
      ParameterServerStrategy strategy,
      WorkerFiles files,
      Model model,
      boolean isScaled,
      CoordinatorOptions options,
      ClusterListener listener)
      throws InterruptedException {
    int classes =
        switch (model.head()) {
          case Head.Binary ignored -> 2;
          case Head.MultiClass multi -> multi.classes();
          case Head.Regression ignored -> 0;
          case Head.Reconstruction ignored -> 0;
        };
    Graph graph = new Graph();
    try (ClusterCoordinator coordinator =
        ClusterCoordinator.start(strategy, graph, options, listener)) {
      WorkerSurvey survey = new WorkerSurvey(graph, files, classes);
      CsvHeader header = header(files, onEach(coordinator, files, options, survey::headers));
      survey.read(header);
      Map<Integer, Long> counts = onEach(coordinator, files, options, survey::count);
      Map<Integer, Long> kept = new LinkedHashMap<>();
      counts.forEach((worker, count) -> kept.put(worker, kept(files, worker, count)));
      kept.forEach(survey::keep);
      int features = files.columns().features().size();
      int all = files.columns().all().size();
      Scaling scaling = Scaling.none(all);
      Moments moments = new Moments(all);
      if (isScaled) {
        onEach(coordinator, files, options, survey::measure).values().forEach(moments::add);
      }
      boolean isNumber = model.head() instanceof Head.Regression;
      return new WorkerData(
          files,
          header,
          kept,
          sum(kept),
          sum(counts) - sum(kept),
          isScaled ? moments.scaling(0, features) : Scaling.none(features),
          isScaled && isNumber
              ? moments.scaling(features, all)
              : Scaling.none(scaling.size() - features));
    } finally {
      Thread.ofPlatform().daemon().name("sedge-closing").start(graph::close);
    }
  }

  private static long kept(WorkerFiles files, int worker, long count) {
    long kept = count - (long) (count * files.validation());
    if (kept < 1) {
      throw new DataException(
          "%s on worker %d: %d examples are too few".formatted(files.paths(), worker, count));
    }
    return kept;
  }

  private static long sum(Map<Integer, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  private static CsvHeader header(WorkerFiles files, Map<Integer, List<String>> lines) {
    List<CsvHeader> headers = new ArrayList<>();
    lines.forEach(
        (worker, each) -> {
          for (int i = 0; i < each.size(); i++) {
            String source = files.paths().get(i) + " on worker " + worker;
            CsvHeader one = CsvHeader.parse(source, each.get(i), files.columns().all());
            headers.add(one);
            if (!one.equals(headers.getFirst())) {
              throw new DataException(
                  "%s has the columns %s; the first file has %s, and all should be alike"
                      .formatted(source, one.columns(), headers.getFirst().columns()));
            }
          }
        });
    return headers.getFirst();
  }

  /** Shared files are looked at by one worker, whichever is free; their values have its index. */
  private static <R> Map<Integer, R> onEach(
      ClusterCoordinator coordinator,
      WorkerFiles files,
      CoordinatorOptions options,
      WorkerFunction<R> function)
      throws InterruptedException {
    Map<Integer, RemoteValue<R>> values = new LinkedHashMap<>();
    if (files.ownership() == Ownership.SHARED) {
      values.put(ANY, coordinator.schedule(worker -> function.run(worker)));
    } else {
      for (int worker : coordinator.workers()) {
        values.put(worker, coordinator.scheduleOn(worker, function));
      }
    }
    Map<Integer, R> results = new LinkedHashMap<>();
    for (Map.Entry<Integer, RemoteValue<R>> each : values.entrySet()) {
      int worker = each.getKey();
      while (!each.getValue().await(LOOK)) {
        if (worker == ANY) {
          coordinator.done(); // Throws if nobody is there.
        } else {
          coordinator.checkPresence(worker, options.startLimit());
        }
      }
      results.put(worker, each.getValue().fetch());
    }
    return results;
  }

  /** Files that are shared are whose? */
  private static final int ANY = 0;

  /** How many examples are trained on. */
  public long examples() {
    return examples;
  }

  /** How many are held back. */
  public long heldBack() {
    return heldBack;
  }

  /** How features are scaled. */
  public Scaling featureScaling() {
    return featureScaling;
  }

  /** How targets are scaled. */
  public Scaling targetScaling() {
    return targetScaling;
  }

  private boolean isShared() {
    return files.ownership() == Ownership.SHARED;
  }

  /** What a worker that joined since has was not counted: all of it is trained on. */
  private long kept(WorkerContext worker) {
    return kept.getOrDefault(isShared() ? ANY : worker.index(), -1L);
  }

  /** What a training of these examples needs in its graph. */
  <T extends TFloating> Read<T> training(
      Graph graph, Numbers<T> numbers, int batch, boolean isShuffled, long seed) {
    WorkerReading reading = new WorkerReading(graph, files, header);
    WorkerDataset dataset = reading.all().take(this::kept);
    if (isShared()) {
      dataset = dataset.shard();
    }
    if (isShuffled) {
      dataset = dataset.shuffle(worker -> SHUFFLED, seed == 0 ? 1 : seed);
    }
    WorkerIterator iterator = dataset.repeat().batch(batch).iterator();
    return new Read<>(
        iterator,
        reading.input(
            WorkerReading.lines(iterator.next()), numbers, featureScaling, targetScaling));
  }

  /** An iterator and what is made of its next element. */
  record Read<T extends TFloating>(WorkerIterator iterator, TrainingGraph.Input<T> input) {}

  /**
   * The metrics of a model on the examples that are held back, on those that were trained on where
   * there are none; in unscaled numbers. Predicts on the workers; of one worker's examples the
   * first {@value #MOST_EVALUATED} count.
   *
   * @throws InterruptedException if the thread is interrupted
   */
  public Map<String, Double> evaluate(
      ParameterServerStrategy strategy,
      Model model,
      Weights weights,
      CoordinatorOptions options,
      ClusterListener listener)
      throws InterruptedException {
    return evaluate(strategy, model, Numbers.of(model.precision()), weights, options, listener);
  }

  private <T extends TFloating> Map<String, Double> evaluate(
      ParameterServerStrategy strategy,
      Model model,
      Numbers<T> numbers,
      Weights weights,
      CoordinatorOptions options,
      ClusterListener listener)
      throws InterruptedException {
    Graph graph = new Graph();
    try (ClusterCoordinator coordinator =
        ClusterCoordinator.start(strategy, graph, options, listener)) {
      Evaluated parts = evaluated(graph, model, numbers, weights);
      List<double[]> predictions = new ArrayList<>();
      List<double[]> targets = new ArrayList<>();
      for (Pairs pairs :
          onEach(coordinator, files, options, worker -> pairs(parts, worker)).values()) {
        predictions.addAll(pairs.predictions());
        targets.addAll(pairs.targets());
      }
      for (double[] prediction : predictions) {
        unscale(model, prediction);
      }
      return Metrics.of(
          model.head(), predictions.toArray(double[][]::new), targets.toArray(double[][]::new));
    } finally {
      Thread.ofPlatform().daemon().name("sedge-closing").start(graph::close);
    }
  }

  private record Evaluated(
      WorkerIterator iterator, Operand<TFloat64> predictions, Operand<TFloat64> targets) {}

  private record Pairs(List<double[]> predictions, List<double[]> targets) {}

  private <T extends TFloating> Evaluated evaluated(
      Graph graph, Model model, Numbers<T> numbers, Weights weights) {
    org.tensorflow.op.Ops ops = org.tensorflow.op.Ops.create(graph);
    WorkerReading reading = new WorkerReading(graph, files, header);
    // Windows that reach into what was trained on are left out.
    int gap = (files.columns().window() - 1) / files.columns().stride();
    WorkerDataset all = reading.all();
    WorkerDataset dataset =
        heldBack > (long) gap * kept.size()
            ? all.skip(worker -> Math.max(0, kept(worker)) + gap)
            : all.take(this::kept);
    WorkerIterator iterator = dataset.batch(EVALUATED_AT_ONCE).iterator();
    Operand<org.tensorflow.types.TString> lines = WorkerReading.lines(iterator.next());
    TrainingGraph.Input<T> input = reading.input(lines, numbers, featureScaling, targetScaling);
    Forward<T> forward =
        new Forward<>(
            ops,
            model,
            numbers,
            weight ->
                ops.reshape(
                    ops.dtypes.cast(ops.constant(weights.of(weight.name())), numbers.type()),
                    ops.constant(TrainingGraph.shape(weight).asArray())));
    Operand<T> predictions = forward.predictions(forward.sums(input.features()));
    Operand<TFloat64> targets = reading.targets(reading.table(lines));
    return new Evaluated(iterator, ops.dtypes.cast(predictions, TFloat64.class), targets);
  }

  private static Pairs pairs(Evaluated parts, WorkerContext worker) {
    Pairs pairs = new Pairs(new ArrayList<>(), new ArrayList<>());
    parts.iterator().begin(worker);
    while (pairs.targets().size() < MOST_EVALUATED) {
      try (Result result =
          worker
              .runner()
              .run(List.of(), List.of(parts.predictions(), parts.targets()), List.of())) {
        pairs.predictions().addAll(rows(result.get(0)));
        pairs.targets().addAll(rows(result.get(1)));
      } catch (TensorFlowStatusException e) {
        if (e.code() != StatusCode.OUT_OF_RANGE) {
          throw e;
        }
        break;
      }
    }
    return pairs;
  }

  private static List<double[]> rows(Tensor tensor) {
    double[] values = new double[Math.toIntExact(tensor.shape().size())];
    ((TFloat64) tensor).asRawTensor().data().asDoubles().read(values);
    int count = Math.toIntExact(tensor.shape().get(0));
    int width = count == 0 ? 0 : values.length / count;
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(java.util.Arrays.copyOfRange(values, i * width, (i + 1) * width));
    }
    return rows;
  }

  private void unscale(Model model, double[] prediction) {
    Scaling scaling =
        switch (model.head()) {
          case Head.Regression ignored -> targetScaling;
          case Head.Reconstruction ignored -> featureScaling;
          case Head.Binary ignored -> Scaling.none(prediction.length);
          case Head.MultiClass ignored -> Scaling.none(prediction.length);
        };
    for (int i = 0; i < prediction.length; i++) {
      prediction[i] = scaling.unscale(i % scaling.size(), prediction[i]);
    }
  }
}
