package io.sedge.task;

import org.jspecify.annotations.Nullable;

/**
 * An entry of a task's state that was set or removed.
 *
 * @param value null if it was removed
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on once, never compared.
public record StateChange(byte[] key, byte @Nullable [] value) {}
