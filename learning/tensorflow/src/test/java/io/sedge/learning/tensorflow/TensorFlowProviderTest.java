package io.sedge.learning.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.google.protobuf.CodedOutputStream;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.DirectoryArchive;
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
import java.io.OutputStream;
import java.io.RandomAccessFile;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What TensorFlow computes is what a job gets, and what does not fit is said in words. */
class TensorFlowProviderTest {
  private static final long SEED = 20_261_128;

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

  private Model open(Path path, Schema input, Schema output, String... options) {
    Map<String, String> all = new HashMap<>();
    all.put("path", path.toString());
    for (int i = 0; i < options.length; i += 2) {
      all.put(options[i], options[i + 1]);
    }
    return new TensorFlowProvider()
        .open(
            new ModelDescriptor("m", input, output, all),
            ScriptFiles.in(directory, FileAccess.EVERYTHING));
  }

  private String refusal(Path path, Schema input, Schema output, String... options) {
    try {
      var _ = open(path, input, output, options);
      return "accepted";
    } catch (ConnectorException e) {
      return String.valueOf(e.getMessage()).replace(directory + "/", "");
    }
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

  private static double risk(double[][] features, int row) {
    double sum = 0;
    for (int i = 0; i < features.length; i++) {
      sum += SavedModels.weight(i) * features[i][row];
    }
    return 1 / (1 + Math.exp(-sum));
  }

  @Test
  void aNetworkScoresByItsVariables() throws IOException {
    Path path = SavedModels.network(directory.resolve("network"), 10, -1);
    double[][] features = features(10, ROWS);
    double[] expected = IntStream.range(0, ROWS).mapToDouble(row -> risk(features, row)).toArray();
    Scorer scorer = open(path, numbered(10), doubles("risk")).scorer();
    assertThat(scores(scorer, features)).containsExactly(expected, within(1e-6));
    assertThat(scores(scorer, features)).as("used again").containsExactly(expected, within(1e-6));
  }

  @Test
  void aModelThatTakesAFixedNumberOfRowsGetsIt() throws IOException {
    Path path = SavedModels.network(directory.resolve("three"), 2, 3);
    double[][] features = features(2, 100);
    assertThat(scores(open(path, numbered(2), doubles("risk")).scorer(), features))
        .containsExactly(
            IntStream.range(0, 100).mapToDouble(row -> risk(features, row)).toArray(),
            within(1e-6));
  }

  @Test
  void inputsAndOutputsAreFoundByName() throws IOException {
    Path path = SavedModels.classes(directory.resolve("classes"));
    Schema output =
        Schema.builder()
            .add("high", Type.DOUBLE)
            .add("label", Type.BIGINT)
            .add("low", Type.DOUBLE)
            .build();
    Scorer scorer =
        open(
                path,
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

  @Test
  void outputsAreFoundByPosition() throws IOException {
    Path path = SavedModels.classes(directory.resolve("classes"));
    Schema output =
        Schema.builder().add("c", Type.BIGINT).add("p", Type.DOUBLE).add("q", Type.DOUBLE).build();
    List<Column> scores =
        open(path, doubles("a", "b"), output)
            .scorer()
            .score(columns(new double[] {0}, new double[] {0}), 1);
    assertThat(scores.stream().map(column -> column.value(0)).toList())
        .isEqualTo(List.of(0L, 0.5, 0.5));
  }

  @Test
  void textsAndIntegersAreTensorsToo() throws IOException {
    ColumnBuilder texts = ColumnBuilder.of(Type.STRING);
    texts.add("π and more characters than TensorFlow keeps in place");
    texts.add("");
    Schema text = Schema.builder().add("t", Type.STRING).build();
    List<Column> copies =
        open(SavedModels.text(directory.resolve("text")), text, text)
            .scorer()
            .score(List.of(texts.build()), 2);
    assertThat(copies.getFirst().value(0))
        .isEqualTo("π and more characters than TensorFlow keeps in place");
    assertThat(copies.getFirst().value(1)).isEqualTo("");

    ColumnBuilder indexes = ColumnBuilder.of(Type.INT);
    indexes.add(3);
    indexes.add(0);
    Schema index = Schema.builder().add("i", Type.INT).build();
    List<Column> values =
        open(SavedModels.table(directory.resolve("table")), index, doubles("v"))
            .scorer()
            .score(List.of(indexes.build()), 2);
    assertThat(values.getFirst().value(0)).isEqualTo(4.5);
    assertThat(values.getFirst().value(1)).isEqualTo(1.5);
  }

  /** Who calls finds out which row it was; the scorer goes on. */
  @Test
  void aRowThatTheModelHasNoValueForIsAFailureOfEvaluation() throws IOException {
    Scorer scorer =
        open(
                SavedModels.table(directory.resolve("table")),
                Schema.builder().add("i", Type.BIGINT).build(),
                doubles("v"))
            .scorer();
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
  void whatIsNoNumberIsForTheModelToJudge() throws IOException {
    double[] scores =
        scores(
            open(
                    SavedModels.network(directory.resolve("network"), 2, -1),
                    numbered(2),
                    doubles("risk"))
                .scorer(),
            new double[] {Double.NaN, Double.NEGATIVE_INFINITY, 0.5},
            new double[] {0, 0, 0.5});
    assertThat(scores[0]).isNaN();
    assertThat(scores[1]).isEqualTo(1);
    assertThat(scores[2]).isFinite();
  }

  /** Whoever packs a directory may do it from within or from beside it. */
  @Test
  void anArchiveIsTheDirectory() throws IOException {
    Path path = SavedModels.network(directory.resolve("network"), 2, -1);
    Model model = open(path, numbered(2), doubles("risk"));
    Path archive = directory.resolve("network.zip");
    try (OutputStream output = Files.newOutputStream(archive)) {
      DirectoryArchive.write(path, output);
    }
    Model packed = open(archive, numbered(2), doubles("risk"));
    assertThat(packed.identity())
        .isEqualTo(model.identity())
        .matches("tensorflow, SHA-256 [0-9a-f]{64}, signature serving_default");
    Path beside = directory.resolve("beside.zip");
    zip(beside, "network/", path);
    assertThat(open(beside, numbered(2), doubles("risk")).identity()).isEqualTo(model.identity());
    double[][] features = features(2, 10);
    assertThat(scores(packed.scorer(), features)).isEqualTo(scores(model.scorer(), features));
  }

  /** As macOS packs. */
  @Test
  void whatLiesBesideTheModelInAnArchiveIsSaid() throws IOException {
    Path archive = directory.resolve("m.zip");
    try (ZipOutputStream output = new ZipOutputStream(Files.newOutputStream(archive))) {
      for (String name : List.of("m/saved_model.pb", "__MACOSX/m/._saved_model.pb")) {
        output.putNextEntry(new ZipEntry(name));
      }
    }
    assertThat(refusal(archive, numbered(2), doubles("risk")))
        .isEqualTo(
            "model m: 'path': m.zip is no model that can be read: its saved_model.pb is neither at"
                + " the top nor in the only directory there: at the top there is __MACOSX, m. Pack"
                + " the model's directory alone; from an archive of macOS remove the rest: zip -d"
                + " FILE '__MACOSX/*'");
  }

  private static void zip(Path archive, String prefix, Path model) throws IOException {
    try (ZipOutputStream output = new ZipOutputStream(Files.newOutputStream(archive));
        Stream<Path> files = Files.walk(model)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        output.putNextEntry(new ZipEntry(prefix + model.relativize(file)));
        Files.copy(file, output);
      }
    }
  }

  /** As {@code sha256sum} makes it: docs/learning.md has the command. */
  @Test
  void theHashIsOneThatPeopleCanCompute() throws IOException, InterruptedException {
    Path path = SavedModels.network(directory.resolve("network"), 2, -1);
    Files.writeString(path.resolve(".hidden"), "of a file manager");
    byte[] skipped = new byte[100_000];
    skipped[0] = 15 << 3 | 2; // A field that nobody knows, of all bytes that follow.
    CodedOutputStream length = CodedOutputStream.newInstance(skipped, 1, 3);
    length.writeUInt32NoTag(skipped.length - 4);
    Files.write(path.resolve("saved_model.pb"), skipped, StandardOpenOption.APPEND);
    Process process =
        new ProcessBuilder(
                "sh",
                "-c",
                "find . -type f -printf '%P\\n"
                    + "' | LC_ALL=C sort | xargs -d '\\n"
                    + "' sha256sum | sha256sum")
            .directory(path.toFile())
            .start();
    String hash = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    hash = hash.substring(0, 64);
    assertThat(open(path, numbered(2), doubles("risk"), "sha256", hash).identity()).contains(hash);
    Path other = SavedModels.network(directory.resolve("other"), 3, -1);
    assertThat(refusal(other, numbered(3), doubles("risk"), "sha256", hash))
        .startsWith("model m: 'sha256' = '" + hash + "', but other has ")
        .endsWith(": another file than the one meant");
  }

  @Test
  void aModelMayTellWhatItsTrainingRowsLookedLike() throws IOException {
    Path path = SavedModels.network(directory.resolve("network"), 2, -1);
    assertThat(refusal(path, numbered(2), doubles("risk"), "drift.table", "drift"))
        .isEqualTo(
            "model m: 'drift.table', but network does not say what its training rows looked like;"
                + " files that sedge model export writes do");
    String text = "1;0.5|3,4;0.5|7,0;0.0|2,5";
    Path reference = Files.createDirectory(path.resolve("assets.extra")).resolve(Reference.KEY);
    Files.writeString(reference, text);
    Model model = open(path, numbered(2), doubles("risk"), "drift.table", "drift");
    assertThat(model.reference().orElseThrow().text()).isEqualTo(text);
    Files.writeString(reference, "1;0.5|3");
    assertThat(refusal(path, numbered(2), doubles("risk")))
        .endsWith("is damaged: its entry sedge.reference: 1 counts with 1 edges");
  }

  @Test
  void aDeclarationThatDoesNotFitIsRefused() throws IOException {
    Schema text = Schema.builder().add("s", Type.STRING).add("t", Type.DOUBLE).build();
    Schema risk = doubles("risk");
    Path two = SavedModels.network(directory.resolve("two"), 2, -1);
    Path classes = SavedModels.classes(directory.resolve("classes"));
    assertThat(refusal(two, numbered(3), risk))
        .isEqualTo(
            "model m: 'path': the model's input is features FLOAT(any, 2), but INPUT has 3"
                + " columns");
    assertThat(refusal(two, text, risk))
        .isEqualTo("model m: `s` is STRING, but the model's input is features FLOAT(any, 2)");
    assertThat(refusal(classes, doubles("a", "c"), risk))
        .isEqualTo(
            "model m: `c` of INPUT is no input of the model, which has a DOUBLE(any, 1), b"
                + " DOUBLE(any, 1)");
    assertThat(refusal(classes, doubles("a"), risk))
        .isEqualTo(
            "model m: 'path': the model's input b is not in INPUT; the model has a DOUBLE(any, 1),"
                + " b DOUBLE(any, 1)");
    assertThat(refusal(classes, doubles("a", "b"), risk))
        .isEqualTo(
            "model m: `risk`: OUTPUT has 1 columns, but the model gives label INT64(any),"
                + " probabilities DOUBLE(any, 2). Write which one is which: 'output.risk' ="
                + " 'probabilities[1]'");
    assertThat(refusal(classes, doubles("a", "b"), risk, "output.risk", "label"))
        .isEqualTo(
            "model m: `risk` is DOUBLE, but the model's output is label INT64(any): write risk"
                + " BIGINT");
    assertThat(refusal(SavedModels.total(directory.resolve("total")), numbered(2), risk))
        .isEqualTo("model m: 'path': the model's output is total FLOAT(), not a row for each row");
    assertThat(refusal(two, numbered(2), risk, "signature", "serving_defalt"))
        .isEqualTo(
            "model m: 'signature' = 'serving_defalt' is not one of serving_default; did you mean"
                + " 'serving_default'?");
    assertThat(refusal(two, numbered(2), risk, "tags", "serve, gpu"))
        .isEqualTo("model m: 'tags' = 'gpu,serve', but two has 'serve'");
  }

  @Test
  void whatIsNoModelIsRefused() throws IOException {
    Schema risk = doubles("risk");
    Path whole = SavedModels.network(directory.resolve("whole"), 2, -1);
    byte[] graph = Files.readAllBytes(whole.resolve("saved_model.pb"));
    assertThat(refusal(Files.createDirectory(directory.resolve("empty")), numbered(2), risk))
        .isEqualTo(
            "model m: 'path': empty is no model that can be read: it has no saved_model.pb; name"
                + " the directory that tf.saved_model.save or model.export has written");
    assertThat(refusal(whole.resolve("saved_model.pb"), numbered(2), risk))
        .endsWith("it is neither a directory nor a zip archive of one");
    assertThat(refusal(Path.of("absent"), numbered(2), risk))
        .isEqualTo(
            "model m: 'path': absent cannot be read (NoSuchFileException); is it on this device?");

    Files.write(whole.resolve("saved_model.pb"), Arrays.copyOf(graph, graph.length / 2));
    assertThat(refusal(whole, numbered(2), risk)).contains("is no model that can be loaded");
    Files.writeString(whole.resolve("saved_model.pb"), "hello, I am a model");
    assertThat(refusal(whole, numbered(2), risk)).contains("is no model that can be loaded");
    Files.write(whole.resolve("saved_model.pb"), new byte[0]);
    assertThat(refusal(whole, numbered(2), risk))
        .endsWith("whole is no model that can be loaded: its saved_model.pb has no graph");

    String unknown = new String(graph, StandardCharsets.ISO_8859_1).replace("Sigmoid", "Sigmoix");
    Files.write(whole.resolve("saved_model.pb"), unknown.getBytes(StandardCharsets.ISO_8859_1));
    assertThat(refusal(whole, numbered(2), risk))
        .contains("Sigmoix", "operations are those of TensorFlow itself");

    Files.write(whole.resolve("saved_model.pb"), graph);
    try (RandomAccessFile file =
        new RandomAccessFile(whole.resolve("variables/huge").toFile(), "rw")) {
      file.setLength(2L << 30); // Takes no room.
    }
    assertThat(refusal(whole, numbered(2), risk))
        .endsWith("its files have more than 268,435,456 bytes together");
    Files.delete(whole.resolve("variables/huge"));
    Path weights = whole.resolve("variables/variables.data-00000-of-00001");
    Files.write(weights, Arrays.copyOf(Files.readAllBytes(weights), 4));
    assertThat(refusal(whole, numbered(2), risk)).contains("is no model that can be loaded");
  }

  @Test
  void linksAndPipesAreRefused() throws IOException, InterruptedException {
    Schema risk = doubles("risk");
    Path model = SavedModels.network(directory.resolve("model"), 2, -1);
    Path outside = Files.writeString(directory.resolve("outside"), "secret");
    Path link = Files.createSymbolicLink(model.resolve("variables/link"), outside);
    assertThat(refusal(model, numbered(2), risk))
        .endsWith(
            "variables/link is a symbolic link, which may lead elsewhere: put the file itself"
                + " there");
    Files.delete(link);
    Path other = Files.createSymbolicLink(model.resolve("assets"), directory);
    assertThat(refusal(model, numbered(2), risk)).contains("assets is a symbolic link");
    Files.delete(other);
    Path pipe = model.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThat(refusal(model, numbered(2), risk)).endsWith("pipe is no file");
    Files.delete(pipe);
    Path named = Files.createSymbolicLink(directory.resolve("named"), model);
    assertThat(open(named, numbered(2), risk)).isNotNull();
  }

  /** It could read whatever the process may, where a script may not. */
  @Test
  void aModelReadsNoOtherFile() throws IOException {
    Path secret = Files.writeString(directory.resolve("secret"), "secret");
    Path spy = SavedModels.spy(directory.resolve("spy"), secret);
    assertThat(refusal(spy, numbered(2), doubles("seen")))
        .isEqualTo(
            "model m: 'path': spy has the operation ReadFile, which may reach files, other"
                + " programs or other machines; a model has its weights and tables in itself");
  }

  @Test
  void aDirectoryThatMayNotBeReadIsNotRead() {
    ModelDescriptor model =
        new ModelDescriptor("m", numbered(2), doubles("risk"), Map.of("path", "../x/two"));
    FileAccess nothing =
        (what, path, use) -> {
          throw new ConnectorException(
              ConnectorException.Kind.USER, "%s: no %s of %s".formatted(what, use, path));
        };
    assertThatThrownBy(
            () ->
                new TensorFlowProvider().open(model, ScriptFiles.in(Path.of("/scripts"), nothing)))
        .isInstanceOf(ConnectorException.class)
        .hasMessage("model m: 'path': no READ of /x/two");
  }
}
