package io.sedge.format.avro;

import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.jspecify.annotations.Nullable;

/** Payloads of one row, by our formats and by Avro's own reader and writer. */
final class Payloads {
  private Payloads() {}

  static List<Integer> columns(Schema schema) {
    return IntStream.range(0, schema.size()).boxed().toList();
  }

  /** Decodes a payload that stands amid other bytes. */
  static List<@Nullable Object> decode(Schema schema, RowDecoder decoder, byte[] payload)
      throws MalformedPayloadException {
    BatchBuilder builder = new BatchBuilder(schema);
    byte[] around = new byte[payload.length + 2];
    System.arraycopy(payload, 0, around, 1, payload.length);
    decoder.decode(around, 1, payload.length, builder);
    builder.endRow();
    return builder.build().row(0);
  }

  static byte[] written(GenericRecord record) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  static GenericRecord read(org.apache.avro.Schema schema, byte[] payload) throws IOException {
    return new GenericDatumReader<GenericRecord>(schema)
        .read(null, DecoderFactory.get().binaryDecoder(payload, null));
  }
}
