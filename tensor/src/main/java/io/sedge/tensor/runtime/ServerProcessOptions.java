package io.sedge.tensor.runtime;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How the process of a server is run.
 *
 * @param java the Java program
 * @param classPath the class path, with this module and TensorFlow's native library
 * @param jvmArguments arguments of the JVM
 * @param environment environment variables on top of the parent's
 * @param startLimit how long it may take until the server serves; from a millisecond to a day
 * @param restart when a process that ended by itself is started again
 * @param log the file that all it writes goes to; null for none. It grows to {@code logBytes}, is
 *     then put aside under its name with {@code .1}, and begins anew
 * @param logBytes the greatest size of the file; at least 4096
 * @param insecureNetwork whether the addresses of the cluster may be others than loopback ones:
 *     whoever reaches a server of TensorFlow can run anything with its rights
 */
public record ServerProcessOptions(
    Path java,
    String classPath,
    List<String> jvmArguments,
    Map<String, String> environment,
    Duration startLimit,
    RestartPolicy restart,
    @Nullable Path log,
    long logBytes,
    boolean insecureNetwork) {
  private static final long LEAST_LOG_BYTES = 4_096;
  private static final long DEFAULT_LOG_BYTES = 4 << 20;

  /** A server holds no data on the Java heap, and its JVM code runs but once. */
  private static final List<String> SMALL =
      List.of(
          "-Xmx64m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:ReservedCodeCacheSize=32m",
          "--enable-native-access=ALL-UNNAMED",
          // Else JavaCPP refuses to go on once the process is larger than four heaps.
          "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
          "--sun-misc-unsafe-memory-access=allow");

  /** Copies what can change, and checks the bounds. */
  public ServerProcessOptions {
    jvmArguments = List.copyOf(jvmArguments);
    environment = Map.copyOf(environment);
    ClusterSessionOptions.checkLimit(startLimit);
    if (logBytes < LEAST_LOG_BYTES) {
      throw new IllegalArgumentException(
          "A log of " + logBytes + " bytes is less than " + LEAST_LOG_BYTES);
    }
  }

  /**
   * The Java and the class path of this process, a heap of 64 MB, a minute to start, no restart, no
   * log file, loopback only.
   */
  public static ServerProcessOptions defaults() {
    return new ServerProcessOptions(
        Path.of(System.getProperty("java.home"), "bin", "java"),
        System.getProperty("java.class.path"),
        SMALL,
        Map.of("TF_CPP_MIN_LOG_LEVEL", "1", "MALLOC_ARENA_MAX", "2"),
        Duration.ofMinutes(1),
        RestartPolicy.never(),
        null,
        DEFAULT_LOG_BYTES,
        false);
  }

  /** These, with another class path. */
  public ServerProcessOptions withClassPath(String newClassPath) {
    return copy(draft -> draft.classPath = newClassPath);
  }

  /** These, with other arguments of the JVM in place of all there are. */
  public ServerProcessOptions withJvmArguments(List<String> arguments) {
    return copy(draft -> draft.jvmArguments = arguments);
  }

  /** These, with another time to start. */
  public ServerProcessOptions withStartLimit(Duration limit) {
    return copy(draft -> draft.startLimit = limit);
  }

  /** These, with another policy. */
  public ServerProcessOptions withRestart(RestartPolicy policy) {
    return copy(draft -> draft.restart = policy);
  }

  /** These, with a log file. */
  public ServerProcessOptions withLog(Path file, long mostBytes) {
    return copy(
        draft -> {
          draft.log = file;
          draft.logBytes = mostBytes;
        });
  }

  /** These, for a network that is known to be open to nobody else. */
  public ServerProcessOptions withInsecureNetwork() {
    return copy(draft -> draft.insecureNetwork = true);
  }

  private ServerProcessOptions copy(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return new ServerProcessOptions(
        java,
        draft.classPath,
        draft.jvmArguments,
        environment,
        draft.startLimit,
        draft.restart,
        draft.log,
        draft.logBytes,
        draft.insecureNetwork);
  }

  /** What can be said otherwise. */
  private static final class Draft {
    private String classPath;
    private List<String> jvmArguments;
    private Duration startLimit;
    private RestartPolicy restart;
    private @Nullable Path log;
    private long logBytes;
    private boolean insecureNetwork;

    Draft(ServerProcessOptions options) {
      classPath = options.classPath;
      jvmArguments = options.jvmArguments;
      startLimit = options.startLimit;
      restart = options.restart;
      log = options.log;
      logBytes = options.logBytes;
      insecureNetwork = options.insecureNetwork;
    }
  }
}
