package io.sedge.tensor.training.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.tensor.training.TrainedModel;
import io.sedge.tensor.training.cluster.Checkpoints;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.Result;
import org.tensorflow.SavedModelBundle;
import org.tensorflow.ndarray.StdArrays;
import org.tensorflow.types.TFloat32;
import org.tensorflow.types.TInt64;

/** The command with its real processes. */
@Timeout(120)
class TrainCommandTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @TempDir private Path folder;

  private int run(String... arguments) {
    return TrainMain.execute(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        false,
        NetworkNamespace.none(),
        arguments);
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Test
  void generatedDataIsTrainedOnAndTheModelReadsBackInAFreshProcess()
      throws IOException, InterruptedException {
    Path output = folder.resolve("out");
    int code = run("--generate", "2000", "--epochs", "8", "--output", output.toString());
    assertThat(err()).isEmpty();
    assertThat(code).isZero();
    assertThat(out())
        .contains("1600 examples (and 400 held back), a model of 769 numbers, 208 steps")
        .contains("step 208 of 208")
        .contains("of the examples held back: log loss");
    assertThat(Files.readString(output.resolve("loss.svg")))
        .startsWith("<svg")
        .contains("polyline");
    assertThat(Files.readAllLines(output.resolve("metrics.jsonl"))).isNotEmpty();
    assertThat(Files.readString(output.resolve("result.json"))).contains("\"auc\": 0.");
    String here = numbers(output);
    assertThat(fresh(output)).isEqualTo(here);
    assertThat(here).startsWith("step 208 ");
  }

  /** The same numbers as this process reads, from one that has nothing of the training. */
  private static String fresh(Path output) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                TrainCommandTest.class.getName(),
                output.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String text =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return text;
  }

  /** The fresh process. */
  public static void main(String[] arguments) {
    System.out.println(numbers(Path.of(arguments[0])));
  }

  private static String numbers(Path output) {
    float[][] examples = new float[3][10];
    for (int i = 0; i < 30; i++) {
      examples[i / 10][i % 10] = i * 0.1f - 1;
    }
    Map<String, Class<? extends org.tensorflow.types.family.TType>> wanted =
        Map.of("global_step", TInt64.class);
    try (Checkpoints checkpoints = Checkpoints.open(output.resolve("checkpoints"), 3);
        Result saved = Checkpoints.read(checkpoints.latest().orElseThrow().prefix(), wanted);
        SavedModelBundle bundle =
            SavedModelBundle.load(output.resolve("model").toString(), "serve");
        TFloat32 input = TFloat32.tensorOf(StdArrays.ndCopyOf(examples));
        Result result =
            bundle.function(TrainedModel.SIGNATURE).call(Map.of(TrainedModel.INPUT, input))) {
      float[][] predictions =
          StdArrays.array2dCopyOf((TFloat32) result.get(TrainedModel.OUTPUT).orElseThrow());
      return "step " + ((TInt64) saved.get(0)).getLong() + " " + Arrays.deepToString(predictions);
    }
  }

  @Test
  void helpTellsEveryOption() {
    assertThat(run("--help")).isZero();
    assertThat(out())
        .contains("--generate", "--data", "--output", "--workers", "--restart", "FILE", "task")
        .contains("--open-network", "--patience");
    assertThat(run("task", "--help")).isZero();
    assertThat(out()).contains("TF_CONFIG", "--insecure-network", "--resolver");
  }

  @Test
  void whatCannotBeDoneIsToldWithoutStartingAnything() throws IOException {
    assertThat(run()).isEqualTo(2);
    assertThat(err()).contains("say what to train: a FILE, or --generate ROWS");
    assertThat(run("missing.yaml")).isEqualTo(2);
    assertThat(err()).contains("missing.yaml does not exist");
    assertThat(run("--generate", "ten")).isEqualTo(2);
    assertThat(err()).contains("--generate");
    assertThat(run("--generate", "100", "--workers", "0")).isEqualTo(2);
    assertThat(err()).contains("--workers 0 is not from 1 to 64");
    assertThat(run("--no-such-option")).isEqualTo(2);
    Path file = folder.resolve("t.yaml");
    Files.writeString(
        file,
        """
        data: {files: d.csv, features: [x], targets: y}
        model: {head: binary}
        """);
    Path data = folder.resolve("d.csv");
    for (List<String> pair :
        List.of(
            List.of("x,y\n1,0\nNaN,1\n", "line 3, column 'x' is NaN"),
            List.of("x,z\n1,0\n", "has no column 'y'"),
            List.of("x,y\n1,0\n1,2\n", "row 2 of the data, column 'y' is 2.0; the model tells"),
            List.of("x,y\n1,0\n", "1 examples for 2 workers"))) {
      Files.writeString(data, pair.get(0));
      assertThat(run(file.toString(), "--output", folder.resolve("o").toString())).isEqualTo(2);
      assertThat(err()).contains(pair.get(1));
    }
  }

  @Test
  void aSecondTrainingInTheSameDirectoryIsRefused() {
    Path output = folder.resolve("out");
    Checkpoints held = Checkpoints.open(output.resolve("checkpoints"), 1);
    try (held) {
      assertThat(run("--generate", "100", "--output", output.toString())).isEqualTo(1);
    }
    assertThat(err()).contains("belongs to a training that runs");
  }
}
