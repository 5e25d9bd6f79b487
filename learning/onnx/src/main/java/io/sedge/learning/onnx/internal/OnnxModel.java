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
import io.sedge.learning.tensors.Binding;
import io.sedge.learning.tensors.ModelChecks;
import io.sedge.learning.tensors.OpenModels;
import io.sedge.learning.tensors.TensorScorer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * A session of ONNX Runtime, shared by its scorers and by other models of the same file; closed
 * when nobody refers to them.
 */
public final class OnnxModel implements Model {
  private final String name;
  private final String identity;
  private final OrtEnvironment environment;
  private final OpenModels.Shared<OrtSession> session;
  private final Binding binding;
  private final Optional<Reference> reference;

  private OnnxModel(
      String name,
      String identity,
      OrtEnvironment environment,
      OpenModels.Shared<OrtSession> session,
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
      OpenModels.Shared<OrtSession> session = Sessions.of(file, environment, threads);
      return new OnnxModel(
          model.name(),
          "onnx, SHA-256 " + file.sha256(),
          environment,
          session,
          Tensors.binding(model, session.model()),
          ModelChecks.reference(
              model,
              file.name(),
              file.sha256(),
              session.model().getMetadata().getCustomMetadataValue(Reference.KEY)));
    } catch (OrtException e) {
      throw damaged(model, file, e);
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
    return new TensorScorer(name, binding, new Computation(this));
  }

  String name() {
    return name;
  }

  OrtEnvironment environment() {
    return environment;
  }

  OrtSession session() {
    return session.model();
  }

  Binding binding() {
    return binding;
  }
}
