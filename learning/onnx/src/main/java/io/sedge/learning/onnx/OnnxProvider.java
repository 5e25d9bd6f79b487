package io.sedge.learning.onnx;

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
import io.sedge.learning.tensors.ModelChecks;
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
                      THREADS, Kind.INTEGER, "1", "how many threads compute one batch of rows")),
              Stream.concat(ModelChecks.OPTIONS.stream(), DriftOptions.ALL.stream()))
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
      ModelChecks.requireHash(model, SHA_256, path, file.sha256());
      return OnnxModel.open(model, file, threads);
    }
  }
}
