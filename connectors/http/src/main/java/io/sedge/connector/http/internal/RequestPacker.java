package io.sedge.connector.http.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.courier.Packer;
import io.sedge.connector.format.Formats;
import io.sedge.connector.format.PayloadWriter;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes requests of batches. The rows of a group of batches go into the same requests, and those of
 * different groups never do: so the same groups always give the same requests. One thread.
 */
final class RequestPacker implements Packer<Requests> {
  private final SinkSettings settings;
  private final PayloadWriter payloads;
  private final boolean gathers;
  private List<Request> requests = new ArrayList<>();
  private final Gathering gathering = new Gathering();

  /**
   * @param gathers whether batches come in groups
   */
  RequestPacker(SinkSettings settings, boolean gathers) {
    this.gathers = gathers;
    TableDescriptor table = settings.table();
    ConnectorContext context = settings.server().context();
    this.settings = settings;
    this.payloads =
        new PayloadWriter(
            table, context.formats().encoder(table, Formats.payloadColumns(table)), context);
  }

  /** Connects what encodes. */
  void open() {
    payloads.open();
  }

  @Override
  public boolean gathers() {
    return gathers;
  }

  @Override
  public Optional<Requests> pack(NumberedBatch numbered) {
    for (int row = 0; row < numbered.batch().rows(); row++) {
      if (!gather(numbered, row)) {
        gathering.end(); // A request has no row less than its key says.
      }
    }
    if (!numbered.endsGroup()) {
      return Optional.empty();
    }
    gathering.end();
    Requests packed = new Requests(numbered.last(), requests);
    requests = new ArrayList<>();
    return Optional.of(packed);
  }

  private boolean gather(NumberedBatch numbered, int row) {
    URI address;
    try {
      address = settings.url().address(numbered.batch(), row);
    } catch (IllegalArgumentException e) {
      payloads.refuse(numbered, row, String.valueOf(e.getMessage()));
      return false;
    }
    Optional<byte[]> payload = payloads.payload(numbered, row);
    payload.ifPresent(bytes -> gathering.add(address, numbered.first() + row, bytes));
    return payload.isPresent();
  }

  /** The rows of the next request. */
  private final class Gathering {
    private final List<byte[]> rows = new ArrayList<>();
    private final List<Long> sequences = new ArrayList<>();
    private URI address = URI.create("");
    private long bytes;

    void add(URI next, long sequence, byte[] row) {
      boolean fits =
          !rows.isEmpty()
              && settings.form() != BodyForm.ROW
              && rows.size() < settings.maxRows()
              && bytes + row.length <= settings.maxBytes()
              && next.equals(address);
      if (!fits) {
        end();
        address = next;
      }
      rows.add(row);
      sequences.add(sequence);
      bytes += row.length;
    }

    void end() {
      if (!rows.isEmpty()) {
        requests.add(new Request(address, sequences, rows));
        rows.clear();
        sequences.clear();
        bytes = 0;
      }
    }
  }

  /** The first line of each body, where the format has one. */
  static byte[] header(SinkSettings settings) {
    return settings.form() == BodyForm.LINES
        ? settings
            .server()
            .context()
            .formats()
            .of(settings.table())
            .header(
                settings.table().schema(),
                Formats.payloadColumns(settings.table()),
                settings.table().options())
        : new byte[0];
  }

  /** A body of rows. */
  static byte[] body(BodyForm form, byte[] header, List<byte[]> rows) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    switch (form) {
      case ROW -> body.writeBytes(rows.getFirst());
      case LINES -> {
        if (header.length > 0) {
          body.writeBytes(header);
          body.write('\n');
        }
        for (byte[] row : rows) {
          body.writeBytes(row);
          body.write('\n');
        }
      }
      case ARRAY -> {
        byte[] separator = "[".getBytes(UTF_8);
        for (byte[] row : rows) {
          body.writeBytes(separator);
          body.writeBytes(row);
          separator = ",".getBytes(UTF_8);
        }
        body.write(']');
      }
    }
    return body.toByteArray();
  }
}
