package io.sedge.site;

import io.sedge.connector.ConnectorContext.Severity;

/**
 * Something that was said to people.
 *
 * @param number grows by one with each line of the device
 * @param atMillis by the device's wall clock
 * @param task {@code job/shard}; empty for what the device itself says
 * @param message one line, printable
 */
public record LogLine(long number, long atMillis, Severity severity, String task, String message) {}
