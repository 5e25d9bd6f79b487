package io.sedge.learning.training;

/** A device does not know what it was asked: its version of Sedge is older. It still takes part. */
public final class UnknownQuestionException extends TrainingException {
  private static final long serialVersionUID = 1;

  /**
   * @param message names the device
   */
  public UnknownQuestionException(String message, Throwable cause) {
    super(message, cause);
  }
}
