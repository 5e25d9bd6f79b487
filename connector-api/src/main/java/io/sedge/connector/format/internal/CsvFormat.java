package io.sedge.connector.format.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.format.FormatFactory;
import io.sedge.connector.format.RecordSplitter;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.List;
import java.util.Map;

/** The format {@code csv} (RFC 4180), with Flink's options. */
public final class CsvFormat implements FormatFactory {
  @Override
  public String name() {
    return "csv";
  }

  @Override
  public List<Option> options() {
    return CsvDialect.OPTIONS;
  }

  @Override
  public RecordSplitter splitter(Map<String, String> options) {
    return new CsvSplitter(dialect(options));
  }

  @Override
  public RowDecoder decoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    check(schema, columns);
    return new CsvDecoder(schema, columns, dialect(options));
  }

  @Override
  public RowEncoder encoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    check(schema, columns);
    return new CsvEncoder(schema, columns, dialect(options));
  }

  @Override
  public byte[] header(Schema schema, List<Integer> columns, Map<String, String> options) {
    CsvDialect dialect = dialect(options);
    if (!dialect.header()) {
      return new byte[0];
    }
    StringBuilder line = new StringBuilder();
    for (int column : columns) {
      CsvEncoder.append(line, schema.name(column), dialect);
      line.append(dialect.delimiter());
    }
    line.setLength(Math.max(0, line.length() - 1));
    return line.toString().getBytes(UTF_8);
  }

  private CsvDialect dialect(Map<String, String> options) {
    return CsvDialect.of(Options.of(name(), CsvDialect.OPTIONS, options));
  }

  private static void check(Schema schema, List<Integer> columns) {
    for (int column : columns) {
      for (Type child : schema.type(column).children()) {
        if (child.kind() == Kind.ARRAY || child.kind() == Kind.ROW) {
          throw new ConnectorException(
              ConnectorException.Kind.USER,
              "column `%s` is %s: 'format' = 'csv' takes no ARRAY or ROW inside another"
                  .formatted(schema.name(column), schema.type(column)));
        }
      }
    }
  }
}
