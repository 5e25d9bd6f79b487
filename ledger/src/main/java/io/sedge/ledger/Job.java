package io.sedge.ledger;

/**
 * A job as the ledger knows it.
 *
 * @param version 1 for the first script; one more with each that replaces it
 * @param detail why it is in its state, for people to read; may be empty
 * @param nextRow the sequence that the next row of the job's outbox will get
 * @param acknowledgedRow the sequence up to which rows of it are acknowledged; 0 for none
 */
public record Job(
    String name,
    String script,
    long version,
    JobState state,
    String detail,
    long nextRow,
    long acknowledgedRow) {}
