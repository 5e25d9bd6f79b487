package io.sedge.engine.expression;

import io.sedge.engine.expression.Expression.Place;
import org.jspecify.annotations.Nullable;

/** A row has no result: division by zero, a CAST that fails, an overflow that Flink refuses. */
public final class EvaluationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient @Nullable Place place;

  public EvaluationException(String message) {
    super(message);
    this.place = null;
  }

  public EvaluationException(String message, Throwable cause) {
    this(message, cause, null);
  }

  private EvaluationException(String message, Throwable cause, @Nullable Place place) {
    super(message, cause);
    this.place = place;
  }

  /** The same failure, of a call at {@code newPlace}. */
  public EvaluationException at(@Nullable Place newPlace) {
    return newPlace == null
        ? this
        : new EvaluationException(String.valueOf(getMessage()), this, newPlace);
  }

  /** Where the call that failed was written; null if nobody knows. */
  public @Nullable Place place() {
    return place;
  }
}
