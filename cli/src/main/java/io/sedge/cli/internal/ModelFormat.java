package io.sedge.cli.internal;

import io.sedge.learning.training.SavedModelFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;

/** What a version of a model may be written as; the texts are what the user writes. */
enum ModelFormat {
  ONNX("onnx") {
    @Override
    void write(byte[] onnx, Path place) throws IOException {
      Files.write(place, onnx, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }
  },
  SAVED_MODEL("saved-model") {
    @Override
    void write(byte[] onnx, Path place) throws IOException {
      Map<String, byte[]> files = SavedModelFile.of(onnx);
      Files.createDirectory(place);
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        Path each = place.resolve(file.getKey());
        Files.createDirectories(each.resolveSibling("."));
        Files.write(each, file.getValue(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
      }
    }
  };

  private final String text;

  ModelFormat(String text) {
    this.text = text;
  }

  /**
   * Writes a version.
   *
   * @param onnx its file, as the site has it
   * @param place must not be there
   */
  abstract void write(byte[] onnx, Path place) throws IOException;

  @Override
  public String toString() {
    return text;
  }
}
