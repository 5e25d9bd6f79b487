package io.sedge.learning;

/**
 * How far a column is from what a model was trained from, in one window.
 *
 * @param model its name
 * @param version as {@link Reference#version()}
 * @param feature a feature, or a column of the score
 * @param untilMicros event time of the last row of the window, microseconds since 1970
 * @param rows that were compared
 * @param leftOut rows with a value that is NULL, NaN, infinite or beyond 1e100
 * @param psi {@link StabilityIndex#of}; NaN if too few rows could be compared
 * @param byChance {@link StabilityIndex#byChance}; NaN if psi is
 */
public record Drift(
    String model,
    String version,
    String feature,
    long untilMicros,
    long rows,
    long leftOut,
    double psi,
    double byChance) {}
