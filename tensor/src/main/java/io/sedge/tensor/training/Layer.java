package io.sedge.tensor.training;

/** A layer of a model. What it needs of its input is checked when the model is made. */
public sealed interface Layer {
  /**
   * Each of {@code units} numbers is a weighted sum of all numbers of an example, which is flat.
   */
  record Dense(int units, Activation activation) implements Layer {
    /** Checks. */
    public Dense {
      positive("units", units);
    }
  }

  /**
   * Slides {@code filters} kernels of {@code kernel} rows over an example of several rows.
   *
   * @param stride how many rows further the next sum is made
   * @param padded whether rows of 0 are added so that, at stride 1, there are as many as before
   */
  record Conv1D(int filters, int kernel, int stride, boolean padded, Activation activation)
      implements Layer {
    /** Checks. */
    public Conv1D {
      positive("filters", filters);
      positive("kernel", kernel);
      positive("stride", stride);
    }
  }

  /** Lays the rows of an example one after the other. */
  record Flatten() implements Layer {}

  private static void positive(String what, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(what + " is " + value + "; it is 1 or more");
    }
  }
}
