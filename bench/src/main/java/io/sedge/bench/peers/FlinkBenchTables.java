package io.sedge.bench.peers;

import io.sedge.bench.Readings;
import io.sedge.bench.WindowResult;
import io.sedge.bench.Workload;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.sink.DataStreamSinkProvider;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.source.DataStreamScanProvider;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.LogicalType;
import org.jspecify.annotations.Nullable;

/** Flink SQL's tables: the readings in Flink's internal form, and what takes the results. */
public final class FlinkBenchTables implements DynamicTableSourceFactory, DynamicTableSinkFactory {
  @Override
  public String factoryIdentifier() {
    return "bench";
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of();
  }

  @Override
  public DynamicTableSource createDynamicTableSource(DynamicTableFactory.Context context) {
    return new Source(context.getPhysicalRowDataType().getLogicalType());
  }

  @Override
  public DynamicTableSink createDynamicTableSink(DynamicTableFactory.Context context) {
    return new Sink();
  }

  private record Source(LogicalType row) implements ScanTableSource {
    @Override
    public ChangelogMode getChangelogMode() {
      return ChangelogMode.insertOnly();
    }

    @Override
    public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
      return new DataStreamScanProvider() {
        @Override
        public DataStream<RowData> produceDataStream(
            ProviderContext provider, StreamExecutionEnvironment environment) {
          return environment
              .fromSequence(0, FlinkInput.total() - 1)
              .map(new Read())
              .returns(InternalTypeInfo.of(row));
        }

        @Override
        public boolean isBounded() {
          return false;
        }
      };
    }

    @Override
    public DynamicTableSource copy() {
      return this;
    }

    @Override
    public String asSummaryString() {
      return "bench";
    }
  }

  /** Number to reading: (id, time or number, value). */
  private static final class Read extends RichMapFunction<Long, RowData> {
    private static final long serialVersionUID = 1;

    private transient StringData @Nullable [] ids;
    private transient @Nullable PayloadParser parser;

    @Override
    public void open(OpenContext context) {
      Readings readings = FlinkInput.source();
      StringData[] known = new StringData[Readings.SENSORS];
      for (int sensor = 0; sensor < known.length; sensor++) {
        known[sensor] =
            StringData.fromBytes(readings.idOfSensor(sensor).getBytes(StandardCharsets.UTF_8));
      }
      ids = known;
      parser = new PayloadParser(FlinkInput.workload(), readings);
    }

    @Override
    public RowData map(Long i) {
      FlinkInput.next(i);
      Workload workload = FlinkInput.workload();
      if (workload.isJson()) {
        Reading reading = Objects.requireNonNull(parser).reading(i);
        return GenericRowData.of(StringData.fromString(reading.id), reading.ts, reading.value);
      }
      Readings readings = FlinkInput.source();
      StringData id = Objects.requireNonNull(ids)[readings.sensor(i)];
      Object time = workload == Workload.W4 ? i : TimestampData.fromEpochMillis(Readings.timeMs(i));
      return GenericRowData.of(id, time, readings.value(i));
    }
  }

  private record Sink() implements DynamicTableSink {
    @Override
    public ChangelogMode getChangelogMode(ChangelogMode requested) {
      return ChangelogMode.insertOnly();
    }

    @Override
    public SinkRuntimeProvider getSinkRuntimeProvider(DynamicTableSink.Context context) {
      return new DataStreamSinkProvider() {
        @Override
        public DataStreamSink<?> consumeDataStream(
            ProviderContext provider, DataStream<RowData> rows) {
          return rows.map(Sink::result).sinkTo(new DiscardingSink<>());
        }
      };
    }

    /** A row as {@link Queries#resultColumns} says. */
    private static boolean result(RowData row) {
      if (FlinkInput.workload() == Workload.W4) {
        FlinkInput.pace().result(row.getLong(1), row.getDouble(2));
        return true;
      }
      FlinkInput.meter()
          .result(
              new WindowResult(
                  row.getString(0).toString(),
                  row.getTimestamp(1, 3).getMillisecond(),
                  row.getLong(2),
                  row.getDouble(3),
                  row.getDouble(4),
                  row.getDouble(5),
                  row.getDouble(6)));
      return true;
    }

    @Override
    public DynamicTableSink copy() {
      return this;
    }

    @Override
    public String asSummaryString() {
      return "bench";
    }
  }
}
