package io.sedge.tensor.runtime;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How the process of a server is run.
 *
 * @param java the Java program
 * @param classPath the class path, with this module and TensorFlow's native library
 * @param jvmArguments arguments of the JVM
 * @param environment environment variables on top of the parent's
 * @param startLimit how long it may take until the server serves
 */
public record ServerProcessOptions(
    Path java,
    String classPath,
    List<String> jvmArguments,
    Map<String, String> environment,
    Duration startLimit) {
  private static final List<String> SMALL =
      List.of(
          "-Xmx64m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:ReservedCodeCacheSize=32m",
          "-Xshare:auto",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow");

  /** Copies what can change. */
  public ServerProcessOptions {
    jvmArguments = List.copyOf(jvmArguments);
    environment = Map.copyOf(environment);
  }

  /** The Java and the class path of this process, a small heap, a minute to start. */
  public static ServerProcessOptions defaults() {
    return new ServerProcessOptions(
        Path.of(System.getProperty("java.home"), "bin", "java"),
        System.getProperty("java.class.path"),
        SMALL,
        Map.of("TF_CPP_MIN_LOG_LEVEL", "1", "MALLOC_ARENA_MAX", "2"),
        Duration.ofMinutes(1));
  }

  /** These, with another time to start. */
  public ServerProcessOptions withStartLimit(Duration limit) {
    return new ServerProcessOptions(java, classPath, jvmArguments, environment, limit);
  }

  /** These, with another class path. */
  public ServerProcessOptions withClassPath(String newClassPath) {
    return new ServerProcessOptions(java, newClassPath, jvmArguments, environment, startLimit);
  }
}
