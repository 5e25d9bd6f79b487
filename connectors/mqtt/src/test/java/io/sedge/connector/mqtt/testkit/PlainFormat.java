package io.sedge.connector.mqtt.testkit;

import io.sedge.connector.Option;
import io.sedge.connector.format.FormatFactory;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Kind;
import io.sedge.engine.type.Schema;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Values with a comma between them. */
public final class PlainFormat implements FormatFactory {
  @Override
  public String name() {
    return "plain";
  }

  @Override
  public List<Option> options() {
    return List.of();
  }

  @Override
  public RowDecoder decoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    return (payload, offset, length, builder) ->
        decode(schema, columns, ByteBuffer.wrap(payload, offset, length), builder);
  }

  private static void decode(
      Schema schema, List<Integer> columns, ByteBuffer payload, BatchBuilder builder)
      throws MalformedPayloadException {
    String[] values;
    try {
      values = StandardCharsets.UTF_8.newDecoder().decode(payload).toString().split(",", -1);
    } catch (CharacterCodingException e) {
      throw new MalformedPayloadException("not UTF-8");
    }
    if (values.length != columns.size()) {
      throw new MalformedPayloadException(
          "%d values where %d are wanted".formatted(values.length, columns.size()));
    }
    for (int i = 0; i < values.length; i++) {
      int column = columns.get(i);
      Kind kind = schema.type(column).kind();
      try {
        if (kind.isString()) {
          builder.column(column).addString(values[i]);
        } else if (kind == Kind.DOUBLE) {
          builder.column(column).addDouble(Double.parseDouble(values[i]));
        } else {
          builder.column(column).add(Long.parseLong(values[i]));
        }
      } catch (NumberFormatException e) {
        throw new MalformedPayloadException("'%s' is not %s".formatted(values[i], kind));
      }
    }
  }

  @Override
  public RowEncoder encoder(Schema schema, List<Integer> columns, Map<String, String> options) {
    return (batch, row, output) -> {
      StringBuilder text = new StringBuilder();
      for (int column : columns) {
        text.append(text.isEmpty() ? "" : ",").append(batch.column(column).value(row));
      }
      output.writeBytes(text.toString().getBytes(StandardCharsets.UTF_8));
    };
  }
}
