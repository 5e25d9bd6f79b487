package io.sedge.connector.jdbc.internal;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows to a table. Values are taken from batches on the task's thread; a {@link Courier}
 * writes them on its own. Whole batches become durable together, with a transaction.
 */
final class JdbcSink implements Sink {
  /** For so long closing waits for rows to be written. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final SinkSettings settings;
  private final Outgoing outgoing;
  private final Courier courier;
  private boolean closed;
  private long bytes;

  JdbcSink(SinkSettings settings, Outgoing outgoing, Courier courier) {
    this.settings = settings;
    this.outgoing = outgoing;
    this.courier = courier;
  }

  @Override
  public boolean offer(NumberedBatch batch) {
    throwIfFailed();
    if (!outgoing.hasRoom()) {
      return false;
    }
    Shipment shipment = shipment(batch);
    outgoing.add(shipment);
    bytes += shipment.payloadBytes();
    return true;
  }

  private Shipment shipment(NumberedBatch numbered) {
    Batch batch = numbered.batch();
    Schema schema = settings.table().schema();
    Dialect dialect = settings.database().dialect();
    List<Row> rows = new ArrayList<>(batch.rows());
    long taken = 0;
    for (int row = 0; row < batch.rows(); row++) {
      @Nullable Object[] values = new @Nullable Object[schema.size()];
      for (int column = 0; column < values.length; column++) {
        values[column] = Values.written(batch, column, row, schema.type(column), dialect);
        taken += Values.bytes(values[column]);
      }
      boolean deleted =
          switch (batch.change(row)) {
            case INSERT, UPDATE_AFTER -> false;
            case UPDATE_BEFORE, DELETE -> true;
          };
      rows.add(new Row(values, deleted));
    }
    return new Shipment(numbered.last(), rows, taken);
  }

  @Override
  public long flush() {
    throwIfFailed();
    return outgoing.flush();
  }

  private void throwIfFailed() {
    ConnectorException failure = courier.failure();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public boolean wakes() {
    return true;
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
      settings
          .context()
          .report(
              Severity.WARNING,
              "%s: %d batches of rows were not written when the table was closed"
                  .formatted(settings.subject(), outgoing.shipments()));
    }
  }
}
