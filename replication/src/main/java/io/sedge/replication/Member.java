package io.sedge.replication;

/**
 * A process that keeps a copy of the ledger.
 *
 * @param id unique for ever: a device whose disk was wiped comes back under another one
 * @param address where the others reach it, {@code host:port}
 * @param voter whether it counts for a majority; else it follows
 */
public record Member(String id, String address, boolean voter) {}
