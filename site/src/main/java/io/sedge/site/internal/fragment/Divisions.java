package io.sedge.site.internal.fragment;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Connectors;
import io.sedge.connector.Division;
import io.sedge.connector.Source;
import io.sedge.connector.format.Formats;
import io.sedge.sql.Job;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;

/** How the sources of a job can be divided. Nothing is opened. */
public final class Divisions {
  private Divisions() {}

  /**
   * The divisions, by table; tables that their connector cannot read are absent.
   *
   * @param connectors those that the job was compiled with
   * @param directory that relative paths in options are relative to
   * @throws io.sedge.connector.ConnectorException of kind USER if a table does not fit its
   *     connector
   */
  public static Map<String, Division> of(
      Job job, Connectors connectors, Path directory, InstantSource clock) {
    ConnectorContext context = new Asking(connectors.formats(), directory, clock);
    Map<String, Division> divisions = new TreeMap<>();
    job.sources()
        .forEach(
            (name, table) ->
                connectors
                    .named(name, table.connector())
                    .source(table.table(), context)
                    .map(Source::division)
                    .ifPresent(division -> divisions.put(name, division)));
    return divisions;
  }

  /** For asking what a source could do. */
  private record Asking(Formats formats, Path directory, InstantSource clock)
      implements ConnectorContext {
    @Override
    public void wakeUp() {}

    @Override
    public void malformed(String table, String origin, byte[] payload, String reason) {}

    @Override
    public void report(Severity severity, String message) {}
  }
}
