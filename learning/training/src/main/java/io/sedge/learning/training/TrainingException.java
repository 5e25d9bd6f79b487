package io.sedge.learning.training;

/** There is no model in these rows. The message is for people, and says what to do. */
public class TrainingException extends Exception {
  private static final long serialVersionUID = 1;

  public TrainingException(String message) {
    super(message);
  }

  public TrainingException(String message, Throwable cause) {
    super(message, cause);
  }
}
