package io.sedge.console.internal.http;

import org.jspecify.annotations.Nullable;

/**
 * A line of a log.
 *
 * @param number rises by one with each line of its log
 * @param severity {@code info}, {@code warning} or {@code error}
 */
public record Line(
    long number,
    long atMillis,
    String severity,
    @Nullable String task,
    @Nullable String device,
    String message) {}
