package io.sedge.learning.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.FileAccess;
import io.sedge.connector.ScriptFiles;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.Scorer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A process that is told to stop lets its tasks end: they score while the runtime's hook runs. */
class ShutdownTest {
  private static final String SCORED = "scored while it stopped";

  @Test
  void scoresAreComputedUntilTheProcessEnds() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Stopping.class.getName())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(output).contains(SCORED);
    assertThat(process.exitValue()).as(output).isZero();
  }

  /** Opens a model, stops, and scores in a hook of its own once the runtime's has run. */
  static final class Stopping {
    private Stopping() {}

    public static void main(String[] arguments) {
      Schema.Builder input = Schema.builder();
      for (int i = 0; i < 10; i++) {
        input.add("x" + i, Type.DOUBLE);
      }
      ModelDescriptor model =
          new ModelDescriptor(
              "m",
              input.build(),
              Schema.builder().add("risk", Type.DOUBLE).build(),
              Map.of("path", "mlp.onnx"));
      Path models = Path.of("src/test/resources/models").toAbsolutePath();
      Scorer scorer =
          new OnnxProvider().open(model, ScriptFiles.in(models, FileAccess.EVERYTHING)).scorer();
      List<Column> row = Collections.nCopies(10, new DoubleColumn(new double[] {0.5}, null, 1));
      Thread hook =
          new Thread(
              () -> {
                awaitOtherHooks();
                for (int i = 0; i < 1_000; i++) {
                  scorer.score(row, 1);
                }
                System.out.println(SCORED);
              },
              "scoring");
      Runtime.getRuntime().addShutdownHook(hook);
      System.exit(0);
    }

    /** The runtime's hook has no name of its own. */
    private static void awaitOtherHooks() {
      try {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
          if (thread.getName().startsWith("Thread-")) {
            thread.join();
          }
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
