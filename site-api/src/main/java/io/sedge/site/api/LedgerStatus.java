package io.sedge.site.api;

/**
 * A site's ledger, as one of its members knows it.
 *
 * @param index the log entry that was carried out last
 * @param members devices that keep a copy
 * @param voters those of them that count for a majority
 * @param stateBytes of the state of all tasks
 * @param maxStateBytes what these may be
 * @param outboxBytes of rows that are not delivered yet
 * @param maxOutboxBytes what these may be
 * @param exchangeBytes of rows on their way from task to task
 */
public record LedgerStatus(
    long index,
    int members,
    int voters,
    long stateBytes,
    long maxStateBytes,
    long outboxBytes,
    long maxOutboxBytes,
    long exchangeBytes) {}
