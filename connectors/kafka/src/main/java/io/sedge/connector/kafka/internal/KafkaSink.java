package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Outage;
import io.sedge.connector.Sink;
import java.time.Duration;

/**
 * Writes rows to a topic. Rows are encoded on the task's thread; a {@link Courier} sends them on
 * its own. They become durable together, when {@link #flush} is called or half of the queue is
 * sent.
 */
final class KafkaSink implements Sink {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** After so long without an answer that is said. */
  private static final long STUCK_NANOS = Duration.ofSeconds(10).toNanos();

  private final String table;
  private final ConnectorContext context;
  private final RowWriter rows;
  private final Outgoing outgoing;
  private final Courier courier;
  private final Outage outage;
  private boolean stuck;
  private boolean closed;
  private long bytes;

  KafkaSink(
      String table,
      ConnectorContext context,
      RowWriter rows,
      Outgoing outgoing,
      Courier courier,
      Outage outage) {
    this.table = table;
    this.context = context;
    this.rows = rows;
    this.outgoing = outgoing;
    this.courier = courier;
    this.outage = outage;
  }

  @Override
  public boolean offer(NumberedBatch batch) {
    throwIfFailed();
    if (!outgoing.hasRoom()) {
      return false;
    }
    Shipment shipment = new Shipment(batch.last(), rows.parcels(batch.batch()));
    outgoing.add(shipment, context.nanoTime());
    shipment.parcels().forEach(parcel -> bytes += parcel.payloadBytes());
    return true;
  }

  @Override
  public long flush() {
    throwIfFailed();
    boolean isStuck = outgoing.stuckNanos(context.nanoTime()) >= STUCK_NANOS;
    if (isStuck && !stuck) {
      var _ = outage.failed("no broker has taken the rows for 10 s");
    }
    stuck = isStuck;
    return outgoing.flush();
  }

  private void throwIfFailed() {
    ConnectorException failure = courier.failure();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    courier.close(PATIENCE);
    if (outgoing.shipments() > 0 && courier.failure() == null) {
      context.report(
          Severity.WARNING,
          "table %s: %d batches of rows were not taken by Kafka when the table was closed"
              .formatted(table, outgoing.shipments()));
    }
    courier.stop();
  }
}
