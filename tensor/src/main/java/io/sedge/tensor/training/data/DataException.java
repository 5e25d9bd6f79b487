package io.sedge.tensor.training.data;

/** Data that cannot be trained on. The message names the file or source, the row and the column. */
public final class DataException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /** An exception with a message for whoever owns the data. */
  public DataException(String message) {
    super(message);
  }
}
