package io.sedge.format.avro.internal;

import io.sedge.connector.format.MalformedRowException;
import io.sedge.engine.column.Batch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;

/** Writes rows as records of a schema, without an object for the record. One thread. */
final class RecordWriter {
  private final List<ValueWriter> values = new ArrayList<>();
  private final int[] columns;

  /**
   * @throws io.sedge.connector.ConnectorException of kind USER if the columns do not fit the schema
   */
  RecordWriter(SchemaMapping mapping, Schema schema) {
    this.columns = new int[schema.getFields().size()];
    List<String> names = mapping.columns().stream().map(mapping.table()::name).toList();
    for (Schema.Field field : schema.getFields()) {
      int index = names.indexOf(field.name());
      if (index < 0) {
        throw SchemaMapping.user(
            "the schema has the field '%s', but the table no such column".formatted(field.name()));
      }
      columns[field.pos()] = mapping.columns().get(index);
      values.add(
          new ValueWriter(
              field.name(), mapping.table().type(columns[field.pos()]), field.schema()));
    }
  }

  void write(Batch batch, int row, Encoder output) throws IOException, MalformedRowException {
    for (int i = 0; i < columns.length; i++) {
      values.get(i).write(batch.column(columns[i]).value(row), output);
    }
  }
}
