package io.sedge.division;

import io.sedge.connector.Connectors;
import io.sedge.sql.Job;
import io.sedge.sql.SqlException;
import java.nio.file.Path;
import java.time.InstantSource;

/** How a job would be divided over the devices of a site, for people. Stateless. */
public final class DivisionPrinter {
  private DivisionPrinter() {}

  /**
   * The text, in lines; nothing is opened.
   *
   * @param connectors those that the job was compiled with
   * @param directory that relative paths in options are relative to
   * @throws io.sedge.connector.ConnectorException of kind USER if a table does not fit its
   *     connector
   * @throws SqlException if it cannot be merged in the center, and is to be
   */
  public static String print(Job job, Connectors connectors, Path directory, InstantSource clock)
      throws SqlException {
    if (job.mergesInCenter()) {
      AcrossSites cut = AcrossSites.of(job);
      return FragmentText.ofSites(job, cut) + printSite(cut.ofSite(), connectors, directory, clock);
    }
    return printSite(job, connectors, directory, clock);
  }

  private static String printSite(
      Job job, Connectors connectors, Path directory, InstantSource clock) {
    return FragmentText.of(
        job,
        Divisions.of(job, connectors, directory, clock),
        Divisions.repeating(job, connectors, directory, clock));
  }
}
