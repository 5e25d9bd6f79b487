package io.sedge.center.api;

import org.jspecify.annotations.Nullable;

/**
 * How a center is doing.
 *
 * @param address where people and programs ask
 * @param siteAddress where sites report, {@code HOST:PORT}
 * @param sites how many the center knows, the revoked ones too
 */
public record CenterStatus(
    String version,
    String address,
    String siteAddress,
    long startedAtMillis,
    int sites,
    int tables,
    Database database) {

  /**
   * Its database; counts are since the center's start.
   *
   * @param name which one and its version
   * @param available whether the last commit succeeded
   * @param bytes what it takes on the disk
   * @param repairedValues stored as the nearest that the database can hold
   * @param rejectedRows left out because a column of the key was NULL
   * @param refusedAppends that failed, or were told to come again
   */
  public record Database(
      String name,
      boolean available,
      long bytes,
      int queuedAppends,
      long queuedBytes,
      long commits,
      long blocks,
      long rows,
      long repeatedBlocks,
      long repairedValues,
      long rejectedRows,
      long refusedAppends,
      @Nullable Long lastFailureAtMillis,
      @Nullable String lastFailure) {}
}
