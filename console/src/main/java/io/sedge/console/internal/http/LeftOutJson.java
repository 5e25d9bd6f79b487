package io.sedge.console.internal.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sedge.task.LeftOut;
import java.io.IOException;
import java.util.Locale;

/** What a job has left out as the page reads it. */
public final class LeftOutJson {
  private LeftOutJson() {}

  /** Writes the fields of a reason into an object that has begun. */
  public static void fields(JsonGenerator json, LeftOut out) throws IOException {
    json.writeStringField("table", out.table());
    json.writeStringField("what", out.what().name().toLowerCase(Locale.ROOT));
    json.writeStringField("reason", out.reason());
    json.writeStringField("sample", out.sample());
    json.writeNumberField("count", out.count());
  }
}
