package io.sedge.cli.internal;

import io.sedge.learning.training.SavedModelFile;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/** What a version of a model may be written as; the texts are what the user writes. */
enum ModelFormat {
  ONNX("onnx") {
    @Override
    void fill(byte[] onnx, Path fresh) throws IOException {
      Files.write(fresh, onnx, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }
  },
  SAVED_MODEL("saved-model") {
    @Override
    void fill(byte[] onnx, Path fresh) throws JobException, IOException {
      Map<String, byte[]> files;
      try {
        files = SavedModelFile.of(onnx);
      } catch (IllegalArgumentException e) {
        throw new JobException(
            FailureCode.USAGE,
            "this version cannot be written as %s, which has no equal of %s: write it as %s"
                .formatted(this, e.getMessage(), ONNX),
            e);
      }
      Files.createDirectory(fresh);
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        Path each = fresh.resolve(file.getKey());
        Files.createDirectories(each.resolveSibling("."));
        Files.write(each, file.getValue(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      }
    }
  };

  private final String text;

  ModelFormat(String text) {
    this.text = text;
  }

  abstract void fill(byte[] onnx, Path fresh) throws JobException, IOException;

  /**
   * Writes a version, whole or not at all.
   *
   * @param onnx its file, as the site has it
   * @param place must not be there
   * @throws JobException if the version has something that this format has not
   */
  final void write(byte[] onnx, Path place) throws JobException, IOException {
    if (Files.exists(place)) {
      throw new FileAlreadyExistsException(place.toString());
    }
    Path fresh =
        place.resolveSibling(
            "%s.new-%d".formatted(place.getFileName(), ProcessHandle.current().pid()));
    boolean written = false;
    try {
      fill(onnx, fresh);
      Files.move(fresh, place);
      written = true;
    } finally {
      if (!written) {
        remove(fresh);
      }
    }
  }

  private static void remove(Path fresh) {
    if (!Files.exists(fresh)) {
      return;
    }
    try (Stream<Path> files = Files.walk(fresh)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException _) {
      // Why it could not be written matters more.
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
