package io.sedge.learning.onnx.internal;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import io.sedge.learning.tensors.OpenModels;

/**
 * The sessions that are open: one for each content of a file and number of threads, however often a
 * script with it is compiled. Any thread.
 */
final class Sessions {
  private static final OpenModels<Key, OrtSession> OPEN = new OpenModels<>("sedge-onnx-cleaner");

  /** A directory that is not there: weights beside a model's file are not read. */
  private static final String NOWHERE = "/nonexistent/external-data";

  private Sessions() {}

  private record Key(String sha256, int threads) {}

  /**
   * That of a file.
   *
   * @throws OrtException if it is no model
   */
  static OpenModels.Shared<OrtSession> of(ModelFile file, OrtEnvironment environment, int threads)
      throws OrtException {
    return OPEN.get(
        new Key(file.sha256(), threads), () -> create(file, environment, threads), Sessions::close);
  }

  private static OrtSession create(ModelFile file, OrtEnvironment environment, int threads)
      throws OrtException {
    try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      options.setIntraOpNumThreads(threads);
      options.setInterOpNumThreads(1);
      options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
      options.addConfigEntry("session.model_external_initializers_file_folder_path", NOWHERE);
      options.addConfigEntry("session.intra_op.allow_spinning", "0");
      return environment.createSession(file.bytes(), options);
    }
  }

  private static void close(OrtSession session) {
    try {
      session.close();
    } catch (OrtException e) {
      throw new IllegalStateException("a session of ONNX Runtime cannot be closed", e);
    }
  }
}
