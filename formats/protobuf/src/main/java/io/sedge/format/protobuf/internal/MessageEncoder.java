package io.sedge.format.protobuf.internal;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.UninitializedMessageException;
import io.sedge.connector.format.MalformedRowException;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayOutputStream;
import java.util.List;

/** Encodes messages. One thread. */
public final class MessageEncoder implements RowEncoder {
  private final Descriptor descriptor;
  private final List<FieldMapping> fields;
  private final int[] columns;
  private final String nullText;

  /**
   * @param nullText what stands for NULL where an ARRAY of texts has it
   * @throws io.sedge.connector.ConnectorException of kind USER if the columns do not fit
   */
  public MessageEncoder(Descriptor message, Schema schema, List<Integer> columns, String nullText) {
    this.descriptor = message;
    List<Type> types = columns.stream().map(schema::type).toList();
    this.fields =
        FieldMapping.of(descriptor, "", columns.stream().map(schema::name).toList(), types);
    FieldMapping.checkRequired(descriptor, fields, types, "");
    this.columns = columns.stream().mapToInt(Integer::intValue).toArray();
    this.nullText = nullText;
  }

  @Override
  public void encode(Batch batch, int row, ByteArrayOutputStream output)
      throws MalformedRowException {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(descriptor);
    for (int i = 0; i < columns.length; i++) {
      fields.get(i).write(message, batch.column(columns[i]).value(row), nullText);
    }
    try {
      output.writeBytes(message.build().toByteArray());
    } catch (UninitializedMessageException e) {
      throw new MalformedRowException(
          "fields that are required have no value: " + String.join(", ", e.getMissingFields()));
    }
  }
}
