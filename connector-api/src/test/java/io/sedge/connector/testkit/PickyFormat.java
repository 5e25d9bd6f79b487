package io.sedge.connector.testkit;

import io.sedge.connector.Option;
import io.sedge.connector.format.FormatFactory;
import io.sedge.connector.format.MalformedRowException;
import io.sedge.connector.format.RecordSplitter;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.type.Schema;
import java.util.List;
import java.util.Map;

/**
 * A format as another one, but that it cannot hold one row; a key of it, without the last column,
 * it can.
 */
record PickyFormat(FormatFactory other, List<?> unfit) implements FormatFactory {
  @Override
  public String name() {
    return other.name();
  }

  @Override
  public List<Option> options() {
    return other.options();
  }

  @Override
  public RowDecoder decoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    return other.decoder(schema, columns, options);
  }

  @Override
  public boolean isText(Schema schema, List<Integer> columns, Map<String, String> options) {
    return other.isText(schema, columns, options);
  }

  @Override
  public RecordSplitter splitter(Map<String, String> options) {
    return other.splitter(options);
  }

  @Override
  public byte[] header(Schema schema, List<Integer> columns, Map<String, String> options) {
    return other.header(schema, columns, options);
  }

  @Override
  public boolean writesChanges() {
    return other.writesChanges();
  }

  @Override
  public RowEncoder encoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    RowEncoder encoder = other.encoder(schema, columns, options);
    if (!columns.contains(schema.size() - 1)) {
      return encoder;
    }
    return (batch, row, output) -> {
      if (batch.row(row).equals(unfit)) {
        throw new MalformedRowException("the row does not fit");
      }
      encoder.encode(batch, row, output);
    };
  }
}
