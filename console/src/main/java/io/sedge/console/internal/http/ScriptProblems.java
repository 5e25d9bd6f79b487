package io.sedge.console.internal.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sedge.sql.Problem;
import java.io.IOException;
import java.util.List;

/** Problems of a script, as the page marks them. */
final class ScriptProblems {
  private ScriptProblems() {}

  /** Writes the field {@code problems}. */
  static void write(JsonGenerator json, List<Problem> problems) throws IOException {
    json.writeArrayFieldStart("problems");
    for (Problem problem : problems) {
      json.writeStartObject();
      json.writeNumberField("line", problem.line());
      json.writeNumberField("column", problem.column());
      json.writeStringField("message", problem.message());
      if (problem.remedy().isPresent()) {
        json.writeStringField("remedy", problem.remedy().get());
      }
      json.writeStringField("severity", "error");
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
