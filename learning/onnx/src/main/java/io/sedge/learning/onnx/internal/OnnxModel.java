package io.sedge.learning.onnx.internal;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.learning.Model;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.Reference;
import io.sedge.learning.Scorer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * A session of ONNX Runtime, shared by its scorers and by other models of the same file; closed
 * when nobody refers to them.
 */
public final class OnnxModel implements Model {
  /** Options {@code output.COLUMN} begin with this. */
  public static final String OUTPUT_PREFIX = "output.";

  private static final int VERSION_DIGITS = 12;

  private final String name;
  private final String identity;
  private final OrtEnvironment environment;
  private final Sessions.Shared session;
  private final Binding binding;
  private final Optional<Reference> reference;

  private OnnxModel(
      String name,
      String identity,
      OrtEnvironment environment,
      Sessions.Shared session,
      Binding binding,
      Optional<Reference> reference) {
    this.name = name;
    this.identity = identity;
    this.environment = environment;
    this.session = session;
    this.binding = binding;
    this.reference = reference;
  }

  /**
   * Loads a model and checks its inputs and outputs against its declaration.
   *
   * @throws ConnectorException of kind USER if it is none, or another one than declared
   */
  public static OnnxModel open(ModelDescriptor model, ModelFile file, int threads) {
    OrtEnvironment environment = environment(model);
    try {
      Sessions.Shared session = Sessions.of(file, environment, threads);
      Binding binding = Binding.of(model, session.session());
      return new OnnxModel(
          model.name(),
          "onnx, SHA-256 " + file.sha256(),
          environment,
          session,
          binding,
          reference(model, file, session.session()));
    } catch (OrtException e) {
      throw damaged(model, file, e);
    }
  }

  private static Optional<Reference> reference(
      ModelDescriptor model, ModelFile file, OrtSession session) throws OrtException {
    Optional<String> text = session.getMetadata().getCustomMetadataValue(Reference.KEY);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      Reference reference = Reference.parse(file.sha256().substring(0, VERSION_DIGITS), text.get());
      int columns = model.input().size() + model.output().size();
      return Optional.of(reference).filter(found -> found.columns().size() == columns);
    } catch (IllegalArgumentException e) {
      throw new ConnectorException(
          Kind.USER,
          "model %s: 'path': %s is damaged: its entry %s: %s"
              .formatted(model.name(), file.name(), Reference.KEY, e.getMessage()),
          e);
    }
  }

  private static OrtEnvironment environment(ModelDescriptor model) {
    try {
      Leftovers.remove(Path.of(System.getProperty("java.io.tmpdir")), Instant.now());
      return Environment.get();
    } catch (LinkageError | IllegalStateException e) {
      throw new ConnectorException(
          Kind.USER,
          "model %s: 'provider' = 'onnx' needs ONNX Runtime, which is not here or not for this system: %s"
              .formatted(model.name(), e),
          e);
    }
  }

  private static ConnectorException damaged(ModelDescriptor model, ModelFile file, OrtException e) {
    String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    String hint = "";
    if (why.contains("is not a registered function/op") || why.contains("No Op registered")) {
      hint = "; operators are those of ONNX and of ai.onnx.ml";
    } else if (why.contains("External data")) {
      hint =
          "; its weights must be in the file itself: onnx.save_model(…,"
              + " save_as_external_data=False)";
    }
    return new ConnectorException(
        Kind.USER,
        "model %s: 'path': %s is no model that can be loaded: %s%s"
            .formatted(model.name(), file.name(), why, hint),
        e);
  }

  @Override
  public String identity() {
    return identity;
  }

  @Override
  public Optional<Reference> reference() {
    return reference;
  }

  @Override
  public Scorer scorer() {
    return new OnnxScorer(this);
  }

  String name() {
    return name;
  }

  OrtEnvironment environment() {
    return environment;
  }

  OrtSession session() {
    return session.session();
  }

  Binding binding() {
    return binding;
  }
}
