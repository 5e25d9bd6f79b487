package io.sedge.connector.http.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.Formats;
import io.sedge.connector.format.PayloadWriter;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Makes requests of batches. One thread. */
final class RequestPacker {
  private final SinkSettings settings;
  private final PayloadWriter payloads;

  RequestPacker(SinkSettings settings) {
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

  Requests requests(NumberedBatch numbered) {
    List<Request> requests = new ArrayList<>();
    Gathering gathering = new Gathering(requests);
    for (int row = 0; row < numbered.batch().rows(); row++) {
      if (!gathers(gathering, numbered, row)) {
        gathering.end(); // The rows of a request follow one another.
      }
    }
    gathering.end();
    return new Requests(numbered.last(), requests);
  }

  private boolean gathers(Gathering gathering, NumberedBatch numbered, int row) {
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
    private final List<Request> requests;
    private final List<byte[]> rows = new ArrayList<>();
    private URI address = URI.create("");
    private long first;
    private long bytes;

    Gathering(List<Request> requests) {
      this.requests = requests;
    }

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
        first = sequence;
      }
      rows.add(row);
      bytes += row.length;
    }

    void end() {
      if (!rows.isEmpty()) {
        requests.add(new Request(address, first, rows));
        rows.clear();
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
