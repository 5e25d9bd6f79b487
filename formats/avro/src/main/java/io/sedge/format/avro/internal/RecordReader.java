package io.sedge.format.avro.internal;

import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.engine.column.BatchBuilder;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.ResolvingDecoder;

/**
 * Reads the records of one writer's schema into columns, without an object for the record. Fields
 * that the table has not are passed over, columns that the writer has not are NULL. One thread.
 */
final class RecordReader {
  private final int[] columns;
  private final List<ValueReader> values = new ArrayList<>();
  private final ElementBudget budget = new ElementBudget();
  private final ResolvingDecoder resolver;

  /**
   * @throws AvroRuntimeException if the writer's schema makes no sense
   */
  RecordReader(SchemaMapping mapping, Schema writer) {
    Schema reader = mapping.reader(writer);
    this.columns = mapping.columns().stream().mapToInt(Integer::intValue).toArray();
    for (Schema.Field field : reader.getFields()) {
      values.add(
          new ValueReader(
              field.name(), mapping.table().type(columns[field.pos()]), field.schema(), budget));
    }
    try {
      this.resolver = DecoderFactory.get().resolvingDecoder(writer, reader, null);
    } catch (IOException e) {
      throw new AvroRuntimeException(e);
    }
  }

  /** Reads a record into a row, without ending the row. */
  void read(Decoder input, BatchBuilder builder) throws MalformedPayloadException {
    budget.reset();
    try {
      resolver.configure(input);
      for (Schema.Field field : resolver.readFieldOrder()) {
        values.get(field.pos()).into(resolver, builder.column(columns[field.pos()]));
      }
      resolver.drain();
    } catch (EOFException e) {
      throw new MalformedPayloadException("it ends amid a record");
    } catch (IOException
        | AvroRuntimeException
        | IndexOutOfBoundsException
        | ArithmeticException
        | UnsupportedOperationException e) {
      // The library has exceptions of many kinds for what it cannot read.
      throw new MalformedPayloadException(SchemaMapping.firstLine(e));
    }
  }
}
