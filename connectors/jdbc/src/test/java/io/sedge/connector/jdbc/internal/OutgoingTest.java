package io.sedge.connector.jdbc.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.connector.Options;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When rows are written, and how many of them at once. The clock stands until it is moved. */
final class OutgoingTest {
  private static final TableDescriptor TABLE =
      new TableDescriptor(
          "readings",
          Schema.builder().add("number", Type.INT).build(),
          Map.of(),
          List.of(),
          List.of(),
          Map.of("url", "jdbc:postgresql://nowhere.invalid/results", "table-name", "results"),
          "test.sql:1");

  private final TestContext context = new TestContext(Path.of("."));

  private Outgoing outgoing(int maxRows, long queueBytes) {
    Database database =
        Database.of(TABLE, Options.of(TABLE, JdbcTables.OPTIONS), context, Database.Use.WRITE);
    return new Outgoing(
        new SinkSettings(
            TABLE,
            context,
            database,
            "results",
            true,
            Duration.ofSeconds(60),
            maxRows,
            Duration.ofSeconds(1),
            OptionalInt.empty(),
            queueBytes),
        0);
  }

  private static Shipment shipment(long last, int rows) {
    return new Shipment(
        last, Collections.nCopies(rows, new Row(new @Nullable Object[] {1}, false)), 8L * rows);
  }

  private static List<Long> taken(Outgoing outgoing) throws InterruptedException {
    return outgoing.await().stream().map(Shipment::last).toList();
  }

  @Test
  void aCommitOfTheJobHasAllThatWaitsWritten() throws InterruptedException {
    Outgoing outgoing = outgoing(1_000, 1 << 20);
    outgoing.add(shipment(5, 5));
    outgoing.add(shipment(7, 2));
    assertThat(outgoing.flush()).isZero();
    assertThat(taken(outgoing)).containsExactly(5L, 7L);
    assertThat(taken(outgoing)).as("until it is known to be there").containsExactly(5L, 7L);
    outgoing.settle(7);
    assertThat(outgoing.flush()).isEqualTo(7);
    assertThat(outgoing.shipments()).isZero();
  }

  @Test
  void enoughRowsOrTimeDoSoUnasked() throws InterruptedException {
    Outgoing outgoing = outgoing(10, 1 << 20);
    outgoing.add(shipment(4, 4));
    outgoing.add(shipment(10, 6));
    assertThat(taken(outgoing)).containsExactly(4L, 10L);
    outgoing.settle(10);
    outgoing.add(shipment(11, 1));
    context.pass(1_000);
    assertThat(taken(outgoing)).containsExactly(11L);
  }

  @Test
  void aTransactionTakesWholeBatchesUpToItsBound() throws InterruptedException {
    Outgoing outgoing = outgoing(1, 1 << 30);
    for (int batch = 1; batch <= 3; batch++) {
      outgoing.add(shipment(batch * 4_096L, 4_096));
    }
    assertThat(taken(outgoing)).containsExactly(4_096L, 8_192L);
    outgoing.settle(8_192);
    assertThat(taken(outgoing)).containsExactly(12_288L);
  }

  @Test
  void aFullQueueTakesNothingMoreAndIsWritten() throws InterruptedException {
    Outgoing outgoing = outgoing(0, 1_000);
    assertThat(outgoing.hasRoom()).isTrue();
    outgoing.add(shipment(10, 10));
    assertThat(outgoing.hasRoom()).isFalse();
    assertThat(taken(outgoing)).containsExactly(10L);
    outgoing.settle(10);
    assertThat(outgoing.hasRoom()).isTrue();
  }

  @Test
  void whatWaitsAtTheEndIsWrittenAndThenNothing() throws InterruptedException {
    Outgoing outgoing = outgoing(1_000, 1 << 20);
    outgoing.add(shipment(3, 3));
    outgoing.close();
    assertThat(taken(outgoing)).containsExactly(3L);
    outgoing.settle(3);
    assertThat(taken(outgoing)).isEmpty();
  }
}
