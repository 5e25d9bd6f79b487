package io.sedge.connector.modbus.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.MalformedValueException;
import io.sedge.connector.Reports;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Makes rows of what a {@link Poller} has read.
 *
 * <p>Devices keep no past, so reading goes on from now wherever a position is; the position tells
 * when each unit gave its last row, so that the gap can be reported.
 */
final class ModbusReader implements SourceReader {
  /** So many answers may wait, in rows and in bytes, whichever is less. */
  private static final int MAX_WAITING = 4_096;

  private static final int MAX_WAITING_BYTES = 8 << 20;

  private final String table;
  private final ConnectorContext context;
  private final TableShape shape;
  private final PollSettings settings;
  private final Inbox inbox;
  private final Poller poller;
  private final BatchBuilder builder;
  private final LastRows lastRows;
  private final long timeStep;
  private long readings;
  private long bytes;
  private long malformed;

  ModbusReader(String table, ConnectorContext context, TableShape shape, PollSettings settings) {
    this.table = table;
    this.context = context;
    this.shape = shape;
    this.settings = settings;
    this.timeStep = shape.timeStepMicros();
    this.inbox = new Inbox(capacity(settings), context::wakeUp);
    this.builder = new BatchBuilder(shape.schema());
    Reports reports = new Reports(table, context);
    this.lastRows = new LastRows(settings, reports);
    reports.inform(
        "Modbus devices keep no past: what is not read is missing, and reported with its times");
    this.poller = new Poller(table, settings, inbox, reports, context::wakeUp).start();
  }

  private static int capacity(PollSettings settings) {
    int rows = Math.min(MAX_WAITING, MAX_WAITING_BYTES / settings.plan().bytes());
    return Math.max(rows, 2 * settings.mostArrivals());
  }

  @Override
  public @Nullable Batch poll(long nowNanos) {
    Throwable cause = poller.failure();
    if (cause instanceof Error error) {
      throw error;
    }
    if (cause != null) {
      throw new ConnectorException(
          ConnectorException.Kind.EXTERNAL,
          "table %s: polling has failed: %s".formatted(table, cause),
          cause);
    }
    while (!builder.isFull() && context.takesMalformed()) {
      Arrival arrival = inbox.poll();
      if (arrival == null) {
        break;
      }
      switch (arrival) {
        case Arrival.Reading reading -> add(reading);
        case Arrival.Garbled garbled -> {
          bytes += garbled.values().length;
          malformed(
              "%s, %s".formatted(settings.nameOf(garbled.device()), garbled.span()),
              garbled.values(),
              garbled.why());
        }
      }
    }
    readings += builder.rows();
    return builder.rows() == 0 ? null : builder.build();
  }

  private void add(Arrival.Reading reading) {
    byte[] values = {};
    try {
      for (int i = 0; i < reading.values().length; i++) {
        values = reading.values()[i];
        bytes += values.length;
        for (ReadPlan.Placed placed : reading.plan().reads().get(i).fields()) {
          Field field = placed.field();
          field.decode(values, placed.offset(), builder.column(field.column()));
        }
      }
    } catch (MalformedValueException e) {
      builder.discardRow();
      malformed(settings.nameOf(reading.device()), values, String.valueOf(e.getMessage()));
      return;
    }
    addMetadata(reading);
    builder.endRow();
    lastRows.gave(reading.device(), reading.micros());
  }

  private void addMetadata(Arrival.Reading reading) {
    if (shape.unit() >= 0) {
      int unit = settings.unitOf(reading.device());
      ColumnBuilder column = builder.column(shape.unit());
      if (shape.schema().type(shape.unit()).kind() == Kind.INT) {
        column.addInt(unit);
      } else {
        column.addString(Integer.toString(unit));
      }
    }
    if (shape.address() >= 0) {
      builder.column(shape.address()).addString(settings.endpointOf(reading.device()).name());
    }
    if (shape.time() >= 0) {
      builder
          .column(shape.time())
          .addLong(reading.micros() - Math.floorMod(reading.micros(), timeStep));
    }
  }

  private void malformed(String origin, byte[] payload, String reason) {
    malformed++;
    context.malformed(table, origin, payload, reason);
  }

  @Override
  public boolean finished() {
    return false;
  }

  @Override
  public byte[] position() {
    return lastRows.position().bytes();
  }

  @Override
  public void seek(byte[] position) {
    lastRows.resume(ReaderPosition.parse(position));
  }

  @Override
  public void acknowledge(byte[] position) {
    // A device keeps nothing that it could forget.
  }

  /** The task is woken when there is something. */
  @Override
  public long idlePollNanos() {
    return Long.MAX_VALUE;
  }

  @Override
  public SourceCounters counters() {
    return new SourceCounters(readings, bytes, malformed, 0);
  }

  @Override
  public void close() {
    poller.close();
  }
}
