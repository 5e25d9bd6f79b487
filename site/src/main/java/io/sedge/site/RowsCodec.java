package io.sedge.site;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.state.ValueCodec;
import io.sedge.engine.type.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/**
 * Rows of one table as bytes, as the outbox keeps them: version (1), then for each row what it does
 * to the result (1: 0 inserts, 1 before an update, 2 after it, 3 deletes) and its values ({@link
 * ValueCodec}). Stateless.
 */
public final class RowsCodec {
  private static final int VERSION = 1;
  private static final int INSERT = 0;
  private static final int UPDATE_BEFORE = 1;
  private static final int UPDATE_AFTER = 2;
  private static final int DELETE = 3;

  private final Schema schema;

  public RowsCodec(Schema schema) {
    this.schema = schema;
  }

  public byte[] encode(Batch batch) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream output = new DataOutputStream(bytes);
    ChangeKind[] changes = batch.changes();
    try {
      output.writeByte(VERSION);
      for (int row = 0; row < batch.rows(); row++) {
        output.writeByte(code(changes == null ? ChangeKind.INSERT : changes[row]));
        for (int column = 0; column < schema.size(); column++) {
          ValueCodec.write(schema.type(column), batch.column(column).value(row), output);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #encode} wrote for the same schema.
   *
   * @param rows how many there are
   * @throws IllegalArgumentException if the bytes are others
   */
  public Batch decode(int rows, byte[] bytes) {
    DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes));
    BatchBuilder builder = new BatchBuilder(schema);
    try {
      int version = input.readByte();
      if (version != VERSION) {
        throw new IllegalArgumentException(
            "rows of version %d, this is version %d".formatted(version, VERSION));
      }
      for (int row = 0; row < rows; row++) {
        ChangeKind change = change(input.readByte());
        for (int column = 0; column < schema.size(); column++) {
          builder.column(column).add(ValueCodec.read(schema.type(column), input));
        }
        builder.endRow(change);
      }
      if (input.available() > 0) {
        throw new IllegalArgumentException(
            "%d bytes too many after %d rows".formatted(input.available(), rows));
      }
      return builder.build();
    } catch (IOException e) {
      throw new IllegalArgumentException("%d rows do not end".formatted(rows), e);
    }
  }

  private static int code(ChangeKind change) {
    return switch (change) {
      case INSERT -> INSERT;
      case UPDATE_BEFORE -> UPDATE_BEFORE;
      case UPDATE_AFTER -> UPDATE_AFTER;
      case DELETE -> DELETE;
    };
  }

  private static ChangeKind change(int code) {
    return switch (code) {
      case INSERT -> ChangeKind.INSERT;
      case UPDATE_BEFORE -> ChangeKind.UPDATE_BEFORE;
      case UPDATE_AFTER -> ChangeKind.UPDATE_AFTER;
      case DELETE -> ChangeKind.DELETE;
      default -> throw new IllegalArgumentException("a row of kind " + code);
    };
  }
}
