package io.sedge.sql;

import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Connectors;
import io.sedge.connector.FileAccess;
import io.sedge.connector.ScriptFiles;
import io.sedge.connector.format.FormatFactory;
import io.sedge.connector.format.Formats;
import io.sedge.learning.ModelProviders;
import io.sedge.sql.internal.ScriptCompiler;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/** Compiles Flink SQL scripts to {@link Job}s. */
public final class SqlCompiler {
  private final Connectors connectors;
  private final ModelProviders models;
  private final InstantSource clock;
  private final FileAccess files;

  /**
   * One that has no models.
   *
   * @param connectors by the value of the option {@code connector}
   * @param formats by the value of the option {@code format}
   * @param clock what CURRENT_TIMESTAMP and the like read while the job runs
   */
  public SqlCompiler(
      Map<String, ConnectorFactory> connectors,
      Map<String, FormatFactory> formats,
      InstantSource clock) {
    this(connectors, formats, ModelProviders.of(), clock, FileAccess.EVERYTHING);
  }

  /**
   * The same with models, where scripts may not load every file.
   *
   * @param models the providers of models
   * @param files which jars and files of models they may read
   */
  public SqlCompiler(
      Map<String, ConnectorFactory> connectors,
      Map<String, FormatFactory> formats,
      ModelProviders models,
      InstantSource clock,
      FileAccess files) {
    this.files = files;
    this.models = models;
    this.connectors = new Connectors(connectors.values(), new Formats(formats.values()));
    this.clock = clock;
  }

  /** What is wrong with settings that are to hold instead of a script's; empty if nothing is. */
  public static Optional<String> refusal(Map<String, String> settings) {
    return ScriptCompiler.refusal(settings);
  }

  /** Compiles a script with no settings but its own. */
  public Job compile(String name, String script, Path directory) throws SqlException {
    return compile(name, script, directory, Map.of());
  }

  /**
   * Compiles a script.
   *
   * @param name of the script, for messages: {@code plant.sql}
   * @param directory what relative paths in the script (jars) are relative to
   * @param settings hold instead of what the script SETs under the same keys; none that is {@link
   *     #refusal refused}
   * @throws SqlException if it is not accepted
   */
  public Job compile(String name, String script, Path directory, Map<String, String> settings)
      throws SqlException {
    return compile(name, script, directory, settings, ScriptFiles.in(directory, files));
  }

  /**
   * The same with jars and models from somewhere else.
   *
   * @param scriptFiles where they are; who locates them says which may be read
   */
  public Job compile(
      String name,
      String script,
      Path directory,
      Map<String, String> settings,
      ScriptFiles scriptFiles)
      throws SqlException {
    return new ScriptCompiler(connectors, models, clock, scriptFiles, name, directory, settings)
        .compile(script);
  }
}
