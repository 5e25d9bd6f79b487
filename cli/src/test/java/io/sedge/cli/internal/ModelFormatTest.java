package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sedge.learning.training.Algorithm;
import io.sedge.learning.training.FittedModel;
import io.sedge.learning.training.OnnxFile;
import io.sedge.task.JobException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A version that leaves a site is there whole, or not at all. */
class ModelFormatTest {
  private static final byte[] ONNX =
      OnnxFile.of(FittedModel.of(Algorithm.LOGISTIC, 2, new double[] {0.5, 1, 2}), List.of("risk"));

  @TempDir private Path directory;

  @Test
  void nothingElseIsLeft() throws JobException, IOException {
    ModelFormat.ONNX.write(ONNX, directory.resolve("a"));
    ModelFormat.SAVED_MODEL.write(ONNX, directory.resolve("b"));
    assertThat(directory.resolve("a")).hasBinaryContent(ONNX);
    assertThat(directory.resolve("b/saved_model.pb")).isNotEmptyFile();
    assertThat(directory.toFile().list()).containsExactlyInAnyOrder("a", "b");
    for (ModelFormat format : ModelFormat.values()) {
      assertThatExceptionOfType(FileAlreadyExistsException.class)
          .isThrownBy(() -> format.write(ONNX, directory.resolve("a")));
    }
  }

  @Test
  void ofAVersionThatItCannotBeNothingIsLeft() {
    byte[] other =
        new String(ONNX, StandardCharsets.ISO_8859_1)
            .replace("Sigmoid", "Sigmoix")
            .getBytes(StandardCharsets.ISO_8859_1);
    assertThatExceptionOfType(JobException.class)
        .isThrownBy(() -> ModelFormat.SAVED_MODEL.write(other, directory.resolve("a")))
        .withMessage(
            "this version cannot be written as saved-model, which has no equal of the operator"
                + " Sigmoix: write it as onnx");
    assertThat(directory).isEmptyDirectory();
  }

  /** As when the disk is full in the midst. */
  @Test
  void ofOneThatFailsInTheMidstNothingIsLeft() throws IOException {
    String fresh = "a.new-" + ProcessHandle.current().pid();
    Files.createDirectories(directory.resolve(fresh).resolve("saved_model.pb"));
    for (ModelFormat format : ModelFormat.values()) {
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> format.write(ONNX, directory.resolve("a/b")));
    }
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> ModelFormat.SAVED_MODEL.write(ONNX, directory.resolve("a")));
    assertThat(directory).isEmptyDirectory();
  }
}
