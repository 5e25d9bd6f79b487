package io.sedge.tensor.training;

/** How a gradient changes a variable: TensorFlow's own kernels, with its names and defaults. */
public sealed interface Optimizer {
  /** Small against the gradient's scale; greater than 0. */
  double learningRate();

  /** Against the gradient. */
  record Sgd(double learningRate) implements Optimizer {
    /** Checks. */
    public Sgd {
      positive("learning rate", learningRate);
    }
  }

  /** With a memory of {@code momentum}, 0 to below 1, of the way that it went. */
  record Momentum(double learningRate, double momentum, boolean nesterov) implements Optimizer {
    /** Checks. */
    public Momentum {
      positive("learning rate", learningRate);
      fraction("momentum", momentum);
    }
  }

  /** Kingma and Ba, 2014, algorithm 1. */
  record Adam(double learningRate, double beta1, double beta2, double epsilon)
      implements Optimizer {
    /** Checks. */
    public Adam {
      positive("learning rate", learningRate);
      fraction("beta1", beta1);
      fraction("beta2", beta2);
      positive("epsilon", epsilon);
    }

    /** With the paper's constants; epsilon 1e-7, as Keras has it. */
    public Adam(double learningRate) {
      this(learningRate, 0.9, 0.999, 1e-7);
    }
  }

  /** Duchi, Hazan and Singer, 2011; the accumulator begins at {@code initialAccumulator}. */
  record AdaGrad(double learningRate, double initialAccumulator, double epsilon)
      implements Optimizer {
    /** Checks. */
    public AdaGrad {
      positive("learning rate", learningRate);
      positive("initial accumulator", initialAccumulator);
      positive("epsilon", epsilon);
    }

    /** The accumulator begins at 0.1; epsilon 1e-7: what Keras has. */
    public AdaGrad(double learningRate) {
      this(learningRate, 0.1, 1e-7);
    }
  }

  private static void positive(String what, double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(what + " is " + value + "; it is greater than 0");
    }
  }

  private static void fraction(String what, double value) {
    if (!(value >= 0 && value < 1)) {
      throw new IllegalArgumentException(what + " is " + value + "; it is from 0 to below 1");
    }
  }
}
