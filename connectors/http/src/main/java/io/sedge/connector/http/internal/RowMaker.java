package io.sedge.connector.http.internal;

import com.fasterxml.jackson.core.JsonPointer;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.format.ByteOrderMark;
import io.sedge.connector.format.Formats;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RecordSplitter;
import io.sedge.connector.format.RowDecoder;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Makes rows of bodies. What cannot be decoded is counted and kept: a row alone where the others of
 * its body can be. One thread.
 */
final class RowMaker {
  private static final int SAMPLE_BYTES = 4096;

  /**
   * What became of a body.
   *
   * @param malformed how many rows, or bodies as a whole, could not be decoded
   * @param reason of the first of them; empty if there is none
   */
  record Outcome(int rows, int malformed, String reason) {}

  private final TableDescriptor table;
  private final ConnectorContext context;
  private final BodyForm form;
  private final JsonPointer pointer;
  private final RecordSplitter splitter;
  private final boolean text;
  private final RowDecoder decoder;
  private final BatchBuilder builder;
  private final List<Integer> timeColumns = new ArrayList<>();
  private final List<Integer> sourceColumns = new ArrayList<>();

  RowMaker(TableDescriptor table, ConnectorContext context, BodyForm form, JsonPointer pointer) {
    this.table = table;
    this.context = context;
    this.form = form;
    this.pointer = pointer;
    Formats formats = context.formats();
    this.splitter = formats.of(table).splitter(table.options());
    this.text = formats.isText(table, Formats.payloadColumns(table));
    this.decoder = formats.decoder(table, Formats.payloadColumns(table));
    this.decoder.open(table.name(), context);
    this.builder = new BatchBuilder(table.schema());
    for (Map.Entry<Integer, String> column : table.metadata().entrySet()) {
      (column.getValue().equals(HttpTables.TIMESTAMP) ? timeColumns : sourceColumns)
          .add(column.getKey());
    }
  }

  /** Where the content of a body begins. */
  private int begin(byte[] body) {
    return text ? ByteOrderMark.skip(body, 0, body.length) : 0;
  }

  /** Adds the rows of a body; those that cannot be decoded are handed to the context. */
  Outcome add(byte[] body, String source, long micros) {
    int before = builder.rows();
    List<String> reasons = new ArrayList<>();
    try {
      List<Bodies.Span> spans =
          switch (form) {
            case ARRAY -> Bodies.elements(body, pointer);
            case LINES -> lines(body);
            case ROW -> List.of(new Bodies.Span(begin(body), body.length));
          };
      for (Bodies.Span span : spans) {
        try {
          add(body, span, source, micros);
        } catch (MalformedPayloadException e) {
          builder.discardRow();
          reasons.add(refuse(body, span, source, e));
        }
      }
    } catch (MalformedPayloadException e) {
      reasons.add(refuse(body, new Bodies.Span(0, body.length), source, e));
    }
    return new Outcome(
        builder.rows() - before, reasons.size(), reasons.isEmpty() ? "" : reasons.getFirst());
  }

  private List<Bodies.Span> lines(byte[] body) throws MalformedPayloadException {
    List<Bodies.Span> records = Bodies.records(body, begin(body), splitter);
    if (!decoder.expectsHeader() || records.isEmpty()) {
      return records;
    }
    Bodies.Span header = records.getFirst();
    decoder.header(body, header.from(), header.to() - header.from());
    return records.subList(1, records.size());
  }

  private void add(byte[] body, Bodies.Span span, String source, long micros)
      throws MalformedPayloadException {
    decoder.decode(body, span.from(), span.to() - span.from(), builder);
    for (int column : timeColumns) {
      builder.column(column).addLong(micros);
    }
    for (int column : sourceColumns) {
      builder.column(column).addString(source);
    }
    builder.endRow();
  }

  private String refuse(byte[] body, Bodies.Span span, String source, MalformedPayloadException e) {
    String reason = String.valueOf(e.getMessage());
    int to = Math.min(span.to(), span.from() + SAMPLE_BYTES);
    context.malformed(table.name(), source, Arrays.copyOfRange(body, span.from(), to), reason);
    return reason;
  }

  int rows() {
    return builder.rows();
  }

  Batch build() {
    return builder.build();
  }
}
