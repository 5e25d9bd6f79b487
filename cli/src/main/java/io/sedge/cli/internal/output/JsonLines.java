package io.sedge.cli.internal.output;

import io.sedge.engine.column.Batch;
import java.io.OutputStream;
import java.io.PrintStream;

/** One JSON object per row and line, exact, as {@link JsonEncoder} says. */
public final class JsonLines implements RowOutput {
  private final LineWriter writer;
  private final PrintStream messages;
  private final JsonEncoder encoder;
  private long bytes;

  public JsonLines(
      OutputStream output, PrintStream messages, boolean severalQueries, Runnable onClosed) {
    this.writer = new LineWriter(output, messages, onClosed);
    this.messages = messages;
    this.encoder = new JsonEncoder(severalQueries);
  }

  @Override
  public boolean offer(Query query, Batch batch) {
    if (!writer.hasRoom()) {
      return false;
    }
    byte[] encoded = encoder.encode(query, batch);
    bytes += encoded.length;
    writer.add(encoded);
    return true;
  }

  @Override
  public void onRoom(Runnable wakeUp) {
    writer.onRoom(wakeUp);
  }

  @Override
  public boolean isWritten() {
    return writer.isWritten();
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void message(String line) {
    messages.println(line);
  }

  @Override
  public void close() {
    writer.close();
  }
}
