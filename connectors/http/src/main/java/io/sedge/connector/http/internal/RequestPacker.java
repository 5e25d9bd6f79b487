package io.sedge.connector.http.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.NumberedBatch;
import io.sedge.connector.format.Formats;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.column.Batch;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** Makes requests of batches. One thread. */
final class RequestPacker {
  private final SinkSettings settings;
  private final RowEncoder encoder;
  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();

  RequestPacker(SinkSettings settings) {
    this.settings = settings;
    this.encoder =
        settings
            .server()
            .context()
            .formats()
            .encoder(settings.table(), Formats.payloadColumns(settings.table()));
  }

  /** Connects what encodes. */
  void open() {
    encoder.open(settings.table().name(), settings.server().context());
  }

  Requests requests(NumberedBatch numbered) {
    Batch batch = numbered.batch();
    List<Request> requests = new ArrayList<>();
    Gathering gathering = new Gathering(requests);
    for (int row = 0; row < batch.rows(); row++) {
      byte[] encoded = encoded(batch, row);
      try {
        gathering.add(settings.url().address(batch, row), numbered.first() + row, encoded);
      } catch (IllegalArgumentException e) {
        gathering.end();
        settings
            .server()
            .context()
            .malformed(
                settings.table().name(),
                settings.server().place(),
                encoded,
                String.valueOf(e.getMessage()));
      }
    }
    gathering.end();
    return new Requests(numbered.last(), requests);
  }

  private byte[] encoded(Batch batch, int row) {
    buffer.reset();
    encoder.encode(batch, row, buffer);
    return buffer.toByteArray();
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
