package io.sedge.cli.internal;

import io.sedge.connector.Suggestions;
import io.sedge.site.api.SiteException;
import io.sedge.sql.ScriptVariables;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The script that a command is about, and the values of its variables. */
final class ScriptOptions {
  @Parameters(paramLabel = "FILE", description = "The script; - is standard input.")
  private String file = "";

  @Option(
      names = "--var",
      paramLabel = "NAME=VALUE",
      description = {
        "The value of the script's variable $${NAME}; may be repeated.",
        "What is not given here is taken from the environment."
      })
  private Map<String, String> variables = new LinkedHashMap<>();

  private static final String EXTENSION = ".sql";

  private String written = "";
  private Set<String> names = Set.of();

  /** As the user wrote it. */
  String file() {
    return file;
  }

  /**
   * What a job of it is called unless it is said.
   *
   * @throws SiteException USAGE for standard input
   */
  String nameOfFile() throws SiteException {
    Path last = Path.of(file).getFileName();
    if (file.equals(Script.STANDARD_INPUT) || last == null) {
      throw new SiteException(
          FailureCode.USAGE, "a script from standard input needs a name: --name NAME");
    }
    String text = last.toString();
    return text.endsWith(EXTENSION) ? text.substring(0, text.length() - EXTENSION.length()) : text;
  }

  /** Reads the script and gives its variables their values. */
  Script read(Surroundings surroundings) throws JobException, ScriptRefusedException {
    Script script = Script.read(file, surroundings);
    written = script.text();
    try {
      ScriptVariables.Resolved resolved =
          ScriptVariables.resolve(script.text(), name -> value(name, surroundings));
      for (String given : variables.keySet()) {
        if (!resolved.names().contains(given)) {
          throw new JobException(FailureCode.USAGE, unknown(given, resolved));
        }
      }
      names = resolved.names();
      return new Script(script.file(), resolved.text(), script.directory());
    } catch (SqlException e) {
      throw new ScriptRefusedException(script, e);
    }
  }

  /** The text of the script that was read, as it was. */
  String written() {
    return written;
  }

  /** Gives another text the values of those variables that the script has, and of no others. */
  String resolve(String text, Surroundings surroundings) throws SqlException {
    return ScriptVariables.resolve(
            text, name -> names.contains(name) ? value(name, surroundings) : Optional.empty())
        .text();
  }

  private Optional<String> value(String name, Surroundings surroundings) {
    return Optional.ofNullable(variables.get(name))
        .or(() -> Optional.ofNullable(surroundings.environment().get(name)));
  }

  private String unknown(String given, ScriptVariables.Resolved resolved) {
    String known =
        resolved.names().isEmpty()
            ? "it has none"
            : Suggestions.closest(given, resolved.names())
                .map("did you mean %s?"::formatted)
                .orElseGet(() -> "it has " + String.join(", ", resolved.names()));
    return "--var %s: %s has no variable of that name; %s".formatted(given, file, known);
  }
}
