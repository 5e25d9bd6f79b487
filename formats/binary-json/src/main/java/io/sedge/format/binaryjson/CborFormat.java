package io.sedge.format.binaryjson;

import io.sedge.connector.Option;
import io.sedge.connector.format.FormatFactory;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.type.Schema;
import io.sedge.format.binaryjson.internal.BinaryJson;
import io.sedge.format.binaryjson.internal.CborDialect;
import java.util.List;
import java.util.Map;

/**
 * The format {@code cbor} (RFC 8949): a map of names and values for each row, as in {@code json}.
 */
public final class CborFormat implements FormatFactory {
  // Not a method reference, which would load the library when formats are looked for.
  private final BinaryJson format = new BinaryJson("cbor", () -> new CborDialect());

  @Override
  public String name() {
    return format.name();
  }

  @Override
  public List<Option> options() {
    return format.options();
  }

  @Override
  public boolean isText(Schema schema, List<Integer> columns, Map<String, String> options) {
    return false;
  }

  @Override
  public RowDecoder decoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    return format.decoder(schema, columns, options);
  }

  @Override
  public RowEncoder encoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    return format.encoder(schema, columns, options);
  }
}
