package io.sedge.learning.onnx.internal;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtLoggingLevel;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The runtime's environment, which stays until the process ends. The runtime's Java library gives
 * its own reference back in a shutdown hook, while tasks may still score: so one more is held,
 * which only its private methods can take. It removes the libraries that it has unpacked when the
 * process ends, so not if that is killed: they are removed as soon as they are loaded. Any thread.
 */
final class Environment {
  private static final String NAME = "sedge";

  private static @Nullable OrtEnvironment instance;

  private Environment() {}

  /**
   * It.
   *
   * @throws LinkageError if the runtime is not here
   * @throws IllegalStateException if it cannot be started
   */
  static synchronized OrtEnvironment get() {
    OrtEnvironment known = instance;
    if (known == null) {
      known = create();
      instance = known;
    }
    return known;
  }

  private static OrtEnvironment create() {
    OrtEnvironment environment =
        OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL, NAME);
    try {
      MethodHandles.Lookup runtime =
          MethodHandles.privateLookupIn(OrtEnvironment.class, MethodHandles.lookup());
      Class<?> library = runtime.findClass("ai.onnxruntime.OnnxRuntime");
      long api = (long) runtime.findStaticGetter(library, "ortApiHandle", long.class).invokeExact();
      MethodHandle take =
          runtime.findStatic(
              OrtEnvironment.class,
              "createHandle",
              MethodType.methodType(long.class, long.class, int.class, String.class));
      long handle =
          (long) take.invokeExact(api, OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL.getValue(), NAME);
      if (handle == 0) {
        throw new IllegalStateException("ONNX Runtime gave no second reference");
      }
      MethodHandles.Lookup unpacking =
          MethodHandles.privateLookupIn(library, MethodHandles.lookup());
      Leftovers.remove(
          (Path) unpacking.findStaticGetter(library, "tempDirectory", Path.class).invokeExact());
      return environment;
    } catch (Error | RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("this ONNX Runtime is another one than Sedge's", e);
    }
  }
}
