package io.sedge.engine.codec;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.column.Column;
import io.sedge.engine.state.ValueCodec;
import io.sedge.engine.type.Schema;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of one table as bytes, as outbox and exchange keep them on every device: version (1), then
 * what the rows do to the result, then column after column ({@link ColumnCodec}). What they do is 0
 * if all are insertions, else 1 and for each row one byte (0 inserts, 1 before an update, 2 after
 * it, 3 deletes). Stateless.
 *
 * <p>Version 1, which is still read, has row after row: what it does (1) and its values ({@link
 * ValueCodec}).
 */
public final class RowsCodec {
  private static final int VERSION = 2;
  private static final int ROW_AFTER_ROW = 1;
  private static final int INSERT = 0;
  private static final int UPDATE_BEFORE = 1;
  private static final int UPDATE_AFTER = 2;
  private static final int DELETE = 3;

  private final Schema schema;

  public RowsCodec(Schema schema) {
    this.schema = schema;
  }

  /**
   * Batches in runs that have about {@link Batch#TARGET_ROWS} rows each, to be encoded as one: what
   * rows have in common is then written once.
   */
  public static List<List<Batch>> blocks(List<Batch> batches) {
    List<List<Batch>> blocks = new ArrayList<>();
    List<Batch> block = new ArrayList<>();
    for (Batch batch : batches) {
      if (!block.isEmpty() && rows(block) + batch.rows() > Batch.TARGET_ROWS) {
        blocks.add(block);
        block = new ArrayList<>();
      }
      block.add(batch);
    }
    if (!block.isEmpty()) {
      blocks.add(block);
    }
    return blocks;
  }

  /** How many rows batches have. */
  public static int rows(List<Batch> batches) {
    int rows = 0;
    for (Batch batch : batches) {
      rows = Math.addExact(rows, batch.rows());
    }
    return rows;
  }

  /** The bytes of all rows, which are read as one batch. */
  public byte[] encode(List<Batch> batches) {
    ByteWriter output = new ByteWriter();
    output.write(VERSION);
    writeChanges(batches, output);
    for (int i = 0; i < schema.size(); i++) {
      List<Column> pieces = new ArrayList<>(batches.size());
      for (Batch batch : batches) {
        pieces.add(batch.column(i));
      }
      ColumnCodec.write(schema.type(i), pieces, output);
    }
    return output.toArray();
  }

  private static void writeChanges(List<Batch> batches, ByteWriter output) {
    boolean insertions = true;
    for (Batch batch : batches) {
      for (int row = 0; row < batch.rows() && insertions; row++) {
        insertions = batch.change(row) == ChangeKind.INSERT;
      }
    }
    output.write(insertions ? 0 : 1);
    for (Batch batch : batches) {
      for (int row = 0; row < batch.rows() && !insertions; row++) {
        output.write(code(batch.change(row)));
      }
    }
  }

  /**
   * Reads what {@link #encode} wrote for the same schema.
   *
   * @param rows how many there are
   * @throws IllegalArgumentException if the bytes are others
   */
  public Batch decode(int rows, byte[] bytes) {
    if (rows < 0) {
      throw new IllegalArgumentException(rows + " rows");
    }
    ByteReader input = new ByteReader(bytes);
    try {
      int version = input.readByte();
      Batch batch =
          switch (version) {
            case VERSION -> readColumns(rows, input);
            case ROW_AFTER_ROW -> readRows(rows, new DataInputStream(input));
            default ->
                throw new IllegalArgumentException(
                    "rows of version %d, this is version %d".formatted(version, VERSION));
          };
      if (input.available() > 0) {
        throw new IllegalArgumentException(
            "%d bytes too many after %d rows".formatted(input.available(), rows));
      }
      return batch;
    } catch (IOException e) {
      throw new IllegalArgumentException("%d rows do not end".formatted(rows), e);
    }
  }

  private Batch readColumns(int rows, ByteReader input) throws IOException {
    ChangeKind[] changes = readChanges(rows, input);
    List<Column> columns = new ArrayList<>(schema.size());
    for (int i = 0; i < schema.size(); i++) {
      columns.add(ColumnCodec.read(schema.type(i), rows, input));
    }
    return new Batch(rows, columns, changes, null);
  }

  private static ChangeKind @Nullable [] readChanges(int rows, ByteReader input)
      throws IOException {
    if (!input.readFlag()) {
      return null;
    }
    byte[] codes = input.readBytes(rows);
    ChangeKind[] changes = new ChangeKind[rows];
    for (int row = 0; row < rows; row++) {
      changes[row] = change(codes[row]);
    }
    return changes;
  }

  private Batch readRows(int rows, DataInputStream input) throws IOException {
    BatchBuilder builder = new BatchBuilder(schema);
    for (int row = 0; row < rows; row++) {
      ChangeKind change = change(input.readByte());
      for (int column = 0; column < schema.size(); column++) {
        builder.column(column).add(ValueCodec.read(schema.type(column), input));
      }
      builder.endRow(change);
    }
    return builder.build();
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
