package io.sedge.connector.history.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.state.ValueCodec;
import io.sedge.engine.type.Type;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Locale;
import org.apache.tsfile.file.metadata.TableSchema;
import org.apache.tsfile.utils.Binary;
import org.apache.tsfile.write.chunk.AlignedChunkWriterImpl;
import org.apache.tsfile.write.schema.Schema;
import org.apache.tsfile.write.writer.TsFileIOWriter;
import org.jspecify.annotations.Nullable;

/** Writes rows to a TsFile of their own, as {@link Layout} says. Stateless. */
final class SegmentWriter {
  /** So many rows are looked for, decompressed and held at a time by who reads. */
  static final int CHUNK_ROWS = 16_384;

  /** Instants beyond cannot be told in nanoseconds; their rows lie at the ends. */
  private static final long LAST_NANOS = Long.MAX_VALUE - (1L << 40);

  static final long FIRST_NANOS = Long.MIN_VALUE + 1;

  private SegmentWriter() {}

  /** Writes the file and brings it to the disk. */
  static void write(Path file, String table, Rows rows) throws IOException {
    TableSchema tableSchema = Layout.tableSchema(table, rows);
    try (TsFileIOWriter writer = new TsFileIOWriter(file.toFile())) {
      Schema schema = new Schema();
      schema.registerTableSchema(tableSchema);
      writer.setSchema(schema);
      Binary[][] strings = new Binary[rows.columns().size()][];
      long lastTime = Long.MIN_VALUE;
      for (int from = 0; from < rows.count(); from += CHUNK_ROWS) {
        int to = Math.min(rows.count(), from + CHUNK_ROWS);
        writer.startChunkGroup(Layout.device(table.toLowerCase(Locale.ROOT)));
        AlignedChunkWriterImpl chunk = new AlignedChunkWriterImpl(tableSchema.getColumnSchemas());
        for (int row = from; row < to; row++) {
          lastTime = Math.max(lastTime + 1, nanos(rows.times()[row]));
          for (int column = 0; column < rows.columns().size(); column++) {
            write(chunk, lastTime, rows, row, column, strings);
          }
          chunk.write(lastTime);
        }
        chunk.writeToFileWriter(writer);
        writer.endChunkGroup();
      }
      writer.endFile();
    }
  }

  static long nanos(long micros) {
    return micros > LAST_NANOS / 1000
        ? LAST_NANOS
        : micros < FIRST_NANOS / 1000 ? FIRST_NANOS : micros * 1000;
  }

  private static void write(
      AlignedChunkWriterImpl chunk,
      long time,
      Rows rows,
      int row,
      int index,
      @Nullable Binary[][] strings)
      throws IOException {
    Column column = rows.columns().get(index);
    Type type = rows.shape().schema().type(index);
    boolean isNull = column.isNull(row);
    switch (column) {
      case BooleanColumn values -> chunk.write(time, values.values()[row], isNull, index);
      case IntColumn values -> chunk.write(time, values.values()[row], isNull, index);
      case LongColumn values -> chunk.write(time, values.values()[row], isNull, index);
      case FloatColumn values -> chunk.write(time, values.values()[row], isNull, index);
      case DoubleColumn values -> chunk.write(time, values.values()[row], isNull, index);
      case StringColumn values ->
          chunk.write(
              time,
              isNull ? Binary.EMPTY_VALUE : string(values, row, index, strings),
              isNull,
              index);
      default -> writeObject(chunk, time, type, column.value(row), index);
    }
  }

  /** The bytes of a string, made once for each that the column's dictionary has. */
  private static Binary string(
      StringColumn column, int row, int index, @Nullable Binary[][] strings) {
    Binary[] known = strings[index];
    if (known == null) {
      known = new Binary[column.dictionary().size()];
      strings[index] = known;
    }
    int code = column.codes()[row];
    Binary bytes = known[code];
    if (bytes == null) {
      bytes = new Binary(column.string(row), UTF_8);
      known[code] = bytes;
    }
    return bytes;
  }

  private static void writeObject(
      AlignedChunkWriterImpl chunk, long time, Type type, @Nullable Object value, int index)
      throws IOException {
    boolean isNull = value == null;
    if (value instanceof BigDecimal decimal) {
      BigDecimal scaled = decimal.setScale(type.scale());
      if (Layout.isLong(type)) {
        chunk.write(time, scaled.unscaledValue().longValueExact(), false, index);
      } else {
        chunk.write(time, new Binary(scaled.toPlainString(), UTF_8), false, index);
      }
    } else if (isNull
        && type.storage() == io.sedge.engine.type.Kind.Storage.DECIMAL
        && Layout.isLong(type)) {
      chunk.write(time, 0L, true, index);
    } else if (isNull) {
      chunk.write(time, Binary.EMPTY_VALUE, true, index);
    } else {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ValueCodec.write(type, value, new DataOutputStream(bytes));
      chunk.write(time, new Binary(bytes.toByteArray()), false, index);
    }
  }
}
