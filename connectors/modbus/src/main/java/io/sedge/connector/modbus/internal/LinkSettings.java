package io.sedge.connector.modbus.internal;

import io.sedge.connector.Backoff;
import java.time.Duration;

/**
 * What a link needs to know.
 *
 * @param requestTimeout for an answer
 * @param connectTimeout for a connection, and for the last writes of a sink
 * @param pauses between attempts to connect, and between those to hear from a silent unit
 */
record LinkSettings(Duration requestTimeout, Duration connectTimeout, Backoff pauses) {}
