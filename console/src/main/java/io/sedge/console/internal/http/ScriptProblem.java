package io.sedge.console.internal.http;

import io.sedge.sql.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link Problem} of a script, as the page marks it. */
public record ScriptProblem(
    int line, int column, String message, @Nullable String remedy, String severity) {
  private static final String ERROR = "error";

  public static List<ScriptProblem> of(List<Problem> problems) {
    return problems.stream()
        .map(
            problem ->
                new ScriptProblem(
                    problem.line(),
                    problem.column(),
                    problem.message(),
                    problem.remedy().orElse(null),
                    ERROR))
        .toList();
  }

  static ScriptProblem ofWhole(String message) {
    return new ScriptProblem(1, 1, message, null, ERROR);
  }
}
