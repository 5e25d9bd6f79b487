package io.sedge.engine.expression;

import io.sedge.engine.expression.Expression.Place;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A row has no result: division by zero, a CAST that fails, an overflow that Flink refuses. It has
 * no stack trace, since it tells of a row and every row may have one: the place says where.
 */
public final class EvaluationException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient @Nullable Place place;

  /** Makes the message; null if there is one. */
  private final transient @Nullable Supplier<String> text;

  public EvaluationException(String message) {
    this(message, null, null, null);
  }

  /**
   * A failure whose message is made each time that it is asked for, for those that most rows may
   * have and few are told of.
   */
  public EvaluationException(Supplier<String> text, @Nullable Place place) {
    this(null, null, place, text);
  }

  public EvaluationException(String message, Throwable cause) {
    this(message, cause, null, null);
  }

  private EvaluationException(
      @Nullable String message,
      @Nullable Throwable cause,
      @Nullable Place place,
      @Nullable Supplier<String> text) {
    super(message, cause, false, false);
    this.place = place;
    this.text = text;
  }

  @Override
  public @Nullable String getMessage() {
    return text == null ? super.getMessage() : text.get();
  }

  /** The same failure, of a call at {@code newPlace}. */
  public EvaluationException at(@Nullable Place newPlace) {
    return newPlace == null
        ? this
        : new EvaluationException(String.valueOf(getMessage()), this, newPlace, null);
  }

  /** Where the call that failed was written; null if nobody knows. */
  public @Nullable Place place() {
    return place;
  }
}
