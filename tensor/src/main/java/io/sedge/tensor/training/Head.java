package io.sedge.tensor.training;

/**
 * What a model is for: decides its last layer, what it outputs, and the loss that training makes
 * smaller. The loss of an example is the mean over its outputs.
 */
public sealed interface Head {
  /** How far a number may be off. */
  enum Distance {
    /** The square of the difference. */
    SQUARED,
    /** The difference without its sign. */
    ABSOLUTE,
    /** Half the square up to a difference of 1, then linear: outliers pull less. */
    HUBER
  }

  /** One number for each target. */
  record Regression(Distance distance) implements Head {}

  /** The probability that the one target, 0 or 1, is 1; the loss is the cross-entropy. */
  record Binary() implements Head {}

  /**
   * A probability for each class; the one target is a class from 0; the loss is the cross-entropy.
   */
  record MultiClass(int classes) implements Head {
    /** Checks. */
    public MultiClass {
      if (classes < 2) {
        throw new IllegalArgumentException(
            "classes is " + classes + "; it is 2 or more (or use a binary head)");
      }
    }
  }

  /** The features themselves, as they were before scaling: an autoencoder. No targets. */
  record Reconstruction(Distance distance) implements Head {}
}
