package io.sedge.ledger;

/**
 * A task as the ledger knows it.
 *
 * @param device who runs it; empty if nobody
 * @param ended whether all its input has ended and is committed: nobody will run it again
 * @param epoch grows whenever it is assigned or opened; commits must carry it
 * @param sequence of its last commit; 0 before the first. Goes on when the task moves
 * @param stateEntries how many entries of state it has
 * @param stateBytes what they and the positions count
 */
public record Task(
    TaskId id,
    String device,
    boolean ended,
    long epoch,
    long sequence,
    int stateEntries,
    long stateBytes) {}
