package io.sedge.site.api;

import io.sedge.sql.Problem;
import io.sedge.task.FailureCode;
import java.util.List;

/** A site could not do what was asked; the message is for people and says what to do. */
public final class SiteException extends Exception {
  private static final long serialVersionUID = 1;

  private final FailureCode code;
  private final transient List<Problem> problems;

  public SiteException(FailureCode code, String message) {
    super(message);
    this.code = code;
    this.problems = List.of();
  }

  public SiteException(FailureCode code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
    this.problems = List.of();
  }

  /** A script is not accepted. */
  public SiteException(String message, List<Problem> problems) {
    super(message);
    this.code = FailureCode.SCRIPT_NOT_ACCEPTED;
    this.problems = List.copyOf(problems);
  }

  /** What it was, by a name that does not change between versions. */
  public FailureCode code() {
    return code;
  }

  /** Where in the script, if it is the script; else empty. */
  public List<Problem> problems() {
    return problems;
  }
}
