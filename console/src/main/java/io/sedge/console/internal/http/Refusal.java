package io.sedge.console.internal.http;

import io.sedge.sql.Problem;
import java.util.List;

/** A request is not done; the message is for people and says what to do. */
public final class Refusal extends Exception {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String code;
  private final transient List<Problem> problems;

  /**
   * One whose reason has a name elsewhere.
   *
   * @param problems of the script that came with the request
   */
  public Refusal(int status, String code, String message, List<Problem> problems) {
    super(message);
    this.status = status;
    this.code = code;
    this.problems = List.copyOf(problems);
  }

  public Refusal(Reason reason, String message) {
    this(reason.status, reason.name(), message, List.of());
  }

  int status() {
    return status;
  }

  /** How it is sent. */
  Json.Value body() {
    return json -> {
      json.writeStartObject();
      json.writeStringField("code", code);
      json.writeStringField("message", String.valueOf(getMessage()));
      if (!problems.isEmpty()) {
        ScriptProblems.write(json, problems);
      }
      json.writeEndObject();
    };
  }

  /** Why not, each with its HTTP status; the names are those of the center's API. */
  public enum Reason {
    /** The request cannot be read, or a value in it is not allowed. */
    MALFORMED(400),
    /** Nobody is logged in, or the code to log in with is not good. */
    TOKEN_REFUSED(401),
    /** Who asks may not, or the page that asks is another's. */
    NOT_PERMITTED(403),
    /** The API has no such path. */
    UNKNOWN_PATH(404),
    /** Nothing has the name. */
    UNKNOWN_NAME(404),
    /** The path is there, and does not do that. */
    METHOD_NOT_ALLOWED(405),
    /** The body is larger than is taken. */
    TOO_LARGE(413),
    /** The body is no JSON. */
    UNSUPPORTED_TYPE(415),
    /** As many are answered as can be. */
    BUSY(429),
    /** Too many wrong codes came. */
    TOO_MANY_ATTEMPTS(429),
    /** A fault in Sedge. */
    INTERNAL(500);

    private final int status;

    Reason(int status) {
      this.status = status;
    }
  }
}
