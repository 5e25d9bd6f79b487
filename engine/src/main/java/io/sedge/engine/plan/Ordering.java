package io.sedge.engine.plan;

/** One column of an ORDER BY. */
public record Ordering(int column, boolean descending, boolean nullsFirst) {}
