package io.sedge.format.avro.internal;

import io.sedge.connector.format.MalformedRowException;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.column.Batch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;
import org.apache.avro.io.EncoderFactory;

/** Encodes records without their schema. One thread. */
public final class PlainEncoder implements RowEncoder {
  private final Schema schema;
  private final RecordWriter records;
  private final boolean json;

  /**
   * @param json whether records are JSON, not binary
   * @throws io.sedge.connector.ConnectorException of kind USER if the columns do not fit the schema
   */
  public PlainEncoder(SchemaMapping mapping, Schema schema, boolean json) {
    this.schema = schema;
    this.records = new RecordWriter(mapping, schema);
    this.json = json;
  }

  @Override
  public void encode(Batch batch, int row, ByteArrayOutputStream output)
      throws MalformedRowException {
    try {
      Encoder encoder =
          json
              ? EncoderFactory.get().jsonEncoder(schema, output)
              : EncoderFactory.get().directBinaryEncoder(output, null);
      records.write(batch, row, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e); // There is no output but an array.
    }
  }
}
