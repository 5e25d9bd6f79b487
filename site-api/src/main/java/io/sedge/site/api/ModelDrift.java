package io.sedge.site.api;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * How far the rows that a model scored are from those that it was trained from, in the last window
 * that has ended: of one feature, or of a column of the score.
 *
 * @param model its name
 * @param version the first digits of the SHA-256 of the version's file
 * @param feature its name
 * @param untilMillis event time of the last row of the window, milliseconds since 1970
 * @param rows that were compared
 * @param leftOut rows with a value that no training takes
 * @param psi the population stability index, 0 or more; null if too few rows could be compared
 * @param byChance what the index exceeds in one window of a thousand though nothing has changed;
 *     null if the index is
 */
public record ModelDrift(
    String model,
    String version,
    String feature,
    long untilMillis,
    long rows,
    long leftOut,
    @Nullable Double psi,
    @Nullable Double byChance) {
  /** How many a device tells of a job. */
  public static final int MAX_COUNT = 1_000;

  public ModelDrift {
    requireNonNull(model, "no model");
    requireNonNull(version, "no version");
    requireNonNull(feature, "no feature");
  }

  /** Whether it is of a version whose file has that SHA-256. */
  public boolean isOf(String sha256) {
    return sha256.startsWith(version);
  }
}
