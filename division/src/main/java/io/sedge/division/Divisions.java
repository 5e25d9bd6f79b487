package io.sedge.division;

import static java.util.Objects.requireNonNull;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Connectors;
import io.sedge.connector.Division;
import io.sedge.connector.FileAccess;
import io.sedge.connector.Guarantee;
import io.sedge.connector.Part;
import io.sedge.connector.PartSizes;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.Formats;
import io.sedge.sql.Job;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How the sources of a job can be divided. */
public final class Divisions {
  private Divisions() {}

  /**
   * The divisions, by table; nothing is opened; tables that their connector cannot read are absent.
   *
   * @param connectors those that the job was compiled with
   * @param directory that relative paths in options are relative to
   * @throws io.sedge.connector.ConnectorException of kind USER if a table does not fit its
   *     connector
   */
  public static Map<String, Division> of(
      Job job, Connectors connectors, Path directory, InstantSource clock) {
    ConnectorContext context =
        new Asking(connectors.formats(), directory, FileAccess.EVERYTHING, clock);
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

  /**
   * The sink tables that may get rows again when a device dies, with the changes that they take;
   * nothing is opened. Bare SELECTs are none: a site does not take them.
   *
   * @throws io.sedge.connector.ConnectorException of kind USER if a table does not fit its
   *     connector
   */
  static Map<String, ChangelogMode> repeating(
      Job job, Connectors connectors, Path directory, InstantSource clock) {
    ConnectorContext context =
        new Asking(connectors.formats(), directory, FileAccess.EVERYTHING, clock);
    Map<String, ChangelogMode> repeating = new TreeMap<>();
    job.sinks()
        .forEach(
            (name, table) -> {
              if (!table.connector().equals(Job.TERMINAL)) {
                connectors
                    .named(name, table.connector())
                    .sink(table.table(), context)
                    .filter(sink -> sink.guarantee() == Guarantee.AT_LEAST_ONCE)
                    .ifPresent(sink -> repeating.put(name, sink.changelogMode()));
              }
            });
    return repeating;
  }

  /**
   * Refuses tables whose options name files that may not be used; nothing is opened. Bare SELECTs
   * name none.
   *
   * @param connectors those that the job was compiled with
   * @param directory that relative paths in options are relative to
   * @throws io.sedge.connector.ConnectorException of kind USER if there is one
   */
  public static void checkFiles(
      Job job, Connectors connectors, Path directory, FileAccess files, InstantSource clock) {
    ConnectorContext context = new Asking(connectors.formats(), directory, files, clock);
    job.sources()
        .forEach(
            (name, table) ->
                connectors.named(name, table.connector()).source(table.table(), context));
    job.sinks()
        .forEach(
            (name, table) -> {
              if (!table.connector().equals(Job.TERMINAL)) {
                connectors.named(name, table.connector()).sink(table.table(), context);
              }
            });
  }

  /**
   * Cuts the input of a table; may block.
   *
   * @param table one that is divided {@link Division.ByPart by part}
   * @throws io.sedge.connector.ConnectorException if the input cannot be looked at
   */
  public static List<Part> parts(
      Job job,
      String table,
      PartSizes sizes,
      Connectors connectors,
      Path directory,
      FileAccess files,
      InstantSource clock) {
    Job.SourceTable source = requireNonNull(job.sources().get(table), table);
    return connectors
        .named(table, source.connector())
        .source(source.table(), new Asking(connectors.formats(), directory, files, clock))
        .orElseThrow()
        .parts(sizes);
  }

  /**
   * Looks for the values by which a table is to be divided; may block.
   *
   * @param source one that is {@link Division.Undiscovered}
   * @param table the same, with secrets in the place of their names
   * @throws io.sedge.connector.ConnectorException if it cannot look
   */
  public static List<String> values(
      Job.SourceTable source,
      TableDescriptor table,
      Connectors connectors,
      Path directory,
      FileAccess files,
      InstantSource clock)
      throws InterruptedException {
    return connectors
        .named(table.name(), source.connector())
        .source(table, new Asking(connectors.formats(), directory, files, clock))
        .orElseThrow()
        .values();
  }

  /** For asking what a source could do. */
  private record Asking(Formats formats, Path directory, FileAccess files, InstantSource clock)
      implements ConnectorContext {
    @Override
    public void wakeUp() {}

    @Override
    public void malformed(String table, String origin, byte[] payload, String reason) {}

    @Override
    public void report(Severity severity, String message) {}
  }
}
