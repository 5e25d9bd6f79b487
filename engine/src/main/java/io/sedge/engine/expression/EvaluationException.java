package io.sedge.engine.expression;

/** A row has no result: division by zero, a CAST that fails, an overflow that Flink refuses. */
public final class EvaluationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public EvaluationException(String message) {
    super(message);
  }

  public EvaluationException(String message, Throwable cause) {
    super(message, cause);
  }
}
