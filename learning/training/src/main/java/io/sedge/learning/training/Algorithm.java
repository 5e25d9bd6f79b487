package io.sedge.learning.training;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How a model is trained. Each needs sums over rows alone, which add up over devices. */
public enum Algorithm {
  /** Least squares: a number from numbers. */
  LINEAR(true),
  /** Logistic regression: how likely it is that the label is 1. */
  LOGISTIC(true),
  /** Lloyd's k-means: which of a few kinds of rows a row is, and how far from the kind's middle. */
  KMEANS(false),
  /** Principal components: how far a row is from how columns usually go together. */
  PCA(false);

  private final boolean labelled;

  Algorithm(boolean labelled) {
    this.labelled = labelled;
  }

  /** Whether it learns a label from features. */
  public boolean labelled() {
    return labelled;
  }

  /** As a script has it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As scripts have them. */
  public static List<String> texts() {
    return Arrays.stream(values()).map(Algorithm::text).toList();
  }

  /**
   * The one that a script names.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Algorithm ofText(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
