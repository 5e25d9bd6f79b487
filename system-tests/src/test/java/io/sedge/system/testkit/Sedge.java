package io.sedge.system.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The packaged command, started by its own launcher: with the options for the virtual machine that
 * users get, and the libraries of this build.
 */
public final class Sedge {
  private static final int SIGINT = 2;
  private static final long PREPARING_MINUTES = 5;

  private final Path library;
  private final Path directory;

  private Sedge(Path library, Path directory) {
    this.library = library;
    this.directory = directory;
  }

  /**
   * The command; the test is skipped where the build has not packaged it.
   *
   * @param directory where it is run, and where its scripts are
   */
  public static Sedge in(Path directory) {
    return in(directory, project().resolve("cli/target/sedge/lib"));
  }

  /** The same of other libraries, such as those of a version before. */
  public static Sedge in(Path directory, Path library) {
    Assumptions.assumeTrue(
        Files.isDirectory(library), library + " is absent: run `./mvnw package` first");
    Sedge sedge = new Sedge(library, directory);
    sedge.prepare();
    return sedge;
  }

  /** Quick starts, as users get them; once for what was built. */
  private void prepare() {
    synchronized (Sedge.class) {
      try {
        if (isPrepared()) {
          return;
        }
        Process preparing =
            builder(List.of(), Map.of(), "--prepare")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
          if (!preparing.waitFor(PREPARING_MINUTES, TimeUnit.MINUTES)
              || preparing.exitValue() != 0
              || !isPrepared()) {
            throw new AssertionError("`sedge --prepare` has not prepared quick starts");
          }
        } finally {
          preparing.destroyForcibly();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }
  }

  private boolean isPrepared() throws IOException {
    Path cache = library.resolveSibling("sedge-device.aot");
    if (!Files.exists(cache)) {
      return false;
    }
    FileTime made = Files.getLastModifiedTime(cache);
    try (Stream<Path> jars = Files.list(library)) {
      return jars.allMatch(jar -> jar.toFile().lastModified() <= made.toMillis());
    }
  }

  /** The root of the project, which Maven says, and else is above the working directory. */
  public static Path project() {
    String given = System.getProperty("sedge.project", "");
    Path path = Path.of(given).toAbsolutePath();
    while (!Files.isExecutable(path.resolve("sedge")) && path.getParent() != null) {
      path = path.getParent();
    }
    return path;
  }

  /** Writes a script beside the command. */
  public void script(String name, String text) {
    try {
      Files.writeString(directory.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts it; what it writes to standard output is kept. */
  public SedgeProcess start(String... arguments) {
    return start(List.of(), false, Map.of(), arguments);
  }

  /** Starts it with more environment variables; standard output is for the test to read. */
  public SedgeProcess startPiped(Map<String, String> environment, String... arguments) {
    return start(List.of(), true, environment, arguments);
  }

  /**
   * Starts it through another program.
   *
   * @param before that program and its arguments; it must become the command that follows
   */
  SedgeProcess startThrough(
      List<String> before, Map<String, String> environment, String... arguments) {
    return start(before, false, environment, arguments);
  }

  private ProcessBuilder builder(
      List<String> before, Map<String, String> environment, String... arguments) {
    List<String> command = new ArrayList<>(before);
    if (ignoresInterrupts()) {
      command.addAll(List.of("env", "--default-signal=INT"));
    }
    command.add(project().resolve("sedge").toString());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().remove("SEDGE_DEBUG");
    builder.environment().put("JAVA_OPTS", System.getProperty("sedge.test.jit", ""));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("SEDGE_LIBRARY", library.toString());
    builder.environment().putAll(environment);
    return builder.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
  }

  private SedgeProcess start(
      List<String> before, boolean piped, Map<String, String> environment, String... arguments) {
    ProcessBuilder builder = builder(before, environment, arguments);
    try {
      Path output = Files.createTempDirectory(directory, arguments[0] + "-");
      builder.redirectError(output.resolve("err").toFile());
      builder.redirectOutput(
          piped
              ? ProcessBuilder.Redirect.PIPE
              : ProcessBuilder.Redirect.to(output.resolve("out").toFile()));
      return new SedgeProcess(builder.start(), output, String.join(" ", builder.command()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** So does a build in the background of a shell, and everything that it starts. */
  private static boolean ignoresInterrupts() {
    return SedgeProcess.status(ProcessHandle.current().pid(), "SigIgn")
        .filter(mask -> (Long.parseLong(mask, 16) & (1 << (SIGINT - 1))) != 0)
        .isPresent();
  }
}
