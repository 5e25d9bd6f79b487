package io.sedge.learning.onnx.internal;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/**
 * The sessions that are open: one for each content of a file and number of threads, however often a
 * script with it is compiled. A session is closed once nobody refers to its {@link Shared}. Any
 * thread.
 */
final class Sessions {
  private static final Cleaner CLEANER =
      Cleaner.create(Thread.ofVirtual().name("sedge-onnx-cleaner").factory());

  /** A directory that is not there: weights beside a model's file are not read. */
  private static final String NOWHERE = "/nonexistent/external-data";

  private static final Map<Key, WeakReference<Shared>> OPEN = new HashMap<>();

  private Sessions() {}

  private record Key(String sha256, int threads) {}

  /** A session that others may have too; whoever uses it refers to this. */
  static final class Shared {
    private final OrtSession session;

    private Shared(OrtSession session) {
      this.session = session;
    }

    OrtSession session() {
      return session;
    }
  }

  /**
   * That of a file.
   *
   * @throws OrtException if it is no model
   */
  static Shared of(ModelFile file, OrtEnvironment environment, int threads) throws OrtException {
    synchronized (OPEN) {
      OPEN.values().removeIf(open -> open.refersTo(null));
      Key key = new Key(file.sha256(), threads);
      WeakReference<Shared> known = OPEN.get(key);
      Shared open = known == null ? null : known.get();
      if (open == null) {
        OrtSession session = create(file, environment, threads);
        open = new Shared(session);
        CLEANER.register(open, () -> close(session));
        OPEN.put(key, new WeakReference<>(open));
      }
      return open;
    }
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
