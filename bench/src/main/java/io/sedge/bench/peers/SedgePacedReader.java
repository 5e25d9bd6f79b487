package io.sedge.bench.peers;

import io.sedge.bench.Pace;
import io.sedge.bench.Readings;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.SourceCounters;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Readings that come when they are due, on a thread of their own, as a connector's do: it wakes the
 * task up when there is something where there was nothing.
 */
final class SedgePacedReader extends SedgeReader {
  private final Readings readings;
  private final Pace pace;
  private final ConnectorContext context;
  private final BatchBuilder builder;
  private final int id;
  private final int number;
  private final int value;
  private final Thread sensors;

  /** How many have come; the sensors' thread writes it. */
  private volatile long arrived;

  /** How many have been polled; the task's thread writes it. */
  private volatile long polled;

  SedgePacedReader(Readings readings, Pace pace, Schema schema, ConnectorContext context) {
    this.readings = readings;
    this.pace = pace;
    this.context = context;
    this.builder = new BatchBuilder(schema);
    this.id = schema.indexOf("id");
    this.number = schema.indexOf("number");
    this.value = schema.indexOf("value");
    this.sensors = Thread.ofPlatform().daemon().name("bench-sensors").unstarted(this::sense);
    sensors.start();
  }

  private void sense() {
    pace.start();
    for (long i = 0; i < pace.total(); i++) {
      pace.awaitDue(i);
      arrived = i + 1;
      if (polled == i) {
        context.wakeUp();
      }
    }
  }

  @Override
  public @Nullable Batch poll(long nowNanos) {
    long from = polled;
    long to = Math.min(arrived, from + Batch.TARGET_ROWS);
    if (from == to) {
      return null;
    }
    for (long i = from; i < to; i++) {
      if (id >= 0) {
        builder.column(id).addString(readings.id(i));
      }
      builder.column(number).addLong(i);
      builder.column(value).addDouble(readings.value(i));
      builder.endRow();
    }
    polled = to;
    return builder.build();
  }

  @Override
  public boolean finished() {
    return polled == pace.total();
  }

  @Override
  public SourceCounters counters() {
    return new SourceCounters(polled, 0, 0, 0);
  }

  @Override
  public void close() {
    sensors.interrupt();
  }
}
