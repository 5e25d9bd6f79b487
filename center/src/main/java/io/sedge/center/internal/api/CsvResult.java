package io.sedge.center.internal.api;

import io.sedge.center.api.CsvText;
import io.sedge.center.api.Failure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A result as CSV, its header first; one that fails midway breaks off, so that it is not taken for
 * whole.
 */
final class CsvResult implements ResultWriter {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final LateStream stream;

  CsvResult(LateStream stream) {
    this.stream = stream;
  }

  @Override
  public void columns(List<Column> columns) {
    row(List.copyOf(columns.stream().map(Column::name).toList()));
  }

  @Override
  public void row(List<@Nullable Object> values) {
    bytes.writeBytes(CsvText.line(values).getBytes(StandardCharsets.UTF_8));
    stream.write(bytes);
  }

  @Override
  public void end(boolean complete) {
    // CSV has no place to say it: who must know asks for JSON.
  }

  @Override
  public void fail(Failure failure) {
    throw new UncheckedIOException(new IOException(failure.message()));
  }
}
