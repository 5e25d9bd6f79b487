package io.sedge.format.avro.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.engine.column.BatchBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;

/** Decodes records that are all written with one schema, which is known. One thread. */
public final class PlainDecoder implements RowDecoder {
  private static final JsonFactory JSON = new JsonFactory();

  private final Schema writer;
  private final RecordReader records;
  private final boolean json;
  private @Nullable BinaryDecoder binary;

  /**
   * @param json whether records are JSON, not binary
   */
  public PlainDecoder(SchemaMapping mapping, Schema writer, boolean json) {
    this.writer = writer;
    this.records = new RecordReader(mapping, writer);
    this.json = json;
  }

  @Override
  public void decode(byte[] payload, int offset, int length, BatchBuilder builder)
      throws MalformedPayloadException {
    if (json) {
      decodeJson(payload, offset, length, builder);
    } else {
      binary = DecoderFactory.get().binaryDecoder(payload, offset, length, binary);
      records.read(binary, builder);
      checkEnd(binary, "'avro.schema' can name its own");
    }
  }

  private void decodeJson(byte[] payload, int offset, int length, BatchBuilder builder)
      throws MalformedPayloadException {
    try {
      records.read(
          DecoderFactory.get()
              .jsonDecoder(writer, new ByteArrayInputStream(payload, offset, length)),
          builder);
    } catch (IOException | AvroRuntimeException e) {
      throw new MalformedPayloadException(SchemaMapping.firstLine(e));
    }
    checkJsonEnd(payload, offset, length);
  }

  /** The library's decoder does not say where it has stopped. */
  private static void checkJsonEnd(byte[] payload, int offset, int length)
      throws MalformedPayloadException {
    boolean ends;
    try (JsonParser parser = JSON.createParser(payload, offset, length)) {
      var _ = parser.nextToken();
      parser.skipChildren();
      ends = parser.nextToken() == null;
    } catch (IOException _) {
      ends = false;
    }
    if (!ends) {
      throw new MalformedPayloadException("there is something after the record");
    }
  }

  /** What is left after a record was taken for something else, or is of another schema. */
  static void checkEnd(BinaryDecoder input, String remedy) throws MalformedPayloadException {
    try {
      if (!input.isEnd()) {
        throw new MalformedPayloadException(
            "there are bytes after the record, so it was written with another schema: " + remedy);
      }
    } catch (IOException e) {
      throw new MalformedPayloadException(SchemaMapping.firstLine(e));
    }
  }
}
