package io.sedge.connector.mqtt.internal;

import org.jspecify.annotations.Nullable;

/**
 * What a source needs.
 *
 * @param sessionExpirySeconds how long the broker keeps the session of a client that is away
 * @param shareGroup of a shared subscription, or null
 * @param receiveMaximum messages that the broker may send before earlier ones are acknowledged
 * @param queueCapacity messages that may wait for the task
 * @param queueBytes bytes of messages that may be held until they are acknowledged
 * @param maxPayloadBytes more is malformed
 * @param dropNewest whether a message that finds the queue full is dropped and counted
 */
record SourceSettings(
    int qos,
    boolean cleanStart,
    long sessionExpirySeconds,
    @Nullable String shareGroup,
    int receiveMaximum,
    int queueCapacity,
    long queueBytes,
    int maxPayloadBytes,
    boolean dropNewest) {}
