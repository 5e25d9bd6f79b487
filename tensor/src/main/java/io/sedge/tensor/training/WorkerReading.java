package io.sedge.tensor.training;

import io.sedge.tensor.training.cluster.WorkerDataset;
import io.sedge.tensor.training.data.CsvHeader;
import io.sedge.tensor.training.data.ExampleColumns;
import io.sedge.tensor.training.data.Scaling;
import io.sedge.tensor.training.data.WorkerFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Stack;
import org.tensorflow.op.io.DecodeCsv;
import org.tensorflow.types.TBool;
import org.tensorflow.types.TFloat64;
import org.tensorflow.types.TInt32;
import org.tensorflow.types.TInt64;
import org.tensorflow.types.TString;
import org.tensorflow.types.family.TFloating;

/**
 * The operations that read CSV files on a worker. An element has two parts: the number of a line in
 * its file, from 1, and the line; where examples are windows, those of all their lines.
 */
final class WorkerReading {
  private final Graph graph;
  private final Ops ops;
  private final WorkerFiles files;
  private final CsvHeader header;

  WorkerReading(Graph graph, WorkerFiles files, CsvHeader header) {
    this.graph = graph;
    this.ops = Ops.create(graph);
    this.files = files;
    this.header = header;
  }

  /** The examples of a file; lines that are blank are none. */
  WorkerDataset file(String path) {
    WorkerDataset rows =
        WorkerDataset.range(graph, 1, Long.MAX_VALUE)
            .with(WorkerDataset.lines(graph, path))
            .skip(worker -> 1)
            .filter(WorkerReading::isNotBlank);
    ExampleColumns columns = files.columns();
    return columns.window() == 1 && columns.stride() == 1
        ? rows
        : rows.window(columns.window(), columns.stride());
  }

  private static Operand<TBool> isNotBlank(Ops body, List<Operand<?>> parts) {
    return body.math.notEqual(body.strings.strip(lines(parts)), body.constant(""));
  }

  /** The examples of all files, one after the other. */
  WorkerDataset all() {
    return files.paths().stream().map(this::file).reduce(WorkerDataset::then).orElseThrow();
  }

  @SuppressWarnings("unchecked") // the dataset's second part is text
  static Operand<TString> lines(List<Operand<?>> parts) {
    return (Operand<TString>) parts.get(1);
  }

  @SuppressWarnings("unchecked") // the dataset's first part is a number
  static Operand<TInt64> numbers(List<Operand<?>> parts) {
    return (Operand<TInt64>) parts.get(0);
  }

  /** The wanted columns of lines, {@code [lines, columns]}: features, then targets. */
  Operand<TFloat64> table(Operand<TString> lines) {
    List<Integer> sorted = List.copyOf(new TreeSet<>(header.positions()));
    List<Operand<?>> required = new ArrayList<>();
    sorted.forEach(position -> required.add(ops.constant(new double[0])));
    DecodeCsv fields =
        ops.io.decodeCsv(
            ops.reshape(lines, ops.constant(new int[] {-1})),
            required,
            DecodeCsv.fieldDelim(String.valueOf(header.separator())),
            DecodeCsv.selectCols(sorted.stream().map(Integer::longValue).toList()));
    List<Operand<TFloat64>> columns = new ArrayList<>();
    for (int position : header.positions()) {
      columns.add(fields.output().get(sorted.indexOf(position)).expect(TFloat64.class));
    }
    return ops.stack(columns, Stack.axis(1L));
  }

  /** Scaled features and targets of a batch of lines. */
  <T extends TFloating> TrainingGraph.Input<T> input(
      Operand<TString> lines, Numbers<T> numbers, Scaling features, Scaling targets) {
    List<Double> mean = new ArrayList<>(features.mean());
    mean.addAll(targets.mean());
    List<Double> deviation = new ArrayList<>(features.deviation());
    deviation.addAll(targets.deviation());
    Operand<T> scaled =
        ops.dtypes.cast(
            ops.math.div(
                ops.math.sub(table(lines), ops.constant(plain(mean))),
                ops.constant(plain(deviation))),
            numbers.type());
    return new TrainingGraph.Input<>(features(scaled), targets(scaled));
  }

  private static double[] plain(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** The features of rows: {@code [examples, columns]}, or {@code [examples, window, columns]}. */
  <T extends TFloating> Operand<T> features(Operand<T> rows) {
    int width = files.columns().features().size();
    Operand<T> chosen = columns(rows, 0, width);
    int window = files.columns().window();
    return window == 1 ? chosen : ops.reshape(chosen, ops.constant(new int[] {-1, window, width}));
  }

  /** The targets of rows: those of each window's last; the features where there are none. */
  <T extends TFloating> Operand<T> targets(Operand<T> rows) {
    int from = files.columns().features().size();
    int width = files.columns().targets().size();
    if (width == 0) {
      return features(rows);
    }
    int window = files.columns().window();
    Operand<T> each =
        ops.reshape(columns(rows, from, width), ops.constant(new int[] {-1, window * width}));
    return columns(each, (window - 1) * width, width);
  }

  private <T extends TFloating> Operand<T> columns(Operand<T> rows, int from, int width) {
    Operand<TInt32> begin = ops.constant(new int[] {0, from});
    return ops.slice(rows, begin, ops.constant(new int[] {-1, width}));
  }
}
