package io.sedge.learning.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.FileAccess;
import io.sedge.connector.ScriptFiles;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.learning.Model;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.Reference;
import io.sedge.learning.Scorer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ONNX Runtime computes is what a job gets, and what does not fit is said in words. */
class OnnxProviderTest {
  private static final long SEED = 20_261_126;
  private static final Path MODELS = Path.of("src/test/resources/models").toAbsolutePath();

  /** More than a portion, and no multiple of it. */
  private static final int ROWS = 9_001;

  @TempDir private Path directory;

  private static Schema doubles(String... names) {
    Schema.Builder builder = Schema.builder();
    for (String name : names) {
      builder.add(name, Type.DOUBLE);
    }
    return builder.build();
  }

  private static Schema numbered(int count) {
    return doubles(IntStream.range(0, count).mapToObj(i -> "x" + i).toArray(String[]::new));
  }

  private static Model open(Path path, Schema input, Schema output, String... options) {
    Map<String, String> all = new HashMap<>();
    all.put("path", path.toString());
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return new OnnxProvider()
        .open(
            new ModelDescriptor("m", input, output, all),
            ScriptFiles.in(MODELS, FileAccess.EVERYTHING));
  }

  private static Model open(String name, Schema input, Schema output, String... options) {
    return open(Path.of(name + ".onnx"), input, output, options);
  }

  private static double[][] features(int columns, int rows) {
    Random random = new Random(SEED);
    double[][] values = new double[columns][rows];
    for (double[] column : values) {
      Arrays.setAll(column, i -> random.nextDouble(-1, 1));
    }
    return values;
  }

  private static List<Column> columns(double[]... values) {
    List<Column> columns = new ArrayList<>();
    for (double[] column : values) {
      columns.add(new DoubleColumn(column, null, column.length));
    }
    return columns;
  }

  private static double[] scores(Scorer scorer, double[]... features) {
    List<Column> scores = scorer.score(columns(features), features[0].length);
    return Arrays.copyOf(((DoubleColumn) scores.getFirst()).values(), features[0].length);
  }

  /** With more threads the runtime cuts its sums elsewhere, and rounds otherwise. */
  @SuppressWarnings("MustBeClosedChecker")
  private static OrtSession oneThread(
      OrtEnvironment environment, String name, OrtSession.SessionOptions options)
      throws OrtException {
    options.setIntraOpNumThreads(1);
    return environment.createSession(MODELS.resolve(name + ".onnx").toString(), options);
  }

  /** The same rows, given to the runtime by its own interface, in the portions that a job has. */
  private static double[] bare(String name, double[][] features, int portion) throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    int rows = features[0].length;
    double[] scores = new double[rows];
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions();
        OrtSession session = oneThread(environment, name, options)) {
      for (int from = 0; from < rows; from += portion) {
        int count = Math.min(portion, rows - from);
        float[] flat = new float[count * features.length];
        for (int i = 0; i < flat.length; i++) {
          flat[i] = (float) features[i % features.length][from + i / features.length];
        }
        try (OnnxTensor tensor =
                OnnxTensor.createTensor(
                    environment, FloatBuffer.wrap(flat), new long[] {count, features.length});
            OrtSession.Result result = session.run(Map.of("features", tensor))) {
          float[][] values = (float[][]) result.get(0).getValue();
          for (int i = 0; i < count; i++) {
            scores[from + i] = values[i][0];
          }
        }
      }
    }
    return scores;
  }

  @Test
  void aNetworkAndTreesScoreAsTheRuntimeItselfDoes() throws OrtException {
    double[][] features = features(10, ROWS);
    for (String name : List.of("mlp", "gbdt")) {
      Scorer scorer = open(name, numbered(10), doubles("risk")).scorer();
      double[] bare = bare(name, features, 4_096);
      assertThat(Arrays.equals(scores(scorer, features), bare)).as(name).isTrue();
      assertThat(Arrays.equals(scores(scorer, features), bare)).as("memory used again").isTrue();
    }
  }

  @Test
  void aModelThatTakesAFixedNumberOfRowsGetsIt() {
    double[][] features = features(2, 100);
    double[] free = scores(open("two", numbered(2), doubles("risk")).scorer(), features);
    for (String name : List.of("one-at-a-time", "three-at-a-time")) {
      double[] fixed = scores(open(name, numbered(2), doubles("risk")).scorer(), features);
      assertThat(fixed).usingComparatorWithPrecision(1e-5).containsExactly(free);
    }
  }

  @Test
  void inputsAndOutputsAreFoundByName() {
    Schema output =
        Schema.builder()
            .add("high", Type.DOUBLE)
            .add("label", Type.BIGINT)
            .add("low", Type.DOUBLE)
            .build();
    Scorer scorer =
        open(
                "classes",
                doubles("b", "a"),
                output,
                "output.high",
                "probabilities[1]",
                "output.low",
                "probabilities[0]")
            .scorer();
    List<Column> scores = scorer.score(columns(new double[] {5, 0}, new double[] {0, 1}), 2);
    assertThat((double) scores.get(0).value(0)).isCloseTo(0.9933, within(1e-4));
    assertThat(scores.get(1).value(0)).isEqualTo(1L);
    assertThat((double) scores.get(2).value(1)).isCloseTo(0.7311, within(1e-4));
  }

  /** Without names the columns are all values, in order. */
  @Test
  void outputsAreFoundByPosition() {
    Schema output =
        Schema.builder().add("c", Type.BIGINT).add("p", Type.DOUBLE).add("q", Type.DOUBLE).build();
    List<Column> scores =
        open("classes", doubles("a", "b"), output)
            .scorer()
            .score(columns(new double[] {0}, new double[] {0}), 1);
    assertThat(scores.stream().map(column -> column.value(0)).toList())
        .isEqualTo(List.of(0L, 0.5, 0.5));
  }

  @Test
  void textsAndIntegersAreTensorsToo() {
    ColumnBuilder texts = ColumnBuilder.of(Type.STRING);
    texts.add("π");
    texts.add("");
    Schema text = Schema.builder().add("t", Type.STRING).build();
    List<Column> copies = open("text", text, text).scorer().score(List.of(texts.build()), 2);
    assertThat(copies.getFirst().value(0)).isEqualTo("π");
    assertThat(copies.getFirst().value(1)).isEqualTo("");

    ColumnBuilder indexes = ColumnBuilder.of(Type.INT);
    indexes.add(3);
    indexes.add(0);
    Schema index = Schema.builder().add("i", Type.INT).build();
    List<Column> values =
        open("table", index, doubles("v")).scorer().score(List.of(indexes.build()), 2);
    assertThat(values.getFirst().value(0)).isEqualTo(4.5);
    assertThat(values.getFirst().value(1)).isEqualTo(1.5);
  }

  /** Who calls finds out which row it was; the scorer goes on. */
  @Test
  void aRowThatTheModelHasNoValueForIsAFailureOfEvaluation() {
    Scorer scorer =
        open("table", Schema.builder().add("i", Type.BIGINT).build(), doubles("v")).scorer();
    ColumnBuilder indexes = ColumnBuilder.of(Type.BIGINT);
    indexes.add(7L);
    Column wrong = indexes.build();
    assertThatThrownBy(() -> scorer.score(List.of(wrong), 1))
        .isInstanceOf(EvaluationException.class)
        .hasMessageContaining("model m: ")
        .hasMessageContaining("7");
    indexes.add(1L);
    assertThat(scorer.score(List.of(indexes.build()), 1).getFirst().value(0)).isEqualTo(2.5);
  }

  @Test
  void whatIsNoNumberIsForTheModelToJudge() {
    double[] scores =
        scores(
            open("two", numbered(2), doubles("risk")).scorer(),
            new double[] {Double.NaN, Double.POSITIVE_INFINITY, 0.5},
            new double[] {0, 0, 0.5});
    assertThat(scores[0]).isNaN();
    assertThat(scores[2]).isFinite();
  }

  @Test
  void theIdentityIsTheContent() throws IOException {
    Path copy = Files.copy(MODELS.resolve("two.onnx"), directory.resolve("copy.onnx"));
    Model model = open("two", numbered(2), doubles("risk"));
    assertThat(model.identity()).matches("onnx, SHA-256 [0-9a-f]{64}");
    assertThat(open(copy, numbered(2), doubles("risk")).identity()).isEqualTo(model.identity());
    String sha = model.identity().substring("onnx, SHA-256 ".length());
    assertThat(open("two", numbered(2), doubles("risk"), "sha256", sha)).isNotNull();
    assertThat(refusal(MODELS.resolve("mlp.onnx"), numbered(10), doubles("risk"), "sha256", sha))
        .startsWith("model m: 'sha256' = '" + sha + "', but ")
        .endsWith(": another file than the one meant");
  }

  /** Fields of Protocol Buffers may be appended: here metadata_props, number 14 of the file. */
  private Path withReference(String text) throws IOException {
    byte[] entry =
        ("\n"
                + (char) Reference.KEY.length()
                + Reference.KEY
                + "\u0012"
                + (char) text.length()
                + text)
            .getBytes(StandardCharsets.ISO_8859_1);
    Path file = Files.copy(MODELS.resolve("two.onnx"), directory.resolve("reference.onnx"));
    Files.write(file, new byte[] {14 << 3 | 2, (byte) entry.length}, StandardOpenOption.APPEND);
    return Files.write(file, entry, StandardOpenOption.APPEND);
  }

  /** As a file has it that a site has exported. */
  @Test
  void aFileMayTellWhatItsTrainingRowsLookedLike() throws IOException {
    String text = "1;0.5|3,4;0.5|7,0;0.0|2,5";
    Model model = open(withReference(text), numbered(2), doubles("risk"), "drift.table", "drift");
    Reference reference = model.reference().orElseThrow();
    assertThat(reference.text()).isEqualTo(text);
    assertThat(model.identity()).startsWith("onnx, SHA-256 " + reference.version());
    assertThat(open("two", numbered(2), doubles("risk")).reference()).isEmpty();
  }

  @Test
  void aModelIsNotWatchedThatDoesNotKnowItsTrainingRows() throws IOException {
    assertThat(refusal("two", numbered(2), doubles("risk"), "drift.table", "drift"))
        .isEqualTo(
            "model m: 'drift.table', but two.onnx does not say what its training rows looked like;"
                + " files that sedge model export writes do");
    assertThat(refusal(withReference("1;0.5|3"), numbered(2), doubles("risk")))
        .endsWith("is damaged: its entry sedge.reference: 1 counts with 1 edges");
  }

  /** Starts as the command does: the class path alone has many kilobytes. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) {
      double[] scores =
          scores(
              open(Path.of(arguments[0]), numbered(2), doubles("risk")).scorer(),
              new double[] {0.5},
              new double[] {0.5});
      if (!Double.isFinite(scores[0])) {
        throw new IllegalStateException("no score");
      }
    }
  }

  /** Version 1.29.0 of the runtime ends such a process with a segmentation fault. */
  @Test
  void theRuntimeTakesALongCommandLine() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                MODELS.resolve("two.onnx").toString(),
                "x".repeat(16_384))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("out").toFile())
            .start();
    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(directory.resolve("out"))).isZero();
  }

  private static String refusal(Path path, Schema input, Schema output, String... options) {
    try {
      open(path, input, output, options);
      return "accepted";
    } catch (ConnectorException e) {
      return String.valueOf(e.getMessage()).replace(MODELS + "/", "");
    }
  }

  private static String refusal(String name, Schema input, Schema output, String... options) {
    return refusal(Path.of(name + ".onnx"), input, output, options);
  }

  @Test
  void aDeclarationThatDoesNotFitIsRefused() {
    Schema text = Schema.builder().add("s", Type.STRING).add("t", Type.DOUBLE).build();
    Schema risk = doubles("risk");
    assertThat(refusal("two", numbered(3), risk))
        .isEqualTo(
            "model m: 'path': the model's input is features FLOAT(any, 2), but INPUT has 3"
                + " columns");
    assertThat(refusal("two", text, risk))
        .isEqualTo("model m: `s` is STRING, but the model's input is features FLOAT(any, 2)");
    assertThat(refusal("classes", doubles("a", "c"), risk))
        .isEqualTo(
            "model m: `c` of INPUT is no input of the model, which has a DOUBLE(any, 1), b"
                + " DOUBLE(any, 1)");
    assertThat(refusal("classes", doubles("a"), risk))
        .isEqualTo(
            "model m: 'path': the model's input b is not in INPUT; the model has a DOUBLE(any, 1),"
                + " b DOUBLE(any, 1)");
    assertThat(refusal("classes", doubles("a", "b"), risk))
        .isEqualTo(
            "model m: `risk`: OUTPUT has 1 columns, but the model gives label INT64(any),"
                + " probabilities DOUBLE(any, 2). Write which one is which: 'output.risk' ="
                + " 'probabilities[1]'");
    assertThat(refusal("classes", doubles("a", "b"), risk, "output.risk", "probabilities"))
        .isEqualTo(
            "model m: `risk` of OUTPUT is probabilities, but the model's output is probabilities"
                + " DOUBLE(any, 2). Write 'output.risk' = 'probabilities[0]' to"
                + " 'probabilities[1]'");
    assertThat(refusal("classes", doubles("a", "b"), risk, "output.risk", "label"))
        .isEqualTo(
            "model m: `risk` is DOUBLE, but the model's output is label INT64(any): write risk"
                + " BIGINT");
    assertThat(refusal("two", numbered(2), risk, "output.rusk", "risk"))
        .isEqualTo("model m: 'output.rusk': OUTPUT has no column `rusk`; it has risk");
    assertThat(refusal("sum", numbered(2), risk))
        .isEqualTo("model m: 'path': the model's output is total FLOAT(), not a row for each row");
  }

  @Test
  void aFileThatIsNoModelIsRefused() throws IOException {
    Schema risk = doubles("risk");
    Path text = Files.writeString(directory.resolve("text.onnx"), "hello, I am a model");
    Path empty = Files.createFile(directory.resolve("empty.onnx"));
    byte[] whole = Files.readAllBytes(MODELS.resolve("mlp.onnx"));
    Path cut = Files.write(directory.resolve("cut.onnx"), Arrays.copyOf(whole, whole.length / 2));
    Path huge = directory.resolve("huge.onnx");
    try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
      file.setLength(2L << 30); // Takes no room.
    }
    assertThat(refusal(text, numbered(10), risk))
        .contains("'path'", "is no model that can be loaded");
    assertThat(refusal(empty, numbered(10), risk))
        .contains("'path'", "is no model that can be loaded");
    assertThat(refusal(cut, numbered(10), risk))
        .contains("'path'", "is no model that can be loaded");
    assertThat(refusal(huge, numbered(10), risk))
        .endsWith("huge.onnx has 2147483648 bytes; a model may have 268435456");
    assertThat(refusal(directory, numbered(10), risk)).contains("'path'", "is no file");
    assertThat(refusal("absent", numbered(10), risk))
        .isEqualTo(
            "model m: 'path': absent.onnx cannot be read (NoSuchFileException); is it on this"
                + " device?");
    assertThat(refusal("custom-op", numbered(2), risk))
        .contains("com.acme:Frobnicate", "operators are those of ONNX and of ai.onnx.ml");
  }

  @Test
  void aPipeIsRefusedAndNotWaitedFor() throws IOException, InterruptedException {
    Path pipe = directory.resolve("pipe.onnx");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThat(refusal(pipe, numbered(10), doubles("risk"))).contains("'path'", "is no file");
  }

  /** It could read whatever the process may, where a script may not. */
  @Test
  void aModelReadsNoOtherFile() throws IOException {
    assertThat(refusal("external", numbered(2), doubles("risk")))
        .contains("its weights must be in the file itself");
    byte[] inside = Files.readAllBytes(MODELS.resolve("external.onnx"));
    String here = new String(inside, java.nio.charset.StandardCharsets.ISO_8859_1);
    here = here.replace("../outside.bin", "src/here12.bin");
    Path model = directory.resolve("here.onnx");
    Files.write(model, here.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    Path weights = Files.write(Path.of("src/here12.bin"), new byte[8]);
    try {
      assertThat(refusal(model, numbered(2), doubles("risk")))
          .contains("its weights must be in the file itself");
    } finally {
      Files.delete(weights);
    }
  }

  @Test
  void aFileThatMayNotBeReadIsNotRead() {
    ModelDescriptor model =
        new ModelDescriptor("m", numbered(2), doubles("risk"), Map.of("path", "../x/two.onnx"));
    FileAccess nothing =
        (what, path, use) -> {
          throw new ConnectorException(
              ConnectorException.Kind.USER, "%s: no %s of %s".formatted(what, use, path));
        };
    assertThatThrownBy(
            () -> new OnnxProvider().open(model, ScriptFiles.in(Path.of("/scripts"), nothing)))
        .isInstanceOf(ConnectorException.class)
        .hasMessage("model m: 'path': no READ of /x/two.onnx");
  }
}
