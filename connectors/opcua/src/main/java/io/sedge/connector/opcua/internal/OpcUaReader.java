package io.sedge.connector.opcua.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.MalformedValueException;
import io.sedge.connector.Reports;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.SourceReader;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.type.Type;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.milo.opcua.stack.core.types.builtin.DataValue;
import org.eclipse.milo.opcua.stack.core.types.builtin.DateTime;
import org.jspecify.annotations.Nullable;

/**
 * Makes rows of the values that a {@link Feeder} gets. The feeder begins with the first poll, when
 * it is known where reading goes on.
 */
final class OpcUaReader implements SourceReader {
  private final String table;
  private final ConnectorContext context;
  private final TableShape shape;
  private final ReadSettings settings;
  private final Reports reports;
  private final Inbox inbox;
  private final BatchBuilder builder;
  private @Nullable Feeder feeder;
  private ReaderPosition resumed = ReaderPosition.NONE;
  private long micros = Variable.NEVER;
  private boolean closed;
  private long readings;
  private long bytes;
  private long malformed;
  private long dropped;

  OpcUaReader(String table, ConnectorContext context, TableShape shape, ReadSettings settings) {
    this.table = table;
    this.context = context;
    this.shape = shape;
    this.settings = settings;
    this.reports = new Reports(table, context);
    this.inbox = new Inbox(context::wakeUp);
    this.builder = new BatchBuilder(shape.schema());
    context.wakeUp();
  }

  @Override
  public @Nullable Batch poll(long nowNanos) {
    if (feeder == null) {
      if (closed) {
        return null;
      }
      feeder = new Feeder(table, settings, inbox, context, reports, resumed);
    }
    check(feeder.failure());
    while (!builder.isFull() && context.takesMalformed()) {
      Inbox.Change change = inbox.poll();
      if (change == null) {
        break;
      }
      add(change);
    }
    readings += builder.rows();
    return builder.rows() == 0 ? null : builder.build();
  }

  private void check(@Nullable Throwable cause) {
    ConnectorException.throwIfFailed(table, "reading", cause);
  }

  private void add(Inbox.Change change) {
    Variable variable = change.variable();
    DataValue value = change.value();
    bytes += 8L * change.weight();
    micros = change.micros();
    if (value.sourceTime() != null) {
      variable.polled = value.sourceTime().utcTime();
    }
    boolean isBad = value.statusCode().isBad();
    MonitorSettings.BadValues policy = settings.monitoring().badValues();
    if (isBad && policy == MonitorSettings.BadValues.DROP) {
      dropped++;
      return;
    }
    @Nullable Object held;
    try {
      held =
          isBad && policy == MonitorSettings.BadValues.NULL
              ? null
              : Values.of(value.value(), shape.valueType());
      if (held == null && !shape.valueType().nullable()) {
        throw new MalformedValueException(
            "it has no value (%s), but column `%s` is NOT NULL"
                .formatted(Failures.name(value.statusCode()), shape.schema().name(shape.value())));
      }
    } catch (MalformedValueException e) {
      malformed++;
      context.malformed(
          table,
          variable.id(),
          Values.shown(value.value().value()).getBytes(StandardCharsets.UTF_8),
          String.valueOf(e.getMessage()));
      return;
    }
    builder.column(shape.value()).add(held);
    shape
        .placeholders()
        .forEach(
            (name, column) -> {
              String text = variable.columns().get(name);
              if (text == null) {
                builder.column(column).addNull();
              } else {
                builder.column(column).addString(text);
              }
            });
    shape.metadata().forEach((column, key) -> addMetadata(column, key, change));
    builder.endRow();
  }

  private void addMetadata(int index, String key, Inbox.Change change) {
    ColumnBuilder column = builder.column(index);
    Type type = shape.schema().type(index);
    DataValue value = change.value();
    switch (key) {
      case OpcUaTables.NODE -> column.addString(change.variable().id());
      case OpcUaTables.BROWSE_NAME -> column.addString(change.variable().browseName());
      case OpcUaTables.STATUS -> column.addString(Failures.name(value.statusCode()));
      case OpcUaTables.STATUS_CODE -> column.addLong(value.statusCode().value() & 0xFFFFFFFFL);
      case OpcUaTables.SOURCE_TIMESTAMP -> addTime(column, type, value.sourceTime());
      case OpcUaTables.SERVER_TIMESTAMP -> addTime(column, type, value.serverTime());
      default -> column.addLong(TableShape.cut(change.micros(), type));
    }
  }

  private static void addTime(ColumnBuilder column, Type type, @Nullable DateTime time) {
    if (time == null || time.isNull()) {
      column.addNull();
    } else {
      column.addLong(TableShape.cut(Values.micros(time), type));
    }
  }

  @Override
  public boolean finished() {
    return false;
  }

  @Override
  public byte[] position() {
    if (feeder == null || feeder.variables().isEmpty()) {
      return resumed.bytes();
    }
    Map<Long, Long> sources = new HashMap<>();
    long others = Variable.NEVER;
    for (Variable variable : feeder.variables()) {
      if (variable.polled == Variable.NEVER) {
        continue;
      }
      if (sources.size() < ReaderPosition.MAX_NODES) {
        sources.put(variable.hash(), variable.polled);
      } else if (others == Variable.NEVER || variable.polled <= others) {
        others = variable.polled - 1;
      }
    }
    return new ReaderPosition(micros, feeder.gapMicros(), others, sources).bytes();
  }

  @Override
  public void seek(byte[] bytesOfPosition) {
    resumed = ReaderPosition.parse(bytesOfPosition);
    micros = resumed.micros();
  }

  @Override
  public void acknowledge(byte[] bytesOfPosition) {
    // What the server has sent is acknowledged when it is taken.
  }

  /** The task is woken when there is something. */
  @Override
  public long idlePollNanos() {
    return Long.MAX_VALUE;
  }

  @Override
  public SourceCounters counters() {
    return new SourceCounters(readings, bytes, malformed, dropped);
  }

  @Override
  public void close() {
    closed = true;
    if (feeder != null) {
      feeder.close();
    }
  }
}
