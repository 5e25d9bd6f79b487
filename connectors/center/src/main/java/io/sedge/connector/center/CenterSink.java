package io.sedge.connector.center;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.uplink.RowBlock;
import io.sedge.uplink.StreamOpening;
import java.util.List;

/**
 * Rows of a table on their way to the center. A row is taken for delivered when the center has said
 * that its database has it, and not before: rows that an earlier sink has sent are sent again, and
 * the center, which compares them with what it has, does not store them twice. What opens and sends
 * is a {@link Sender} with a thread of its own.
 */
final class CenterSink implements Sink {
  private final String table;
  private final RowsCodec codec;
  private final SinkSettings settings;
  private final ConnectorContext context;
  private final BlockQueue queue;
  private final Sender sender;
  private long taken;
  private long saidDropped;
  private boolean closed;

  CenterSink(
      TableDescriptor table,
      StreamOpening opening,
      SinkSettings settings,
      Link link,
      long recoveryPoint,
      ConnectorContext context) {
    this.table = table.name();
    this.codec = new RowsCodec(table.schema());
    this.settings = settings;
    this.context = context;
    this.taken = recoveryPoint;
    this.queue = new BlockQueue(settings.bufferBytes(), recoveryPoint);
    this.sender = new Sender(this.table, opening, settings.urgent(), link, queue, context);
  }

  @Override
  public boolean offer(NumberedBatch numbered) {
    checkFailure();
    if (numbered.batch().rows() > 0) {
      if (!queue.hasRoom() && !makesRoom()) {
        return false;
      }
      byte[] bytes = codec.encode(List.of(numbered.batch()));
      queue.add(new RowBlock(numbered.first(), numbered.batch().rows(), bytes));
    }
    taken = Math.max(taken, numbered.last());
    return true;
  }

  private boolean makesRoom() {
    if (!settings.dropsOldest()) {
      return false;
    }
    queue.dropOldest();
    long dropped = queue.droppedRows();
    if (dropped >= Math.max(1, 2 * saidDropped)) {
      saidDropped = dropped;
      context.report(
          Severity.WARNING,
          "table %s: %,d rows were dropped so far: the center is away, and 'buffer.max-size' is full"
              .formatted(table, dropped));
    }
    return queue.hasRoom();
  }

  @Override
  public long flush() {
    checkFailure();
    return queue.waitingBytes() == 0 ? taken : queue.done();
  }

  private void checkFailure() {
    ConnectorException failure = sender.failure();
    if (failure != null) {
      throw failure;
    }
  }

  /** A center may be away for days. */
  @Override
  public boolean wakes() {
    return true;
  }

  @Override
  public long bytes() {
    return sender.sentBytes();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      sender.close();
    }
  }
}
