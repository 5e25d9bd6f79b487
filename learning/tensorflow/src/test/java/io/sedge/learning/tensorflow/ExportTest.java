package io.sedge.learning.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sedge.connector.FileAccess;
import io.sedge.connector.ScriptFiles;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.learning.Distribution;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.ModelProvider;
import io.sedge.learning.Reference;
import io.sedge.learning.onnx.OnnxProvider;
import io.sedge.learning.training.Algorithm;
import io.sedge.learning.training.FittedModel;
import io.sedge.learning.training.Metrics;
import io.sedge.learning.training.OnnxFile;
import io.sedge.learning.training.SavedModelFile;
import io.sedge.learning.training.Scaling;
import io.sedge.learning.training.Trained;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.Result;
import org.tensorflow.SavedModelBundle;
import org.tensorflow.Tensor;
import org.tensorflow.ndarray.StdArrays;
import org.tensorflow.types.TFloat64;
import org.tensorflow.types.TInt64;

/** A version that leaves a site as a SavedModel scores as the ONNX file that it is. */
class ExportTest {
  private static final int FEATURES = 3;
  private static final int ROWS = 500;
  private static final double CLOSE = 1e-9;

  @TempDir private Path directory;

  /** Some numbers of such a model; which ones does not matter. */
  private static FittedModel model(Algorithm algorithm, int activation) {
    Random random = new Random(7);
    DoubleStream scaling =
        DoubleStream.of(3, 330, 1500, 0.9, 9, 0); // The third feature never changes.
    DoubleStream weights = random.doubles(-1, 1);
    double[] numbers =
        switch (algorithm) {
          case LINEAR, LOGISTIC -> new double[] {0.5, -0.01, 0.001, 0.3};
          case KMEANS -> DoubleStream.concat(scaling, weights.limit(4 * FEATURES)).toArray();
          case PCA ->
              DoubleStream.concat(
                      scaling,
                      DoubleStream.concat(weights.limit(2 * FEATURES), DoubleStream.of(2, 0.5)))
                  .toArray();
          case MLP, MLP_LOGISTIC ->
              // Two hidden layers.
              Stream.of(
                      DoubleStream.of(2, 5, 4, activation),
                      scaling,
                      DoubleStream.of(2, 7),
                      weights.limit(3 * 5 + 5 + 5 * 4 + 4 + 4 + 1))
                  .flatMapToDouble(part -> part)
                  .toArray();
        };
    return FittedModel.of(algorithm, FEATURES, numbers);
  }

  private static double[][] rows() {
    Random random = new Random(8);
    double[][] rows = new double[ROWS][];
    Arrays.setAll(
        rows,
        i ->
            new double[] {
              3 + random.nextGaussian(), 330 + 9 * random.nextGaussian(), 1500 + random.nextInt(9)
            });
    return rows;
  }

  private static Schema output(Algorithm algorithm) {
    return switch (algorithm) {
      case KMEANS -> Schema.builder().add("kind", Type.BIGINT).add("distance", Type.DOUBLE).build();
      case PCA -> Schema.builder().add("q", Type.DOUBLE).add("t2", Type.DOUBLE).build();
      default -> Schema.builder().add("risk", Type.DOUBLE).build();
    };
  }

  private Path export(byte[] onnx) throws IOException {
    Path place = directory.resolve("model");
    for (Map.Entry<String, byte[]> file : SavedModelFile.of(onnx).entrySet()) {
      Path each = place.resolve(file.getKey());
      Files.createDirectories(each.getParent());
      Files.write(each, file.getValue());
    }
    return place;
  }

  private List<double[]> scores(
      ModelProvider provider, Path path, Schema output, double[][] rows, String... options) {
    Schema.Builder input = Schema.builder();
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < FEATURES; i++) {
      int feature = i;
      input.add("x" + i, Type.DOUBLE);
      double[] values = Arrays.stream(rows).mapToDouble(row -> row[feature]).toArray();
      columns.add(new DoubleColumn(values, null, rows.length));
    }
    Map<String, String> all = new java.util.HashMap<>(Map.of("path", path.toString()));
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return provider
        .open(
            new ModelDescriptor("m", input.build(), output, all),
            ScriptFiles.in(directory, FileAccess.EVERYTHING))
        .scorer()
        .score(columns, rows.length)
        .stream()
        .map(
            column ->
                IntStream.range(0, rows.length)
                    .mapToDouble(row -> ((Number) column.value(row)).doubleValue())
                    .toArray())
        .toList();
  }

  /** By TensorFlow's own Java classes, without anything of ours. */
  private static List<double[]> stock(Path path, List<String> outputs, double[][] rows) {
    List<double[]> scores = new ArrayList<>();
    try (SavedModelBundle bundle = SavedModelBundle.load(path.toString(), "serve");
        TFloat64 input = TFloat64.tensorOf(StdArrays.ndCopyOf(rows));
        Result result = bundle.function("serving_default").call(Map.of("features", input))) {
      for (String output : outputs) {
        Tensor tensor = result.get(output).orElseThrow();
        double[] values = new double[rows.length];
        Arrays.setAll(
            values,
            i ->
                tensor instanceof TInt64 whole
                    ? whole.getLong(i)
                    : ((TFloat64) tensor).getDouble(i));
        scores.add(values);
      }
    }
    return scores;
  }

  private static void assertClose(List<double[]> found, List<double[]> expected, String by) {
    assertThat(found).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      double largest = Arrays.stream(expected.get(i)).map(Math::abs).max().orElse(0);
      assertThat(found.get(i))
          .as(by)
          .containsExactly(expected.get(i), within(CLOSE * (1 + largest)));
    }
  }

  private void scoresAreTheSame(FittedModel model) throws IOException {
    Schema output = output(model.algorithm());
    double[][] rows = rows();
    byte[] onnx = OnnxFile.of(model, output.names());
    Path file = Files.write(directory.resolve("model.onnx"), onnx);
    Path exported = export(onnx);
    List<double[]> expected = scores(new OnnxProvider(), file, output, rows);
    assertThat(expected.getFirst()).doesNotContain(Double.NaN);
    assertClose(scores(new TensorFlowProvider(), exported, output, rows), expected, "provider");
    assertClose(stock(exported, output.names(), rows), expected, "stock runtime");
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void scoresAreThoseOfTheOnnxFile(Algorithm algorithm) throws IOException {
    scoresAreTheSame(model(algorithm, 0));
  }

  @Test
  void soItIsWithTheOtherActivation() throws IOException {
    scoresAreTheSame(model(Algorithm.MLP, 1));
  }

  /** What is no number has no score in either; what is infinite has the same one. */
  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
  void badRowsHaveTheSameScores(double bad) throws IOException {
    Schema output = output(Algorithm.LOGISTIC);
    byte[] onnx = OnnxFile.of(model(Algorithm.LOGISTIC, 0), output.names());
    Path file = Files.write(directory.resolve("model.onnx"), onnx);
    double[][] rows = {{bad, 330, 1500}, {3, 330, 1500}};
    assertThat(scores(new TensorFlowProvider(), export(onnx), output, rows).getFirst())
        .containsExactly(scores(new OnnxProvider(), file, output, rows).getFirst(), within(CLOSE));
  }

  /** Columns may have names that TensorFlow does not allow for its nodes. */
  @ParameterizedTest
  @ValueSource(strings = {"features", "sum", "Grüße, 世界", "_x:0"})
  void columnsMayHaveAnyName(String name) throws IOException {
    Schema output = Schema.builder().add(name, Type.DOUBLE).build();
    byte[] onnx = OnnxFile.of(model(Algorithm.LINEAR, 0), output.names());
    Path file = Files.write(directory.resolve("model.onnx"), onnx);
    assertClose(
        scores(new TensorFlowProvider(), export(onnx), output, rows()),
        scores(new OnnxProvider(), file, output, rows()),
        name);
  }

  /** So a model that was exported can be watched for drift, as the ONNX file can. */
  @Test
  void itSaysWhatItsTrainingRowsLookedLike() throws IOException {
    Reference reference =
        new Reference(
            "", Collections.nCopies(4, new Distribution(new double[] {0.5}, new long[] {3, 4})));
    Trained trained =
        new Trained(
            model(Algorithm.LINEAR, 0),
            7,
            Metrics.UNKNOWN,
            new Scaling(new double[FEATURES], new double[FEATURES]),
            Optional.of(reference),
            1,
            List.of());
    Schema output = output(Algorithm.LINEAR);
    Path exported = export(OnnxFile.of(trained, output.names()));
    assertThat(scores(new TensorFlowProvider(), exported, output, rows(), "drift.table", "drift"))
        .hasSize(1);
    assertThat(exported.resolve("assets.extra/" + Reference.KEY)).hasContent(reference.text());
  }

  /** In each process: a map may have another order in the next one. */
  @Test
  void equalModelsHaveEqualBytes() throws Exception {
    byte[] onnx = OnnxFile.of(model(Algorithm.PCA, 0), List.of("q", "t2"));
    byte[] graph = SavedModelFile.of(onnx).get("saved_model.pb");
    assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(graph)))
        .isEqualTo("c63478500bdbb5b418ad3567bca44012fa2e4620a98887943e9eb620228074f6");
    assertThatThrownBy(() -> SavedModelFile.of(Arrays.copyOf(onnx, onnx.length / 2)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** What is not understood is not passed over: the scores would differ. */
  @ParameterizedTest
  @ValueSource(strings = {"keepdims", "axis", "axes"})
  void anUnknownAttributeIsRefused(String attribute) {
    byte[] onnx = OnnxFile.of(model(Algorithm.KMEANS, 0), List.of("kind", "distance"));
    String other = attribute.replaceFirst(".$", "x");
    byte[] changed =
        new String(onnx, StandardCharsets.ISO_8859_1)
            .replace(attribute, other)
            .getBytes(StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> SavedModelFile.of(changed))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the attribute " + other);
  }
}
