package io.sedge.tensor.training;

/** A training that cannot go on. The message says why and what to do. */
public final class TrainingException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** An exception with a message. */
  public TrainingException(String message) {
    super(message);
  }

  /** An exception with what caused it. */
  public TrainingException(String message, Throwable cause) {
    super(message, cause);
  }

  static double finite(double loss, long step) {
    if (Double.isFinite(loss)) {
      return loss;
    }
    throw new TrainingException(
        "the loss is %s at step %d: the variables ran away. Take a smaller learning rate, or scale"
                .formatted(loss, step)
            + " the columns");
  }
}
