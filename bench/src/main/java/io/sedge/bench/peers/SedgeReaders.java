package io.sedge.bench.peers;

import io.sedge.bench.Meter;
import io.sedge.bench.Readings;
import io.sedge.connector.SourceCounters;
import io.sedge.connector.format.Formats;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.Dictionary;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.engine.type.Schema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Read the workloads' readings as fast as they are taken. */
final class SedgeReaders {
  private SedgeReaders() {}

  /** What both do alike. */
  abstract static class Reader extends SedgeReader {
    private final Meter meter;
    long next;

    Reader(Meter meter) {
      this.meter = meter;
    }

    abstract Batch batch(int rows);

    @Override
    public @Nullable Batch poll(long nowNanos) {
      int rows = (int) Math.min(Batch.TARGET_ROWS, meter.total() - next);
      if (rows == 0) {
        return null;
      }
      meter.readings(next, next + rows);
      Batch batch = batch(rows);
      next += rows;
      return batch;
    }

    @Override
    public boolean finished() {
      return next == meter.total();
    }

    @Override
    public SourceCounters counters() {
      return new SourceCounters(next, 0, 0, 0);
    }
  }

  /** Readings as columns: ids and values of a cycle are cut once, times are made for each batch. */
  static final class Columns extends Reader {
    private final List<String> names;
    private final List<Column> ids = new ArrayList<>();
    private final List<Column> values = new ArrayList<>();

    Columns(Readings readings, Meter meter, Schema schema) {
      super(meter);
      names = schema.names();
      Dictionary dictionary = new Dictionary();
      for (int sensor = 0; sensor < Readings.SENSORS; sensor++) {
        dictionary.encode(readings.idOfSensor(sensor));
      }
      for (int from = 0; from < Readings.CYCLE; from += Batch.TARGET_ROWS) {
        int[] codes = new int[Batch.TARGET_ROWS];
        double[] batchValues = new double[Batch.TARGET_ROWS];
        for (int i = 0; i < Batch.TARGET_ROWS; i++) {
          codes[i] = readings.sensor(from + i);
          batchValues[i] = readings.value(from + i);
        }
        ids.add(new StringColumn(codes, dictionary, null, Batch.TARGET_ROWS));
        values.add(new DoubleColumn(batchValues, null, Batch.TARGET_ROWS));
      }
    }

    @Override
    Batch batch(int rows) {
      long[] times = new long[rows];
      int filled = 0;
      while (filled < rows) {
        int end = (int) Math.min(rows, Readings.nextTime(next + filled) - next);
        Arrays.fill(times, filled, end, Readings.timeMs(next + filled) * 1000);
        filled = end;
      }
      int cut = (int) (next / Batch.TARGET_ROWS % ids.size());
      List<Column> columns = new ArrayList<>();
      for (String name : names) {
        columns.add(
            switch (name) {
              case "id" -> first(ids.get(cut), rows);
              case "value" -> first(values.get(cut), rows);
              default -> new LongColumn(times, null, rows);
            });
      }
      return new Batch(rows, columns);
    }

    private static Column first(Column column, int rows) {
      return rows == column.size() ? column : column.slice(0, rows);
    }
  }

  /** Readings as JSON payloads. */
  static final class Payloads extends Reader {
    private final byte[][] payloads;
    private final BatchBuilder builder;
    private final RowDecoder decoder;

    Payloads(Readings readings, Meter meter, Schema schema) {
      super(meter);
      payloads = readings.payloads();
      builder = new BatchBuilder(schema);
      decoder =
          Objects.requireNonNull(
                  Formats.installed(Payloads.class.getClassLoader()).byName().get("json"))
              .decoder(schema, IntStream.range(0, schema.size()).boxed().toList(), Map.of());
    }

    @Override
    Batch batch(int rows) {
      for (int i = 0; i < rows; i++) {
        byte[] payload = payloads[(int) (next + i) & (Readings.CYCLE - 1)];
        Readings.stamp(payload, next + i);
        try {
          decoder.decode(payload, 0, payload.length, builder);
        } catch (MalformedPayloadException e) {
          throw new IllegalStateException(e);
        }
        builder.endRow();
      }
      return builder.build();
    }
  }
}
