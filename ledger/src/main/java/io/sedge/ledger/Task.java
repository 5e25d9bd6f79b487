package io.sedge.ledger;

/**
 * A task as the ledger knows it.
 *
 * @param device who runs it; empty if nobody
 * @param epoch grows whenever it is assigned or opened; commits must carry it
 * @param sequence of its last commit; 0 before the first. Goes on when the task moves
 * @param stateEntries how many entries of state it has
 * @param stateBytes what they and the positions count
 */
public record Task(
    TaskId id, String device, long epoch, long sequence, int stateEntries, long stateBytes) {}
