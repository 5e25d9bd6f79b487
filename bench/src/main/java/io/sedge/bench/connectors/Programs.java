package io.sedge.bench.connectors;

import io.sedge.bench.ClassPath;
import io.sedge.bench.Entry;
import io.sedge.bench.parts.SedgeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What runs beside each other: {@code sedge run}, and Java programs of this module.
 *
 * @param sedge the command
 * @param directory for scripts, logs and what programs keep; absolute
 */
record Programs(Path sedge, ClassPath classPath, Path directory) {
  /** The password of databases here, which scripts name {@code ${secret:bench}}. */
  static final String PASSWORD = "postgres";

  private static final Map<String, String> ENVIRONMENT =
      Map.of("TZ", "UTC", "SEDGE_SECRET_BENCH", PASSWORD);

  /** Starts {@code sedge run} as a user does, with rows as JSON in its log. */
  SedgeProcess run(String name, String script) throws IOException {
    Path file = directory.resolve(name + ".sql");
    Files.writeString(file, script);
    return new SedgeProcess(
        sedge, ENVIRONMENT, directory, log(name), "run", file.toString(), "--output", "json");
  }

  /** Starts a program of this module with a heap of so many megabytes. */
  SedgeProcess java(String name, Class<?> program, int heapMb, String... arguments)
      throws IOException {
    Entry entry =
        new Entry(
            name,
            program.getName(),
            List.of("-Xmx%dm".formatted(heapMb), "-XX:+UseSerialGC"),
            false);
    return start(name, entry.command(classPath, program, List.of(arguments)));
  }

  SedgeProcess start(String name, List<String> command) throws IOException {
    return new SedgeProcess(
        Path.of(command.getFirst()),
        ENVIRONMENT,
        directory,
        log(name),
        command.subList(1, command.size()).toArray(String[]::new));
  }

  /** What a program has said, its rows among it. */
  Path log(String name) {
    return directory.resolve(name + ".log");
  }
}
