package io.sedge.connector.print;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.Feed;
import io.sedge.connector.testkit.SinkConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PrintSinkTest extends SinkConformance {
  private final TestContext context = new TestContext(Path.of(""));
  private final ByteArrayOutputStream output = new ByteArrayOutputStream();
  private final ByteArrayOutputStream error = new ByteArrayOutputStream();

  @Override
  protected ConnectorFactory connector() {
    return new PrintConnector(output, error);
  }

  @Override
  protected TableDescriptor table() {
    return Tables.table(
        Schema.builder().add("id", Type.STRING).add("value", Type.DOUBLE).build(),
        Map.of("print-identifier", "out"));
  }

  @Override
  protected TestContext context() {
    return context;
  }

  @Override
  protected Object[] row(int number) {
    return new Object[] {"pump-" + number, number / 2.0};
  }

  @Override
  protected String expected(int number) {
    return "out> +I[pump-%d, %s]".formatted(number, number / 2.0);
  }

  @Override
  protected List<String> written() {
    return output.toString(UTF_8).lines().toList();
  }

  // The lines of Flink's print connector (its Row.toString), type by type.
  @Test
  void valuesAreWrittenAsFlinkWritesThem() {
    Schema schema =
        Schema.builder()
            .add("b", Type.BOOLEAN)
            .add("m", Type.decimal(10, 2))
            .add("d", Type.DATE)
            .add("t", Type.TIME)
            .add("ts", Type.timestamp(3))
            .add("on_the_minute", Type.timestamp(3))
            .add("ltz", Type.timestampLtz(3))
            .add("a", Type.array(Type.DOUBLE))
            .add("r", Type.row(List.of("x", "y"), List.of(Type.INT, Type.STRING)))
            .add("n", Type.STRING)
            .build();
    BatchBuilder builder = new BatchBuilder(schema);
    builder.addRow(
        true,
        new BigDecimal("1.50"),
        20_454,
        3_723_004,
        1_767_229_323_004_000L,
        1_767_229_320_000_000L,
        1_767_229_323_004_000L,
        Arrays.asList(1.0, null),
        Arrays.asList(7, "x"),
        null);
    try (Feed sink =
        Feed.open(
            connector()
                .sink(Tables.table(schema, Map.of("standard-error", "true")), context)
                .orElseThrow())) {
      sink.offer(builder.build());
    }
    assertThat(output.size()).isZero();
    assertThat(error.toString(UTF_8))
        .isEqualTo(
            "+I[true, 1.50, 2026-01-01, 01:02:03.004, 2026-01-01T01:02:03.004, 2026-01-01T01:02,"
                + " 2026-01-01T01:02:03.004Z, [1.0, null], +I[7, x], null]\n");
  }

  @Test
  void anOutputThatIsClosedIsAnErrorFromOutside() {
    OutputStream broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
          }
        };
    Feed sink = Feed.open(new PrintConnector(broken, broken).sink(table(), context).orElseThrow());
    sink.offer(new BatchBuilder(table().schema()).addRow("a", 1.0).build());
    String message = "table readings: standard output cannot be written: Broken pipe";
    assertThatThrownBy(
            () -> {
              while (!sink.flush()) {
                LockSupport.parkNanos(1_000_000);
              }
            })
        .isInstanceOf(ConnectorException.class)
        .hasMessage(message);
    assertThatThrownBy(
            () -> sink.offer(new BatchBuilder(table().schema()).addRow("a", 1.0).build()))
        .hasMessage(message);
  }

  /** Whoever does not read holds up the sources, not the thread of the task. */
  @Test
  void anOutputThatNobodyReadsRefusesAfterItsBoundAndIsNotWaitedForAtTheEnd() {
    CountDownLatch reader = new CountDownLatch(1);
    OutputStream stuck =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            try {
              reader.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
          }
        };
    Feed sink = Feed.open(new PrintConnector(stuck, stuck).sink(table(), context).orElseThrow());
    int taken = 0;
    while (sink.offer(new BatchBuilder(table().schema()).addRow("x".repeat(10_000), 1.0).build())) {
      taken++;
    }
    assertThat(taken).isBetween(100, 110);
    assertThat(sink.flush()).isFalse();
    sink.close();
    assertThat(context.reports())
        .singleElement()
        .asString()
        .matches("WARNING table readings: 1,0\\d\\d,\\d+ bytes of rows are not written.*");
    reader.countDown();
  }
}
