package io.sedge.center.api;

/**
 * A line of how two scripts differ.
 *
 * @param change {@code same}, {@code removed} or {@code added}
 */
public record DiffLine(String change, String text) {}
