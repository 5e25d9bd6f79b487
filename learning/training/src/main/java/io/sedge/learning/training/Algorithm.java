package io.sedge.learning.training;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How a model is trained. Each needs sums over rows alone, which add up over devices. */
public enum Algorithm {
  /** Least squares: a number from numbers. */
  LINEAR(1, true),
  /** Logistic regression: how likely it is that the label is 1. */
  LOGISTIC(2, true),
  /** Lloyd's k-means: which of a few kinds of rows a row is, and how far from the kind's middle. */
  KMEANS(3, false),
  /** Principal components: how far a row is from how columns usually go together. */
  PCA(4, false);

  private final int code;
  private final boolean labelled;

  Algorithm(int code, boolean labelled) {
    this.code = code;
    this.labelled = labelled;
  }

  /** Whether it learns a label from features. */
  public boolean labelled() {
    return labelled;
  }

  /** What stands for it in bytes; never changes its meaning. */
  int code() {
    return code;
  }

  /**
   * The one with a code.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Algorithm ofCode(int code) {
    for (Algorithm algorithm : values()) {
      if (algorithm.code == code) {
        return algorithm;
      }
    }
    throw new IllegalArgumentException("no algorithm has number " + code);
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
