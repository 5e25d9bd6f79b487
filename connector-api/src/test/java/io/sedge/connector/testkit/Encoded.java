package io.sedge.connector.testkit;

import io.sedge.connector.format.MalformedRowException;
import io.sedge.connector.format.RowEncoder;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** Payloads of rows that fit their format. */
public final class Encoded {
  private Encoded() {}

  /** The payload of a row of these values. */
  public static byte[] row(Schema schema, RowEncoder encoder, @Nullable Object... values) {
    return row(encoder, new BatchBuilder(schema).addRow(values).build(), 0);
  }

  /** The payload of a row of a batch. */
  public static byte[] row(RowEncoder encoder, Batch batch, int row) {
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    try {
      encoder.encode(batch, row, payload);
    } catch (MalformedRowException e) {
      throw new AssertionError("a row that fits", e);
    }
    return payload.toByteArray();
  }
}
