package io.sedge.connector.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.TableDescriptor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Encodes the rows of a sink. One that its format cannot hold is handed over as not written,
 * whoever waits for it is told, and the sink goes on without it. One thread.
 */
public final class PayloadWriter {
  /** Of a row, and of a reason, in the log. */
  private static final int MOST_CHARACTERS = 1_000;

  private final TableDescriptor table;
  private final RowEncoder encoder;
  private final ConnectorContext context;
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();

  public PayloadWriter(TableDescriptor table, RowEncoder encoder, ConnectorContext context) {
    this.table = table;
    this.encoder = encoder;
    this.context = context;
  }

  /** Connects what encodes, as {@link RowEncoder#open} says. */
  public void open() {
    encoder.open(table.name(), context);
  }

  /** The payload of a row; empty if there is none. */
  public Optional<byte[]> payload(NumberedBatch numbered, int row) {
    return encoded(numbered, row) ? Optional.of(buffer.toByteArray()) : Optional.empty();
  }

  /** Appends the payload of a row, and answers whether there is one. */
  public boolean append(NumberedBatch numbered, int row, ByteArrayOutputStream output) {
    if (!encoded(numbered, row)) {
      return false;
    }
    try {
      buffer.writeTo(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // There is no output but an array.
    }
    return true;
  }

  private boolean encoded(NumberedBatch numbered, int row) {
    buffer.reset();
    try {
      encoder.encode(numbered.batch(), row, buffer);
      return true;
    } catch (MalformedRowException e) {
      refuse(numbered, row, String.valueOf(e.getMessage()));
      return false;
    }
  }

  /**
   * Goes on without a row, which is handed over as a text for people.
   *
   * @param why what is wrong with it
   */
  public void refuse(NumberedBatch numbered, int row, String why) {
    String reason = RowText.cut(why, MOST_CHARACTERS);
    context.unwritten(
        table.name(),
        "row %d".formatted(numbered.first() + row),
        RowText.of(table.schema(), numbered.batch(), row, MOST_CHARACTERS).getBytes(UTF_8),
        reason);
    numbered.awaited().ifPresent(awaited -> awaited.failed(reason));
  }
}
