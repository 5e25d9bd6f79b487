package io.sedge.ledger;

import org.jspecify.annotations.Nullable;

/**
 * An entry of a task's state that is set or removed. The arrays are given up by the caller.
 *
 * @param key begins with what tells operators apart; the ledger does not look into it
 * @param value null if it is removed; it may be unknown then
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
public record Change(byte[] key, byte @Nullable [] value) {}
