package io.sedge.engine.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.expression.Expression.Place;
import org.junit.jupiter.api.Test;

class EvaluationExceptionTest {
  // Every row of a stream may fail: walking the stack for each would take most of the time.
  @Test
  void aFailureOfARowHasNoStackTrace() {
    EvaluationException failure = new EvaluationException("division by zero");
    assertThat(failure.getStackTrace()).isEmpty();
    assertThat(failure.at(new Place(3, 5)).getStackTrace()).isEmpty();
  }
}
