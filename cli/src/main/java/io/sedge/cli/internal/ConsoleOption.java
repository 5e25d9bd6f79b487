package io.sedge.cli.internal;

import io.sedge.alarm.MemoryAlarms;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Connectors;
import io.sedge.connector.FileAccess;
import io.sedge.console.RunConsole;
import io.sedge.site.api.BuildVersion;
import io.sedge.sql.Job;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --console} of {@code sedge run}. */
final class ConsoleOption {
  private static final int FIRST_PORT = 7480;
  private static final int LAST_PORT = 65_535;

  @Option(
      names = "--console",
      paramLabel = "PORT",
      arity = "0..1",
      fallbackValue = AttachedValue.NONE,
      preprocessor = AttachedValue.class,
      description = {
        "Show the job in a browser on this machine: its plan, its rows as charts, what it says.",
        "Without =PORT at the first free port from 7480 on."
      })
  private @Nullable String port;

  /** The jars that the job's own script has loaded. */
  private final Set<Path> loaded = ConcurrentHashMap.newKeySet();

  /** Lets the job's own script read everything while it is compiled, and remembers what it was. */
  FileAccess remembering() {
    return (_, path, _) -> loaded.add(path.toAbsolutePath().normalize());
  }

  /** What is typed in a browser may load no other code. */
  private void checkLoaded(String what, Path path) {
    if (!loaded.contains(path.toAbsolutePath().normalize())) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "%s: the console loads only jars that the running script uses, not %s: check this script with `sedge check`"
              .formatted(what, path));
    }
  }

  /**
   * Listens, if that is wanted.
   *
   * @param options that have read the script
   * @param settings that the job was compiled with
   */
  Optional<RunConsole> start(
      Job job,
      ScriptOptions options,
      Script script,
      Connectors connectors,
      Map<String, String> settings,
      MemoryAlarms alarms,
      Surroundings surroundings)
      throws JobException {
    if (port == null) {
      return Optional.empty();
    }
    boolean named = !port.equals(AttachedValue.NONE);
    return Optional.of(
        RunConsole.start(
            new RunConsole.Options(
                job,
                script.name(),
                options.written(),
                BuildVersion.ofThis(),
                typed -> compile(typed, options, script, connectors, settings, surroundings),
                alarms,
                named ? port(port) : FIRST_PORT,
                named),
            surroundings.clock(),
            surroundings.nanoClock()));
  }

  private Job compile(
      String typed,
      ScriptOptions options,
      Script script,
      Connectors connectors,
      Map<String, String> settings,
      Surroundings surroundings)
      throws SqlException {
    return new Script(script.file(), options.resolve(typed, surroundings), script.directory())
        .compile(connectors, surroundings, settings, (what, path, _) -> checkLoaded(what, path));
  }

  private static int port(String text) throws JobException {
    try {
      int number = Integer.parseInt(text);
      if (number >= 0 && number <= LAST_PORT) {
        return number;
      }
    } catch (NumberFormatException _) {
      // Said below.
    }
    throw new JobException(
        FailureCode.USAGE,
        "--console=%s: write a port, 1 to %d, or 0 for any that is free"
            .formatted(text, LAST_PORT));
  }
}
