package io.sedge.connector.history.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.tsfile.read.query.dataset.ResultSet;
import org.apache.tsfile.read.v4.ITsFileReader;
import org.apache.tsfile.read.v4.TsFileReaderBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is kept must come back equal, whatever it is: a history that alters readings is none. */
class SegmentTest {
  private static final int SCHEMAS = 25;

  @TempDir private Path directory;

  @Test
  void randomRowsOfRandomSchemasComeBackEqualInTheOrderOfTime() throws Exception {
    for (int i = 0; i < SCHEMAS; i++) {
      long seed = Long.getLong("sedge.seed", new Random().nextLong());
      try {
        writeAndRead(seed, i);
      } catch (Throwable e) {
        throw new AssertionError("-Dsedge.seed=" + seed, e);
      }
    }
  }

  private void writeAndRead(long seed, int number) throws IOException {
    Random random = new Random(seed);
    RandomRows generator = new RandomRows(random);
    Shape shape = generator.shape();
    List<Batch> batches = new ArrayList<>();
    for (int left = 1 + random.nextInt(4); left > 0; left--) {
      batches.add(generator.batch(shape.schema(), 1 + random.nextInt(12_000)));
    }
    Rows rows = rows(shape, batches);
    assertThat(rows.count()).isEqualTo(batches.stream().mapToInt(Batch::rows).sum());
    Path file = directory.resolve(number + ".tsfile");
    SegmentWriter.write(file, "Readings", rows);
    List<List<Object>> expected = objects(rows);
    assertThat(sorted(shape, batches)).isEqualTo(expected);
    List<Long> times = new ArrayList<>();
    assertThat(read(file, shape, allColumns(shape), times)).isEqualTo(expected);
    assertThat(times).isEqualTo(Arrays.stream(rows.times()).limit(rows.count()).boxed().toList());
    Files.delete(file);
  }

  /** As they came, in the order of their time: what {@link Rows} does, said in another way. */
  private static List<List<Object>> sorted(Shape shape, List<Batch> batches) {
    record Timed(long time, List<Object> row) {}
    List<Timed> timed = new ArrayList<>();
    for (int i = 0; i < batches.size(); i++) {
      for (int row = 0; row < batches.get(i).rows(); row++) {
        List<Object> values = batches.get(i).row(row);
        Object own = shape.timeColumn() < 0 ? null : values.get(shape.timeColumn());
        timed.add(new Timed(own == null ? arrivalMs(i) * 1000 : (Long) own, values));
      }
    }
    timed.sort(Comparator.comparingLong(Timed::time));
    return timed.stream().map(Timed::row).toList();
  }

  private static long arrivalMs(int batch) {
    return 1_767_225_600_000L + batch * 10_000L;
  }

  static Rows rows(Shape shape, List<Batch> batches) throws IOException {
    Rows.Builder builder = new Rows.Builder(shape);
    BatchCodec codec = new BatchCodec(shape.schema());
    for (int i = 0; i < batches.size(); i++) {
      FrameBuffer buffer = new FrameBuffer();
      buffer.putLong(arrivalMs(i));
      buffer.putInt(batches.get(i).rows());
      codec.encode(batches.get(i), buffer);
      builder.add(new Frames.Frame(Frames.ROWS, buffer.content(), 0));
    }
    return builder.build();
  }

  private static List<List<Object>> read(Path file, Shape shape, int[] columns, List<Long> times)
      throws IOException {
    List<List<Object>> all = new ArrayList<>();
    try (SegmentReader reader = new SegmentReader(file)) {
      assertThat(reader.shape()).isEqualTo(shape);
      for (int chunk = 0; chunk < reader.chunks(); chunk++) {
        Rows rows = reader.read(chunk, columns);
        assertThat(reader.notBefore(chunk)).isLessThanOrEqualTo(rows.times()[0]);
        assertThat(reader.mayHave(chunk, rows.times()[0], rows.times()[0])).isTrue();
        all.addAll(objects(rows));
        Arrays.stream(rows.times()).limit(rows.count()).forEach(times::add);
      }
    }
    return all;
  }

  private static int[] allColumns(Shape shape) {
    return IntStream.range(0, shape.schema().size()).toArray();
  }

  private static List<List<Object>> objects(Rows rows) {
    Batch batch = new Batch(rows.count(), rows.columns());
    return IntStream.range(0, rows.count()).mapToObj(batch::row).toList();
  }

  private static final Shape READINGS =
      new Shape(
          Schema.builder()
              .add("Sensor", Type.STRING)
              .add("ts", Type.timestamp(3))
              .add("value", Type.DOUBLE)
              .add("price", Type.decimal(10, 2))
              .build(),
          1);

  private Path readings(int count) throws IOException {
    BatchBuilder builder = new BatchBuilder(READINGS.schema());
    for (int i = 0; i < count; i++) {
      long micros = 1_767_225_600_000_000L + i / 2 * 1_000_000L;
      builder.addRow("s" + i % 2, micros, i % 3 == 0 ? null : i / 4.0, BigDecimal.valueOf(i, 2));
    }
    Path file = directory.resolve("readings.tsfile");
    SegmentWriter.write(file, "Readings", rows(READINGS, List.of(builder.build())));
    return file;
  }

  /** The format is an open one, so that IoTDB and Python read it: without any class of ours. */
  @Test
  void theLibrarysOwnReaderReadsASegment() throws Exception {
    Path file = readings(1000);
    List<String> rows = new ArrayList<>();
    try (ITsFileReader reader = new TsFileReaderBuilder().file(file.toFile()).build();
        ResultSet result =
            reader.query(
                "readings",
                List.of("sensor", "ts", "value", "price"),
                1_767_225_601_000_000_000L,
                1_767_225_602_999_999_999L)) {
      while (result.next()) {
        rows.add(
            "%s %d %s %d"
                .formatted(
                    result.getString("sensor"),
                    result.getLong("ts"),
                    result.isNull("value") ? null : result.getDouble("value"),
                    result.getLong("price")));
      }
    }
    assertThat(rows)
        .containsExactly(
            "s0 1767225601000000 0.5 2",
            "s1 1767225601000000 null 3",
            "s0 1767225602000000 1.0 4",
            "s1 1767225602000000 1.25 5");
  }

  @Test
  void someColumnsAreReadInTheOrderAskedForAndTheTimeStaysExact() throws Exception {
    Path file = readings(40_000);
    try (SegmentReader reader = new SegmentReader(file)) {
      assertThat(reader.chunks()).isEqualTo(3);
      Rows rows = reader.read(2, new int[] {3, 0});
      assertThat(rows.columns()).hasSize(2);
      assertThat(rows.count()).isEqualTo(40_000 - 2 * SegmentWriter.CHUNK_ROWS);
      assertThat(objects(rows).getFirst()).containsExactly(BigDecimal.valueOf(32_768, 2), "s0");
      assertThat(rows.times()[0]).isEqualTo(1_767_225_600_000_000L + 16_384 * 1_000_000L);
    }
  }

  /** Statistics, not rows, decide what is looked into: history must not be read to be skipped. */
  @Test
  void chunksOutsideAnIntervalAreSkipped() throws Exception {
    Path file = readings(40_000);
    long begin = 1_767_225_600_000_000L;
    try (SegmentReader reader = new SegmentReader(file)) {
      List<Integer> hit = new ArrayList<>();
      for (int chunk = 0; chunk < reader.chunks(); chunk++) {
        if (reader.mayHave(chunk, begin + 9_000_000_000L, begin + 10_000_000_000L)) {
          hit.add(chunk);
        }
      }
      assertThat(hit).containsExactly(1);
      assertThat(reader.mayHave(0, Long.MIN_VALUE, Long.MAX_VALUE)).isTrue();
      assertThat(reader.mayHave(0, Long.MIN_VALUE, begin - 10_000_000)).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 11, 200, 3_000})
  void aSegmentThatIsCutOffIsRefused(int bytes) throws Exception {
    Path file = readings(1000);
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(whole, Math.min(bytes, whole.length - 1)));
    assertThatThrownBy(() -> new SegmentReader(file)).isInstanceOf(IOException.class);
  }

  @Test
  void aBatchOfDamagedBytesIsRefused() throws Exception {
    FrameBuffer buffer = new FrameBuffer();
    Random random = new Random(7);
    RandomRows generator = new RandomRows(random);
    Shape shape = generator.shape();
    new BatchCodec(shape.schema()).encode(generator.batch(shape.schema(), 10), buffer);
    ByteBuffer cut = ByteBuffer.wrap(buffer.content().array(), 0, buffer.size() / 2);
    var columns =
        shape.schema().types().stream().map(io.sedge.engine.column.ColumnBuilder::of).toList();
    assertThatThrownBy(() -> new BatchCodec(shape.schema()).decode(cut, 10, columns))
        .isInstanceOf(IOException.class);
  }
}
