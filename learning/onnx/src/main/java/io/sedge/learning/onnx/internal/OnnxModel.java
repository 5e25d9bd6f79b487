package io.sedge.learning.onnx.internal;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.learning.Model;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.Scorer;
import java.lang.ref.Cleaner;
import java.nio.file.Path;
import java.time.Instant;

/** A session of ONNX Runtime, shared by its scorers; closed when nobody refers to them. */
public final class OnnxModel implements Model {
  /** Options {@code output.COLUMN} begin with this. */
  public static final String OUTPUT_PREFIX = "output.";

  private static final Cleaner CLEANER =
      Cleaner.create(Thread.ofVirtual().name("sedge-onnx-cleaner").factory());

  /** A directory that is not there: weights beside a model's file are not read. */
  private static final String NOWHERE = "/nonexistent/external-data";

  private final String name;
  private final String identity;
  private final OrtEnvironment environment;
  private final OrtSession session;
  private final Binding binding;

  private OnnxModel(
      String name,
      String identity,
      OrtEnvironment environment,
      OrtSession session,
      Binding binding) {
    this.name = name;
    this.identity = identity;
    this.environment = environment;
    this.session = session;
    this.binding = binding;
  }

  /**
   * Loads a model and checks its inputs and outputs against its declaration.
   *
   * @throws ConnectorException of kind USER if it is none, or another one than declared
   */
  public static OnnxModel open(ModelDescriptor model, ModelFile file, int threads) {
    OrtEnvironment environment = environment(model);
    OrtSession session = session(model, file, environment, threads);
    try {
      Binding binding = Binding.of(model, session);
      OnnxModel opened =
          new OnnxModel(
              model.name(), "onnx, SHA-256 " + file.sha256(), environment, session, binding);
      CLEANER.register(opened, () -> close(session));
      return opened;
    } catch (OrtException e) {
      close(session);
      throw damaged(model, file, e);
    } catch (RuntimeException e) {
      close(session);
      throw e;
    }
  }

  private static OrtEnvironment environment(ModelDescriptor model) {
    try {
      Leftovers.remove(Path.of(System.getProperty("java.io.tmpdir")), Instant.now());
      return OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL, "sedge");
    } catch (LinkageError | IllegalStateException e) {
      throw new ConnectorException(
          Kind.USER,
          "model %s: 'provider' = 'onnx' needs ONNX Runtime, which is not here or not for this system: %s"
              .formatted(model.name(), e),
          e);
    }
  }

  private static OrtSession session(
      ModelDescriptor model, ModelFile file, OrtEnvironment environment, int threads) {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(threads);
      options.setInterOpNumThreads(1);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
      options.addConfigEntry("session.model_external_initializers_file_folder_path", NOWHERE);
      options.addConfigEntry("session.intra_op.allow_spinning", "0");
      return environment.createSession(file.bytes(), options);
    } catch (OrtException e) {
      throw damaged(model, file, e);
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
            .formatted(model.name(), file.path(), why, hint),
        e);
  }

  private static void close(OrtSession session) {
    try {
      session.close();
    } catch (OrtException e) {
      throw new IllegalStateException("a session of ONNX Runtime cannot be closed", e);
    }
  }

  @Override
  public String identity() {
    return identity;
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
    return session;
  }

  Binding binding() {
    return binding;
  }
}
