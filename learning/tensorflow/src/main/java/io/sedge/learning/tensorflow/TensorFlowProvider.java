package io.sedge.learning.tensorflow;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.Option.Kind;
import io.sedge.connector.Options;
import io.sedge.connector.ScriptFiles;
import io.sedge.learning.DriftOptions;
import io.sedge.learning.Model;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.ModelProvider;
import io.sedge.learning.tensorflow.internal.ModelFiles;
import io.sedge.learning.tensorflow.internal.TensorFlowModel;
import io.sedge.learning.tensors.ModelChecks;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code 'provider' = 'tensorflow'}: a SavedModel, scored by TensorFlow on the processor. The class
 * is there where TensorFlow is not: then each model is refused, with what to install.
 */
public final class TensorFlowProvider implements ModelProvider {
  private static final String PATH = "path";
  private static final String SHA_256 = "sha256";
  private static final String SIGNATURE = "signature";
  private static final String TAGS = "tags";

  private static final List<Option> OPTIONS =
      Stream.of(
              List.of(
                  Option.required(
                      PATH,
                      Kind.STRING,
                      "the model's directory, or a zip archive of it; relative to the script's"
                          + " directory"),
                  Option.optional(
                      SHA_256,
                      Kind.STRING,
                      "hash of all files of the model, 64 hexadecimal digits: another model is"
                          + " refused"),
                  Option.withDefault(
                      SIGNATURE,
                      Kind.STRING,
                      "serving_default",
                      "which signature of the model scores"),
                  Option.withDefault(
                      TAGS, Kind.STRING, "serve", "which graph of the model, tags with commas")),
              ModelChecks.OPTIONS,
              DriftOptions.ALL)
          .flatMap(List::stream)
          .toList();

  /** For {@link java.util.ServiceLoader}. */
  public TensorFlowProvider() {}

  @Override
  public String name() {
    return "tensorflow";
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  @Override
  public Model open(ModelDescriptor model, ScriptFiles files) {
    Options options = Options.of(model.name(), OPTIONS, model.options());
    String path = options.string(PATH);
    Set<String> tags =
        Arrays.stream(options.string(TAGS).split(",", -1))
            .map(String::strip)
            .filter(tag -> !tag.isEmpty())
            .collect(Collectors.toSet());
    Path place = files.locateTree("model %s: 'path'".formatted(model.name()), path);
    try {
      TensorFlowModel.loadLibrary(); // Without it there is no reason to read the model.
      ModelFiles read = ModelFiles.read(model.name(), path, place);
      ModelChecks.requireHash(model, SHA_256, path, read.sha256());
      return TensorFlowModel.open(model, read, tags, options.string(SIGNATURE));
    } catch (LinkageError e) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "model %s: 'provider' = 'tensorflow' needs TensorFlow, which is not beside this sedge, or not for this system (%s). Fetch it by `./sedge --tensorflow` in the project, 160 MB; docs/install.md says where it goes on a device"
              .formatted(model.name(), reason(e)),
          e);
    }
  }

  private static String reason(LinkageError e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
  }
}
