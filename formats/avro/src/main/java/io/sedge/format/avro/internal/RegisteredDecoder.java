package io.sedge.format.avro.internal;

import static java.util.Objects.requireNonNull;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.engine.column.BatchBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.jspecify.annotations.Nullable;

/** Decodes records that say which schema they are written with. One thread. */
public final class RegisteredDecoder implements RowDecoder {
  /** Before each record: a zero byte, and the number of its schema. */
  static final int HEAD_BYTES = 5;

  /** So many schemas are ready at a time. */
  private static final int MAX_READERS = 100;

  private final SchemaMapping mapping;
  private final RegistryOptions options;
  private final Map<Integer, RecordReader> readers = new LinkedHashMap<>(16, 0.75f, true);
  private @Nullable WriterSchemas schemas;
  private @Nullable BinaryDecoder binary;

  public RegisteredDecoder(SchemaMapping mapping, RegistryOptions options) {
    this.mapping = mapping;
    this.options = options;
  }

  @Override
  public void open(String table, ConnectorContext context) {
    schemas =
        new WriterSchemas(
            table,
            context,
            new Registry(table, options, new RegistryFiles(table, options, context).tls()));
  }

  @Override
  public boolean isReady(byte[] payload, int offset, int length) {
    return !hasHead(payload, offset, length)
        || readers.containsKey(id(payload, offset))
        || requireNonNull(schemas, "not opened").find(id(payload, offset)) != null;
  }

  @Override
  public void decode(byte[] payload, int offset, int length, BatchBuilder builder)
      throws MalformedPayloadException {
    if (!hasHead(payload, offset, length)) {
      throw new MalformedPayloadException(
          "it does not begin with a zero byte and the number of a schema; without a registry use"
              + " 'avro'");
    }
    RecordReader reader = reader(id(payload, offset));
    binary =
        DecoderFactory.get()
            .binaryDecoder(payload, offset + HEAD_BYTES, length - HEAD_BYTES, binary);
    reader.read(binary, builder);
    PlainDecoder.checkEnd(binary, "the number before it is that of another");
  }

  private RecordReader reader(int id) throws MalformedPayloadException {
    RecordReader known = readers.get(id);
    if (known != null) {
      return known;
    }
    RecordReader made =
        switch (requireNonNull(schemas, "not opened").await(id)) {
          case WriterSchemas.Known.Refused(String reason) ->
              throw new MalformedPayloadException(reason);
          case WriterSchemas.Known.Found(Schema schema) -> reader(id, schema);
        };
    readers.put(id, made);
    if (readers.size() > MAX_READERS) {
      readers.remove(readers.keySet().iterator().next());
    }
    return made;
  }

  private RecordReader reader(int id, Schema schema) throws MalformedPayloadException {
    try {
      return new RecordReader(mapping, schema);
    } catch (AvroRuntimeException e) {
      throw new MalformedPayloadException(
          "schema %d: %s".formatted(id, SchemaMapping.firstLine(e)));
    }
  }

  private static boolean hasHead(byte[] payload, int offset, int length) {
    return length >= HEAD_BYTES && payload[offset] == 0;
  }

  private static int id(byte[] payload, int offset) {
    return (payload[offset + 1] & 0xff) << 24
        | (payload[offset + 2] & 0xff) << 16
        | (payload[offset + 3] & 0xff) << 8
        | (payload[offset + 4] & 0xff);
  }
}
