package io.sedge.cli.internal.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.ChangeKind;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The two outputs for pipes and files, aligned lines and JSON lines, and outputs that fail. */
@Timeout(60)
class LinesTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final PrintStream err =
      new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);

  @Test
  void plainLinesAreAlignedUnderOneHeader() {
    RowOutput.Query query = Rows.query(Rows.SENSORS, false);
    try (PlainLines lines = plain()) {
      lines.offer(query, new Rows(Rows.SENSORS).add(0L, "fan", 5L, 1.25).build());
      lines.offer(
          query, new Rows(Rows.SENSORS).add(60_000_000L, "cpu-temperature", 1234L, -100.0).build());
      awaitWritten(lines);
    }
    assertThat(text())
        .isEqualTo(
            """
            at                   sensor           n      mean
            -------------------  --------  --------  --------
            1970-01-01 00:00:00  fan              5      1.25
            1970-01-01 00:01:00  cpu-temperature      1234      -100
            """);
  }

  @Test
  void plainLinesOfAnUpdatingResultSayWhatTheyDo() {
    Schema schema = Schema.builder().add("n", Type.BIGINT).build();
    try (PlainLines lines = plain()) {
      lines.offer(
          Rows.query(schema, true),
          new Rows(schema)
              .add(1L)
              .change(ChangeKind.UPDATE_BEFORE, 1L)
              .change(ChangeKind.UPDATE_AFTER, 2L)
              .build());
      awaitWritten(lines);
    }
    assertThat(text())
        .isEqualTo(
            """
            op         n
            --  --------
            +I         1
            -U         1
            +U         2
            """);
  }

  @Test
  void jsonLinesAreExact() {
    Schema schema =
        Schema.builder()
            .add("s", Type.STRING)
            .add("d", Type.DOUBLE)
            .add("b", Type.BOOLEAN)
            .add("t", Type.timestamp(3))
            .add("z", Type.timestampLtz(3))
            .add("l", Type.array(Type.INT))
            .add("r", Type.row(List.of("x"), List.of(Type.STRING)))
            .build();
    try (JsonLines lines = new JsonLines(out, err, false, () -> {})) {
      lines.offer(
          Rows.query(schema, false),
          new Rows(schema)
              .add(
                  "a\"\\\n\u0001\u009bé",
                  0.1 + 0.2,
                  true,
                  1000L,
                  1000L,
                  List.of(1, 2),
                  List.of("y"))
              .add(null, Double.NaN, null, null, null, null, null)
              .build());
      awaitWritten(lines);
    }
    assertThat(text())
        .isEqualTo(
            """
            {"s":"a\\"\\\\\\n\\u0001\\u009bé","d":0.30000000000000004,"b":true,"t":"1970-01-01 00:00:00.001","z":"1970-01-01 00:00:00.001Z","l":[1,2],"r":{"x":"y"}}
            {"s":null,"d":"NaN","b":null,"t":null,"z":null,"l":null,"r":null}
            """);
  }

  @Test
  void jsonLinesNameTheQueryAndTheChangeWhereTheyMatter() {
    Schema schema = Schema.builder().add("n", Type.BIGINT).build();
    try (JsonLines lines = new JsonLines(out, err, true, () -> {})) {
      lines.offer(Rows.query(schema, true), new Rows(schema).change(ChangeKind.DELETE, 1L).build());
      awaitWritten(lines);
    }
    assertThat(text()).isEqualTo("{\"query\":\"query-1\",\"op\":\"-D\",\"n\":1}\n");
  }

  /** A reader that is slower than the job must hold the job up, not fill the memory. */
  @Test
  void anOutputThatNobodyReadsRefusesAfterItsBound() throws InterruptedException {
    CountDownLatch reader = new CountDownLatch(1);
    CountDownLatch room = new CountDownLatch(1);
    Schema schema = Schema.builder().add("s", Type.STRING).build();
    JsonLines lines = new JsonLines(new Stuck(reader), err, false, () -> {});
    lines.onRoom(room::countDown);
    int taken = 0;
    while (lines.offer(
        Rows.query(schema, false), new Rows(schema).add("x".repeat(10_000)).build())) {
      taken++;
    }
    assertThat(taken).isBetween(100, 110);
    assertThat(lines.isWritten()).isFalse();
    reader.countDown();
    assertThat(room.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(lines.isWritten()).isTrue();
    lines.close();
  }

  @Test
  void aClosedPipeEndsTheJobQuietly() throws InterruptedException {
    CountDownLatch closed = new CountDownLatch(1);
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    Schema schema = Schema.builder().add("s", Type.STRING).build();
    try (JsonLines lines = new JsonLines(broken, err, false, closed::countDown)) {
      lines.offer(Rows.query(schema, false), new Rows(schema).add("x").build());
      assertThat(closed.await(Duration.ofSeconds(10).toMillis(), TimeUnit.MILLISECONDS)).isTrue();
      assertThat(lines.offer(Rows.query(schema, false), new Rows(schema).add("x").build()))
          .isTrue();
      assertThat(lines.isWritten()).isTrue();
    }
  }

  /** Whoever redirects to a file wants all of it: a full disk is not a reader that has gone. */
  @Test
  void aFullDiskIsThrownAndNothingCountsAsWritten() {
    Schema schema = Schema.builder().add("s", Type.STRING).build();
    JsonLines lines = new JsonLines(new FullDisk(), err, false, () -> {});
    lines.offer(Rows.query(schema, false), new Rows(schema).add("x").build());
    String message =
        "standard output cannot be written: No space left on device; rows are missing there";
    assertThatThrownBy(() -> awaitWritten(lines))
        .isInstanceOf(ConnectorException.class)
        .hasMessage(message);
    assertThatThrownBy(
            () -> lines.offer(Rows.query(schema, false), new Rows(schema).add("x").build()))
        .hasMessage(message);
    assertThatThrownBy(lines::close).hasMessage(message);
  }

  @Test
  void aFullDiskIsThrownByALiveTableToo() {
    LiveTable table = liveTable(new FullDisk());
    assertThatThrownBy(
            () -> {
              while (table.isWritten()) {
                LockSupport.parkNanos(1_000_000);
              }
            })
        .isInstanceOf(ConnectorException.class)
        .hasMessageContaining("No space left on device");
    assertThatThrownBy(table::close).isInstanceOf(ConnectorException.class);
  }

  /** The end of a job must not hang on whoever does not read its output. */
  @Test
  void anOutputThatNobodyReadsIsNotWaitedForForEverAtTheEnd() {
    CountDownLatch reader = new CountDownLatch(1);
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Schema schema = Schema.builder().add("s", Type.STRING).build();
    JsonLines lines =
        new JsonLines(
            new Stuck(reader),
            new PrintStream(said, true, StandardCharsets.UTF_8),
            false,
            () -> {});
    lines.offer(Rows.query(schema, false), new Rows(schema).add("x".repeat(1_991)).build());
    lines.close();
    assertThat(said.toString(StandardCharsets.UTF_8))
        .startsWith("sedge: warning: 2,000 bytes of rows are not written");
    liveTable(new Stuck(reader)).close();
    reader.countDown();
  }

  /** A live table does not encode its rows; it only says about how long they would be. */
  @Test
  void theSizeOfABatchIsEstimatedFromSomeOfItsRows() {
    Schema schema = Schema.builder().add("s", Type.STRING).build();
    JsonEncoder encoder = new JsonEncoder(false);
    Rows rows = new Rows(schema);
    for (int i = 0; i < 1_000; i++) {
      rows.add("sensor-%04d".formatted(i));
    }
    Batch batch = rows.build();
    RowOutput.Query query = Rows.query(schema, false);
    assertThat(encoder.estimatedBytes(query, batch)).isEqualTo(encoder.encode(query, batch).length);
    assertThat(encoder.estimatedBytes(query, new Rows(schema).build())).isZero();
  }

  /** At its end an output waits for a second only. */
  private static void awaitWritten(RowOutput output) {
    while (!output.isWritten()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static LiveTable liveTable(OutputStream terminal) {
    Cells cells = new Cells(ZoneOffset.UTC);
    return new LiveTable(
        terminal,
        () -> new LiveTable.Size(80, 24),
        new Frame(cells, false),
        new StatusLine(InstantSource.system(), cells, () -> 0),
        () -> {});
  }

  private static final class FullDisk extends OutputStream {
    @Override
    public void write(int b) throws IOException {
      throw new IOException("No space left on device");
    }
  }

  /** A pipe that is not read until the latch opens. */
  private static final class Stuck extends OutputStream {
    private final CountDownLatch reader;

    Stuck(CountDownLatch reader) {
      this.reader = reader;
    }

    @Override
    public void write(int b) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        reader.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }

  private PlainLines plain() {
    return new PlainLines(out, err, new Cells(ZoneOffset.UTC), () -> {});
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8);
  }
}
