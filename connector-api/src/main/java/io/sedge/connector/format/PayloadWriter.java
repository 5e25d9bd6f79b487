package io.sedge.connector.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.TableDescriptor;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * Encodes the rows of a sink. One that its format cannot hold is handed over as malformed, whoever
 * waits for it is told, and the sink goes on without it. One thread.
 */
public final class PayloadWriter {
  private static final int SAMPLE_BYTES = 4096;

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
    buffer.reset();
    return append(numbered, row, buffer) ? Optional.of(buffer.toByteArray()) : Optional.empty();
  }

  /** Appends the payload of a row, and answers whether there is one. */
  public boolean append(NumberedBatch numbered, int row, ByteArrayOutputStream output) {
    try {
      encoder.encode(numbered.batch(), row, output);
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
    byte[] text = RowText.of(table.schema(), numbered.batch().row(row)).getBytes(UTF_8);
    context.malformed(
        table.name(),
        "row %d".formatted(numbered.first() + row),
        text.length > SAMPLE_BYTES ? Arrays.copyOf(text, SAMPLE_BYTES) : text,
        why);
    numbered.awaited().ifPresent(awaited -> awaited.failed(why));
  }
}
