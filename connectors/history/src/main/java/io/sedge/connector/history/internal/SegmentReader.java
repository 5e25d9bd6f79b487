package io.sedge.connector.history.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.state.ValueCodec;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.tsfile.block.column.Column;
import org.apache.tsfile.enums.TSDataType;
import org.apache.tsfile.file.metadata.AbstractAlignedChunkMetadata;
import org.apache.tsfile.file.metadata.ChunkMetadata;
import org.apache.tsfile.file.metadata.IChunkMetadata;
import org.apache.tsfile.file.metadata.TableSchema;
import org.apache.tsfile.read.TsFileSequenceReader;
import org.apache.tsfile.read.common.Chunk;
import org.apache.tsfile.read.common.block.TsBlock;
import org.apache.tsfile.read.reader.IPageReader;
import org.apache.tsfile.read.reader.chunk.TableChunkReader;
import org.jspecify.annotations.Nullable;

/**
 * A segment, read chunk by chunk. Opening reads its index alone, which says from when to when each
 * chunk reaches. One thread.
 */
final class SegmentReader implements AutoCloseable {
  /**
   * TsFile's times are later than the rows' by a nanosecond for each row before of equal time at
   * most; there are no more rows in a segment.
   */
  private static final long MOST_LATE_MICROS = 1L << 20;

  private final Path file;
  private final TsFileSequenceReader reader;
  private final Shape shape;
  private final List<AbstractAlignedChunkMetadata> chunks;
  private final List<String> names;

  /**
   * @throws NoSuchFileException if there is none
   * @throws IOException if it is not whole or not one of ours
   */
  SegmentReader(Path file) throws IOException {
    this.file = file;
    try {
      this.reader = new TsFileSequenceReader(file.toString());
    } catch (IOException | RuntimeException e) {
      throw failure(file, e);
    }
    try {
      Map.Entry<String, TableSchema> table =
          reader.getTableSchemaMap().entrySet().stream()
              .findFirst()
              .orElseThrow(() -> new IOException("it has no table"));
      this.shape = Layout.shape(table.getValue());
      this.names = Layout.names(shape.schema());
      this.chunks = reader.getAlignedChunkMetadata(Layout.device(table.getKey()), false);
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw failure(file, e);
    }
  }

  private static IOException failure(Path file, Exception e) {
    if (!Files.exists(file)) {
      return new NoSuchFileException(file.toString());
    }
    return new IOException(
        "%s is damaged; move it away to read the others (%s)".formatted(file, e), e);
  }

  Shape shape() {
    return shape;
  }

  int chunks() {
    return chunks.size();
  }

  /** An instant in microseconds that none of the chunk's rows is before. */
  long notBefore(int chunk) {
    long first = chunks.get(chunk).getStartTime();
    return first < SegmentWriter.FIRST_NANOS + MOST_LATE_MICROS
        ? Long.MIN_VALUE
        : Math.floorDiv(first, 1000L) - MOST_LATE_MICROS;
  }

  /** Whether a chunk may have rows of an interval, both ends included, in microseconds. */
  boolean mayHave(int chunk, long from, long to) {
    return chunks.get(chunk).getEndTime() >= SegmentWriter.nanos(from) && notBefore(chunk) <= to;
  }

  /**
   * The rows of a chunk, in the order of time.
   *
   * @param wanted those of the segment's columns that are, by position, in that order
   */
  Rows read(int chunk, int[] wanted) throws IOException {
    try {
      return readChunk(chunks.get(chunk), wanted);
    } catch (IOException | RuntimeException e) {
      throw failure(file, e);
    }
  }

  private Rows readChunk(AbstractAlignedChunkMetadata chunk, int[] wanted) throws IOException {
    Map<String, IChunkMetadata> byName =
        chunk.getValueChunkMetadataList().stream()
            .filter(column -> column != null)
            .collect(Collectors.toMap(IChunkMetadata::getMeasurementUid, column -> column));
    int[] read = withTime(wanted);
    Schema schema = schema(read);
    List<TSDataType> types = schema.types().stream().map(Layout::type).toList();
    List<@Nullable Chunk> values = new ArrayList<>();
    for (int column : read) {
      IChunkMetadata metadata = byName.get(names.get(column));
      values.add(metadata == null ? null : reader.readMemChunk((ChunkMetadata) metadata));
    }
    Chunk time = reader.readMemChunk((ChunkMetadata) chunk.getTimeChunkMetadata());
    List<ColumnBuilder> builders = schema.types().stream().map(ColumnBuilder::of).toList();
    long[] times = new long[chunk.getTimeChunkMetadata().getStatistics().getCount()];
    int count = 0;
    TableChunkReader pages = new TableChunkReader(time, values, null);
    for (IPageReader page : pages.loadPageReaderList()) {
      page.initTsBlockBuilder(types);
      TsBlock block = page.getAllSatisfiedData();
      for (int i = 0; i < builders.size(); i++) {
        add(schema.type(i), block.getColumn(i), block.getPositionCount(), builders.get(i));
      }
      for (int row = 0; row < block.getPositionCount(); row++) {
        times[count++] = arrivalMicros(block.getTimeByIndex(row));
      }
    }
    return rows(read, wanted.length, schema, count, builders, times);
  }

  /**
   * When a row came, as its journal said: in whole milliseconds, of which the nanoseconds that make
   * TsFile's time unique are no part.
   */
  private static long arrivalMicros(long nanos) {
    return Math.floorDiv(nanos, 1_000_000L) * 1000;
  }

  /**
   * The rows with their own time where they have one, which is exact, less a column read for it.
   */
  private Rows rows(
      int[] read,
      int wanted,
      Schema schema,
      int count,
      List<ColumnBuilder> builders,
      long[] times) {
    List<io.sedge.engine.column.Column> columns = new ArrayList<>();
    builders.forEach(builder -> columns.add(builder.build()));
    for (int i = 0; i < read.length; i++) {
      if (read[i] == shape.timeColumn()) {
        LongColumn own = (LongColumn) columns.get(i);
        for (int row = 0; row < count; row++) {
          times[row] = own.isNull(row) ? times[row] : own.values()[row];
        }
      }
    }
    return new Rows(new Shape(schema, -1), count, List.copyOf(columns.subList(0, wanted)), times);
  }

  /** The columns wanted and, at the end if it is not one of them, the time column. */
  private int[] withTime(int[] wanted) {
    int time = shape.timeColumn();
    return time < 0 || IntStream.of(wanted).anyMatch(column -> column == time)
        ? wanted
        : IntStream.concat(IntStream.of(wanted), IntStream.of(time)).toArray();
  }

  private Schema schema(int[] columns) {
    Schema.Builder schema = Schema.builder();
    for (int column : columns) {
      schema.add(shape.schema().name(column), shape.schema().type(column));
    }
    return schema.build();
  }

  private static void add(Type type, Column from, int rows, ColumnBuilder into) throws IOException {
    for (int row = 0; row < rows; row++) {
      if (from.isNull(row)) {
        into.addNull();
        continue;
      }
      switch (type.storage()) {
        case BOOLEAN -> into.addBoolean(from.getBoolean(row));
        case INT -> into.addInt(from.getInt(row));
        case LONG -> into.addLong(from.getLong(row));
        case FLOAT -> into.addFloat(from.getFloat(row));
        case DOUBLE -> into.addDouble(from.getDouble(row));
        case DECIMAL -> into.addDecimal(decimal(type, from, row));
        case STRING -> addString(from.getBinary(row).getValues(), into);
        case ARRAY, ROW -> into.add(value(type, from.getBinary(row).getValues()));
      }
    }
  }

  private static void addString(byte[] utf8, ColumnBuilder into) throws IOException {
    if (!into.addUtf8(utf8, 0, utf8.length)) {
      throw new IOException("a string is not UTF-8");
    }
  }

  private static BigDecimal decimal(Type type, Column from, int row) {
    return Layout.isLong(type)
        ? BigDecimal.valueOf(from.getLong(row), type.scale())
        : new BigDecimal(from.getBinary(row).getStringValue(UTF_8));
  }

  private static @Nullable Object value(Type type, byte[] bytes) throws IOException {
    return ValueCodec.read(type, new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
