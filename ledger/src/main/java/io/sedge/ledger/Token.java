package io.sedge.ledger;

/**
 * What lets one device in.
 *
 * @param hash of its secret
 * @param endMillis by the wall clock; it lets nobody in from then on
 * @param usedBy the key of the device that it has let in, which may show it again; empty if none
 */
public record Token(String hash, long endMillis, String usedBy) {}
