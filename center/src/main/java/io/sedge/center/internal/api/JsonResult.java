package io.sedge.center.internal.api;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sedge.center.api.Failure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A result as {@code {"columns":[…],"rows":[[…],…],"complete":true}}; one that fails midway ends
 * with {@code "complete":false,"error":{…}}. NaN and the infinities are strings, as JSON has no
 * such numbers. Each row is written as a whole, so that blanks may come between.
 */
final class JsonResult implements ResultWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final LateStream stream;
  private final JsonGenerator json;
  private boolean hasColumns;

  JsonResult(LateStream stream) {
    this.stream = stream;
    try {
      json = Json.MAPPER.createGenerator(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Something to write. */
  @FunctionalInterface
  private interface Piece {
    void write() throws IOException;
  }

  private void write(Piece piece) {
    try {
      piece.write();
      json.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    stream.write(bytes);
  }

  @Override
  public void columns(List<Column> columns) {
    hasColumns = true;
    write(
        () -> {
          json.writeStartObject();
          json.writeFieldName("columns");
          json.writePOJO(columns);
          json.writeArrayFieldStart("rows");
        });
  }

  @Override
  public void row(List<@Nullable Object> values) {
    write(
        () -> {
          json.writeStartArray(values, values.size());
          for (Object value : values) {
            json.writePOJO(value);
          }
          json.writeEndArray();
        });
  }

  @Override
  public void end(boolean complete) {
    write(
        () -> {
          json.writeEndArray();
          json.writeBooleanField("complete", complete);
          json.writeEndObject();
        });
  }

  @Override
  public void fail(Failure failure) {
    if (!hasColumns) {
      columns(List.of());
    }
    write(
        () -> {
          json.writeEndArray();
          json.writeBooleanField("complete", false);
          json.writePOJOField("error", failure);
          json.writeEndObject();
        });
  }
}
