package io.sedge.center.store;

import java.time.Instant;
import java.util.Optional;

/**
 * How the store is doing; counts are since it was opened.
 *
 * @param database which one and its version
 * @param available whether the last commit succeeded
 * @param bytes what it takes on the disk
 * @param queuedAppends how many appends wait
 * @param queuedBytes how many bytes of rows wait
 * @param commits transactions of rows
 * @param blocks blocks applied
 * @param rows rows applied
 * @param repeatedBlocks blocks that were there already and were skipped
 * @param repairedValues values that the database cannot hold and that were stored as the nearest
 *     that it can
 * @param rejectedRows rows left out because a column of the key was NULL
 * @param refusedAppends appends that failed, or were told to come again
 * @param lastFailure the last failure of the database
 */
public record StoreStatus(
    String database,
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
    Optional<Failure> lastFailure) {
  /** A failure of the database. */
  public record Failure(Instant at, String message) {}
}
