package io.sedge.site.internal.control;

import com.fasterxml.jackson.databind.JsonNode;
import io.sedge.site.api.SiteException;
import io.sedge.sql.Problem;
import io.sedge.task.FailureCode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What came of a call.
 *
 * @param value what it returned
 * @param failure null if it was done
 * @param message of the failure
 * @param problems of a script that was not accepted
 */
record ControlAnswer(
    @Nullable JsonNode value,
    @Nullable FailureCode failure,
    @Nullable String message,
    List<Place> problems) {
  ControlAnswer {
    problems = List.copyOf(problems);
  }

  /** A {@link Problem}. */
  record Place(int line, int column, String message, @Nullable String remedy) {
    private Problem problem() {
      return new Problem(line, column, message, Optional.ofNullable(remedy));
    }
  }

  static ControlAnswer failed(SiteException e) {
    return new ControlAnswer(
        null,
        e.code(),
        e.getMessage(),
        e.problems().stream()
            .map(
                problem ->
                    new Place(
                        problem.line(),
                        problem.column(),
                        problem.message(),
                        problem.remedy().orElse(null)))
            .toList());
  }

  /** Throws what failed, if something did. */
  void check() throws SiteException {
    if (failure == null) {
      return;
    }
    String text = String.valueOf(message);
    throw failure == FailureCode.SCRIPT_NOT_ACCEPTED
        ? new SiteException(text, problems.stream().map(Place::problem).toList())
        : new SiteException(failure, text);
  }
}
