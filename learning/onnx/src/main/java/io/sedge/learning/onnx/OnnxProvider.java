package io.sedge.learning.onnx;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.Option.Kind;
import io.sedge.connector.Options;
import io.sedge.connector.ScriptFiles;
import io.sedge.learning.DriftOptions;
import io.sedge.learning.Model;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.ModelProvider;
import io.sedge.learning.onnx.internal.ModelFile;
import io.sedge.learning.onnx.internal.OnnxModel;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@code 'provider' = 'onnx'}: a model in an ONNX file, scored by ONNX Runtime on the processor.
 */
public final class OnnxProvider implements ModelProvider {
  private static final String PATH = "path";
  private static final String SHA_256 = "sha256";
  private static final String THREADS = "threads";
  private static final int MOST_THREADS = 64;

  private static final List<Option> OPTIONS =
      Stream.concat(
              Stream.of(
                  Option.required(
                      PATH, Kind.STRING, "the model's file; relative to the script's directory"),
                  Option.optional(
                      SHA_256,
                      Kind.STRING,
                      "SHA-256 of the file, 64 hexadecimal digits: another file is refused"),
                  Option.withDefault(
                      THREADS, Kind.INTEGER, "1", "how many threads compute one batch of rows"),
                  Option.optional(
                      OnnxModel.OUTPUT_PREFIX + "#",
                      Kind.STRING,
                      "which output of the model a column is: its name, or 'name[1]' for one of"
                          + " several values of a row")),
              DriftOptions.ALL.stream())
          .toList();

  /** For {@link java.util.ServiceLoader}. */
  public OnnxProvider() {}

  @Override
  public String name() {
    return "onnx";
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  @Override
  public Model open(ModelDescriptor model, ScriptFiles files) {
    Options options = Options.of(model.name(), OPTIONS, model.options());
    int threads = (int) options.integer(THREADS, 1, MOST_THREADS);
    String path = options.string(PATH);
    Path place = files.locate("model %s: 'path'".formatted(model.name()), path);
    try (ModelFile file = ModelFile.read(model.name(), path, place)) {
      String wanted = options.find(SHA_256).orElse(file.sha256());
      if (!wanted.equalsIgnoreCase(file.sha256())) {
        throw new ConnectorException(
            ConnectorException.Kind.USER,
            "model %s: 'sha256' = '%s', but %s has %s: another file than the one meant"
                .formatted(model.name(), wanted, path, file.sha256()));
      }
      OnnxModel opened = OnnxModel.open(model, file, threads);
      if (DriftOptions.of(model).isPresent() && opened.reference().isEmpty()) {
        throw new ConnectorException(
            ConnectorException.Kind.USER,
            "model %s: '%s', but %s does not say what its training rows looked like; files that sedge model export writes do"
                .formatted(model.name(), DriftOptions.TABLE, path));
      }
      return opened;
    }
  }
}
