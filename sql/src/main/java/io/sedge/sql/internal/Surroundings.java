package io.sedge.sql.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Connectors;
import io.sedge.connector.ScriptFiles;
import io.sedge.connector.format.Formats;
import io.sedge.learning.ModelProviders;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * What a script is compiled with. As a connector's context it serves for asking what a connector
 * could do; nothing is opened.
 *
 * @param models the providers of models
 * @param scriptFiles where jars and files of models are
 * @param name of the script
 */
record Surroundings(
    Connectors connectors,
    ModelProviders models,
    InstantSource clock,
    ScriptFiles scriptFiles,
    String name,
    Path directory)
    implements ConnectorContext {
  @Override
  public Formats formats() {
    return connectors.formats();
  }

  @Override
  public void wakeUp() {}

  @Override
  public void malformed(String table, String origin, byte[] payload, String reason) {}

  @Override
  public void report(Severity severity, String message) {}
}
