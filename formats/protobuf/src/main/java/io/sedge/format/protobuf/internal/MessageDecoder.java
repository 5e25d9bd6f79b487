package io.sedge.format.protobuf.internal;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import java.util.List;

/** Decodes messages. One thread. */
public final class MessageDecoder implements RowDecoder {
  private final Descriptor descriptor;
  private final Parser<DynamicMessage> parser;
  private final List<FieldMapping> fields;
  private final int[] columns;
  private final boolean defaults;

  /**
   * @param defaults whether a field that is not there has its default instead of NULL
   * @throws io.sedge.connector.ConnectorException of kind USER if the columns do not fit
   */
  public MessageDecoder(
      Descriptor message, Schema schema, List<Integer> columns, boolean defaults) {
    this.descriptor = message;
    this.parser = DynamicMessage.getDefaultInstance(message).getParserForType();
    this.fields =
        FieldMapping.of(
            message,
            "",
            columns.stream().map(schema::name).toList(),
            columns.stream().map(schema::type).toList());
    this.columns = columns.stream().mapToInt(Integer::intValue).toArray();
    this.defaults = defaults;
  }

  @Override
  public void decode(byte[] payload, int offset, int length, BatchBuilder builder)
      throws MalformedPayloadException {
    DynamicMessage message;
    try {
      FieldCount.check(descriptor, payload, offset, length);
      message = parser.parseFrom(payload, offset, length);
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedPayloadException("it is no such message: " + e.getMessage());
    }
    for (int i = 0; i < columns.length; i++) {
      builder.column(columns[i]).add(fields.get(i).read(message, defaults));
    }
  }
}
