package io.sedge.cli.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Answers of commands on standard output: text, or JSON objects, one a line. */
final class Answers {
  private final ObjectMapper json = new ObjectMapper();
  private final PrintStream out;

  Answers(OutputStream out) {
    this.out = new PrintStream(out, true, StandardCharsets.UTF_8);
  }

  void text(String text) {
    out.print(text.endsWith("\n") || text.isEmpty() ? text : text + "\n");
    out.flush();
  }

  void json(Object value) {
    try {
      out.print(json.writeValueAsString(value) + "\n");
      out.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer that JSON cannot hold", e);
    }
  }

  /** Whether nobody reads on. */
  boolean isClosed() {
    return out.checkError();
  }
}
