package io.sedge.connector.courier;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Outage;
import io.sedge.connector.testkit.TestContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is said where a courier ends. */
final class CourierTest {
  private record Row(long last) implements Shipment {
    @Override
    public int size() {
      return 1;
    }

    @Override
    public long payloadBytes() {
      return 1;
    }

    @Override
    public long bytes() {
      return 1;
    }
  }

  /** A far end that answers nothing; whoever waits for it fails once that is broken off. */
  private static final class Silent implements Carrier<Row> {
    private final CountDownLatch sending = new CountDownLatch(1);
    private final CompletableFuture<Void> broken = new CompletableFuture<>();

    @Override
    public long found() {
      return 0;
    }

    @Override
    public void send(Row row) throws IOException {
      sending.countDown();
      broken.join();
      throw new IOException("closed");
    }

    @Override
    public void commit(long last) {}

    @Override
    public void abort() {
      broken.complete(null);
    }

    @Override
    public void close() {}
  }

  @Test
  void whatIsBrokenOffAtTheEndIsNoOutage() throws InterruptedException {
    TestContext context = new TestContext(Path.of("."));
    Silent carrier = new Silent();
    Rhythm rhythm = new Rhythm(100, 100, 1, 100, Optional.empty());
    CourierSink.Route<Row> route =
        new CourierSink.Route<>(
            "table rows: far end",
            "courier-test",
            context,
            rhythm,
            OptionalInt.empty(),
            batch -> new Row(batch.last()),
            () -> carrier,
            thrown -> Optional.of(new Trouble(thrown.toString(), false)));
    Outgoing<Row> outgoing = new Outgoing<>(rhythm, context::nanoTime, 0);
    Courier<Row> courier =
        new Courier<>(route, outgoing, new Outage("table rows: far end", context));
    courier.start();
    outgoing.add(new Row(1));
    assertThat(carrier.sending.await(20, TimeUnit.SECONDS)).isTrue();
    courier.stop();
    assertThat(context.reports()).isEmpty();
    assertThat(courier.failure()).isNull();
  }
}
