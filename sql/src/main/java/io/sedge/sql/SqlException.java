package io.sedge.sql;

import java.util.List;
import java.util.stream.Collectors;

/** A script is not accepted; all that was found wrong with it. */
public final class SqlException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient List<Problem> problems;

  public SqlException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** In the order of the script; at least one. */
  public List<Problem> problems() {
    return problems;
  }
}
