package io.sedge.tensor.training;

import io.sedge.tensor.runtime.StatusCode;
import io.sedge.tensor.runtime.TensorFlowStatusException;
import io.sedge.tensor.training.cluster.WorkerContext;
import io.sedge.tensor.training.cluster.WorkerDataset;
import io.sedge.tensor.training.cluster.WorkerIterator;
import io.sedge.tensor.training.data.CsvHeader;
import io.sedge.tensor.training.data.DataException;
import io.sedge.tensor.training.data.WorkerFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.Tensor;
import org.tensorflow.op.Op;
import org.tensorflow.op.Ops;
import org.tensorflow.types.TBool;
import org.tensorflow.types.TFloat64;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;

/**
 * Goes through the files of a worker, on the worker, before anything is trained: counts examples,
 * finds what is no number, and gathers what the scaling needs. The graph is made before the first
 * worker uses it; its methods are for the functions of several workers at once.
 */
final class WorkerSurvey {
  private static final int BATCH = 4096;
  private static final Pattern RECORD =
      Pattern.compile("(Field (\\d+).*?|Expect.*?) in record (\\d+)[!:]?(.*)");

  private final Graph graph;
  private final Ops ops;
  private final WorkerFiles files;
  private final int classes;
  private final List<WorkerIterator> headers = new ArrayList<>();
  private final Map<Integer, Long> kept = new ConcurrentHashMap<>();
  private final List<Checked> checked = new ArrayList<>();
  private @Nullable CsvHeader header;
  private @Nullable Measured measured;

  /** A file being checked. */
  private record Checked(
      String path,
      WorkerIterator iterator,
      Operand<TInt64> numbers,
      Operand<TInt64> bad,
      Operand<TFloat64> badValues) {}

  private record Measured(
      WorkerIterator iterator,
      Operand<TInt64> numbers,
      Operand<TFloat64> mean,
      Operand<TFloat64> squares) {}

  /**
   * Begins with the operations that read first lines.
   *
   * @param classes that a target may be of; 0 for any number
   */
  WorkerSurvey(Graph graph, WorkerFiles files, int classes) {
    this.graph = graph;
    this.ops = Ops.create(graph);
    this.files = files;
    this.classes = classes;
    files.paths().forEach(path -> headers.add(WorkerDataset.lines(graph, path).iterator()));
  }

  /** The first lines of all files. */
  List<String> headers(WorkerContext worker) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < headers.size(); i++) {
      String path = files.paths().get(i);
      headers.get(i).begin(worker);
      try (Result result = run(worker, headers.get(i).next())) {
        lines.add(((TString) result.get(0)).getObject());
      } catch (TensorFlowStatusException e) {
        throw switch (e.code()) {
          case NOT_FOUND, FAILED_PRECONDITION ->
              new DataException(path + " does not exist on " + name(worker));
          case OUT_OF_RANGE ->
              new DataException(
                  "%s on %s is empty; its first line should name the columns"
                      .formatted(path, name(worker)));
          default -> e;
        };
      }
    }
    return lines;
  }

  private static String name(WorkerContext worker) {
    return "worker " + worker.index();
  }

  private static Result run(WorkerContext worker, List<? extends Operand<?>> fetches) {
    return worker.runner().run(List.of(), fetches, List.<Op>of());
  }

  /** All files have these columns: makes the operations that read rows. */
  void read(CsvHeader common) {
    header = common;
    WorkerReading reading = new WorkerReading(graph, files, common);
    for (String path : files.paths()) {
      WorkerIterator iterator = reading.file(path).batch(BATCH).iterator();
      Operand<TFloat64> table = reading.table(WorkerReading.lines(iterator.next()));
      Operand<TInt64> bad = ops.where(isBad(table));
      checked.add(
          new Checked(
              path,
              iterator,
              WorkerReading.numbers(iterator.next()),
              bad,
              ops.gatherNd(table, bad)));
    }
    WorkerIterator iterator =
        reading
            .all()
            .take(worker -> kept.getOrDefault(worker.index(), -1L))
            .batch(BATCH)
            .iterator();
    Operand<TFloat64> table = reading.table(WorkerReading.lines(iterator.next()));
    Operand<TFloat64> mean = ops.math.mean(table, ops.constant(0));
    Operand<TFloat64> squares =
        ops.sum(ops.math.square(ops.math.sub(table, mean)), ops.constant(0));
    measured = new Measured(iterator, WorkerReading.numbers(iterator.next()), mean, squares);
  }

  private Operand<TBool> isBad(Operand<TFloat64> table) {
    Operand<TBool> infinite = ops.math.logicalNot(ops.math.isFinite(table));
    if (classes == 0) {
      return infinite;
    }
    int features = files.columns().features().size();
    double[] isTarget = new double[files.columns().all().size()];
    java.util.Arrays.fill(isTarget, features, isTarget.length, 1);
    Operand<TBool> noClass =
        ops.math.logicalOr(
            ops.math.logicalOr(
                ops.math.less(table, ops.constant(0.0)),
                ops.math.greaterEqual(table, ops.constant((double) classes))),
            ops.math.notEqual(table, ops.math.rint(table)));
    Operand<TBool> counts = ops.math.greater(ops.constant(isTarget), ops.constant(0.5));
    return ops.math.logicalOr(infinite, ops.math.logicalAnd(noClass, counts));
  }

  /**
   * How many examples the files of a worker have.
   *
   * @throws DataException with worker, file, line and column for what is missing or no number
   */
  long count(WorkerContext worker) {
    long examples = 0;
    for (Checked file : checked) {
      file.iterator().begin(worker);
      long batches = 0;
      long here;
      do {
        here = check(worker, file, batches);
        examples += here;
        batches++;
      } while (here > 0);
    }
    return examples;
  }

  /** The examples of a batch; 0 after the last. */
  private long check(WorkerContext worker, Checked file, long batches) {
    try (Result result = run(worker, List.of(file.numbers(), file.bad(), file.badValues()))) {
      TInt64 numbers = (TInt64) result.get(0);
      TInt64 bad = (TInt64) result.get(1);
      if (bad.shape().get(0) > 0) {
        long line = flat(numbers)[Math.toIntExact(bad.getLong(0, 0))];
        String column = files.columns().all().get((int) bad.getLong(0, 1));
        double value = ((TFloat64) result.get(2)).getDouble(0);
        throw new DataException(
            "%s on %s, line %d, column '%s' is %s%s"
                .formatted(
                    file.path(),
                    name(worker),
                    line,
                    column,
                    value,
                    Double.isFinite(value)
                        ? "; the model tells classes 0 to " + (classes - 1)
                        : ", which is no number"));
      }
      return numbers.shape().get(0);
    } catch (TensorFlowStatusException e) {
      if (e.code() == StatusCode.OUT_OF_RANGE) {
        return 0;
      }
      Matcher record = RECORD.matcher(e.getMessage());
      if (e.code() != StatusCode.INVALID_ARGUMENT || !record.find()) {
        throw e;
      }
      throw unreadable(worker, file, batches, record);
    }
  }

  private static long[] flat(Tensor numbers) {
    long[] lines = new long[Math.toIntExact(numbers.shape().size())];
    ((TInt64) numbers).asRawTensor().data().asLongs().read(lines);
    return lines;
  }

  /** Reads the batch's line numbers once more, without its fields. */
  private DataException unreadable(
      WorkerContext worker, Checked file, long batches, Matcher record) {
    file.iterator().begin(worker);
    long[] lines = {};
    for (long i = 0; i <= batches; i++) {
      try (Result result = run(worker, List.of(file.numbers()))) {
        lines = flat(result.get(0));
      }
    }
    long line = lines[Integer.parseInt(record.group(3))];
    String rest = record.group(4).strip();
    String what =
        record.group(2) == null
            ? "has other fields than the first line names: " + record.group(1)
            : "column '%s' %s"
                .formatted(
                    column(Integer.parseInt(record.group(2))),
                    rest.startsWith("is not a valid")
                        ? "is '" + rest.replaceFirst(".*?: ", "") + "', which is no number"
                        : "is empty; every row needs a number there");
    return new DataException(
        "%s on %s, line %d, %s".formatted(file.path(), name(worker), line, what));
  }

  private String column(int position) {
    CsvHeader known = header;
    return known != null && position < known.columns().size()
        ? known.columns().get(position)
        : String.valueOf(position);
  }

  /** From now on so many examples of a worker are trained on. */
  void keep(int worker, long examples) {
    kept.put(worker, examples);
  }

  /** Mean and deviation of the columns of the examples that are trained on. */
  Moments measure(WorkerContext worker) {
    Moments moments = new Moments(files.columns().all().size());
    Measured parts = measured;
    if (parts == null) {
      throw new IllegalStateException("the first lines come first");
    }
    parts.iterator().begin(worker);
    boolean isMore = true;
    while (isMore) {
      try (Result result = run(worker, List.of(parts.numbers(), parts.mean(), parts.squares()))) {
        moments.add(result.get(0).shape().size(), doubles(result.get(1)), doubles(result.get(2)));
      } catch (TensorFlowStatusException e) {
        if (e.code() != StatusCode.OUT_OF_RANGE) {
          throw e;
        }
        isMore = false;
      }
    }
    return moments;
  }

  private static double[] doubles(Tensor tensor) {
    double[] values = new double[Math.toIntExact(tensor.shape().size())];
    ((TFloat64) tensor).asRawTensor().data().asDoubles().read(values);
    return values;
  }
}
