package io.sedge.learning.training;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How a model is trained. What leaves a device are sums over its rows, which add up. */
public enum Algorithm {
  /** Least squares: a number from numbers. */
  LINEAR(1, Learns.NUMBER),
  /** Logistic regression: how likely it is that the label is 1. */
  LOGISTIC(2, Learns.CLASS),
  /** Lloyd's k-means: which of a few kinds of rows a row is, and how far from the kind's middle. */
  KMEANS(3, Learns.NOTHING),
  /** Principal components: how far a row is from how columns usually go together. */
  PCA(4, Learns.NOTHING),
  /** A network of units by federated averaging: a number from numbers. */
  MLP(5, Learns.NUMBER),
  /** The same for classes: how likely it is that the label is 1. */
  MLP_LOGISTIC(6, Learns.CLASS);

  /** What the label is. */
  private enum Learns {
    NOTHING,
    NUMBER,
    CLASS
  }

  private final int code;
  private final Learns learns;

  Algorithm(int code, Learns learns) {
    this.code = code;
    this.learns = learns;
  }

  /** Whether it learns a label from features. */
  public boolean labelled() {
    return learns != Learns.NOTHING;
  }

  /** Whether its label is one of two classes, 0 and 1. */
  public boolean classes() {
    return learns == Learns.CLASS;
  }

  /** Whether its models are networks. */
  public boolean isNetwork() {
    return this == MLP || this == MLP_LOGISTIC;
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
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
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
    return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
