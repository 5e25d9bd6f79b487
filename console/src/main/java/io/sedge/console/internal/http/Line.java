package io.sedge.console.internal.http;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A line of a log.
 *
 * @param number rises by one with each line of its log
 * @param severity {@code info}, {@code warning} or {@code error}
 */
public record Line(
    long number,
    long atMillis,
    String severity,
    @Nullable String task,
    @Nullable String device,
    String message)
    implements Json.Value {
  @Override
  public void write(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField("number", number);
    json.writeNumberField("atMillis", atMillis);
    json.writeStringField("severity", severity);
    if (task != null) {
      json.writeStringField("task", task);
    }
    if (device != null) {
      json.writeStringField("device", device);
    }
    json.writeStringField("message", message);
    json.writeEndObject();
  }
}
