package io.sedge.learning;

import io.sedge.engine.aggregate.Accumulators;
import io.sedge.engine.aggregate.AggregateCall;
import io.sedge.engine.aggregate.AggregateRegistry;
import io.sedge.engine.expression.Expression;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Type;
import io.sedge.learning.internal.ClassErrors;
import io.sedge.learning.internal.Errors;
import io.sedge.learning.internal.EvaluationAccumulators;
import io.sedge.learning.internal.RegressionErrors;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What ML_EVALUATE tells of a model: how far its scores are from labels. It is an aggregate of
 * label and score, so what it keeps is committed, moved, restored and merged as any other state is.
 *
 * <p>The result is a ROW of {@link #metrics}, each a DOUBLE. One that is not defined for the rows
 * so far is NULL.
 */
public enum Evaluation {
  /** Of numbers; see {@link RegressionErrors}. */
  REGRESSION,
  /** Of classes; see {@link ClassErrors}. */
  CLASSIFICATION;

  /** The aggregate. */
  public static final String NAME = "ML_EVALUATE";

  /** Flink's tasks (TaskType), of which not all can be judged by label and score alone. */
  public static final List<String> TASKS =
      List.of("regression", "clustering", "classification", "embedding", "text_generation");

  private static final String ROWS = "Rows";
  private static final String LEFT_OUT = "Left Out";

  /** The one of a task; empty if there is none. */
  public static Optional<Evaluation> of(String task) {
    return Arrays.stream(values()).filter(each -> each.task().equals(task)).findFirst();
  }

  /** Flink's word for it. */
  public String task() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The fields of the result, as Flink's map has them for keys; then how many rows there were. */
  public List<String> metrics() {
    return switch (this) {
      case REGRESSION -> List.of("MAE", "MSE", "RMSE", "MAPE", "R²", ROWS, LEFT_OUT);
      case CLASSIFICATION -> List.of("Accuracy", "Precision", "Recall", "F1", ROWS, LEFT_OUT);
    };
  }

  /** The type of the result. */
  public Type type() {
    return Type.row(metrics(), Collections.nCopies(metrics().size(), Type.DOUBLE));
  }

  /**
   * The type in which label and score are compared, so wide that a cast changes neither; empty if
   * no such scores are judged.
   */
  public Optional<Type> compared(Type score) {
    Kind kind = score.kind();
    if (this == REGRESSION) {
      return kind.isNumeric() ? Optional.of(Type.DOUBLE) : Optional.empty();
    }
    if (kind == Kind.FLOAT || kind == Kind.DOUBLE) {
      return Optional.of(Type.DOUBLE);
    }
    if (kind.isInteger()) {
      return Optional.of(Type.BIGINT);
    }
    if (kind.isString()) {
      return Optional.of(Type.STRING);
    }
    return kind == Kind.BOOLEAN ? Optional.of(Type.BOOLEAN) : Optional.empty();
  }

  /**
   * The aggregate over two columns: the label, and the score, of one type, nullability aside.
   *
   * @param version of the model: what is kept of one is not for another
   */
  public AggregateCall call(List<Type> types, String version) {
    return new AggregateCall(
        NAME,
        List.of(0, 1),
        types,
        List.of(constant(task()), constant(version)),
        -1,
        false,
        type(),
        "result");
  }

  private static Expression.Literal constant(String text) {
    return new Expression.Literal(text, Type.STRING.notNull());
  }

  /** The aggregate, by its name. */
  public static AggregateRegistry registry() {
    return call ->
        call.function().equals(NAME)
            ? of(String.valueOf(call.parameters().getFirst().value()))
                .map(evaluation -> evaluation.accumulators(call.argumentTypes().getFirst().kind()))
            : Optional.empty();
  }

  private Supplier<Accumulators> accumulators(Kind kind) {
    Supplier<Errors> empty =
        switch (this) {
          case REGRESSION -> RegressionErrors::new;
          case CLASSIFICATION -> () -> new ClassErrors(kind);
        };
    return () -> new EvaluationAccumulators(empty);
  }
}
