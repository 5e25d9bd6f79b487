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
  private final ByteArrayOutputStream record = new ByteArrayOutputStream();

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
    record.reset();
    try {
      Encoder encoder =
          json
              ? EncoderFactory.get().jsonEncoder(schema, record)
              : EncoderFactory.get().directBinaryEncoder(record, null);
      records.write(batch, row, encoder);
      encoder.flush();
      record.writeTo(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // There is no output but an array.
    }
  }
}
