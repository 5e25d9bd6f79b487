package io.sedge.connector.sparkplug.internal;

import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import java.util.Arrays;
import java.util.Map;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload.Metric;
import org.jspecify.annotations.Nullable;

/**
 * A row for each message that has a metric of the table; columns that it has no metric of are NULL.
 * A message with several values of a metric, as edge nodes send what they have stored, has a row
 * for each of them. The time of a row is the latest of its values'.
 */
final class MessageRows implements RowWriter {
  private final Schema schema;
  private final Map<String, Integer> columns;
  private final MetadataColumns metadata;
  private final BatchBuilder rows;
  private final @Nullable Object[] values;
  private final boolean[] present;
  private @Nullable Origin begun;
  private long micros;
  private boolean isHistorical;

  /**
   * @param columns by the names of their metrics
   */
  MessageRows(Schema schema, Map<String, Integer> columns, Map<Integer, String> metadata) {
    this.schema = schema;
    this.columns = Map.copyOf(columns);
    this.metadata = new MetadataColumns(schema, metadata);
    this.rows = new BatchBuilder(schema);
    this.values = new Object[schema.size()];
    this.present = new boolean[schema.size()];
  }

  @Override
  public int column(String name) {
    return columns.getOrDefault(name, NONE);
  }

  @Override
  public void add(Origin origin, Definition definition, @Nullable Metric metric)
      throws MalformedMetricException {
    int datatype = MetricRows.datatype(definition, metric);
    int column = definition.column();
    Object value = metric == null ? null : Values.of(metric, datatype);
    @Nullable Object fitted = value == null ? null : Values.fit(value, schema.type(column));
    if (value != null && fitted == null) {
      throw new MalformedMetricException(
          "%s is a %s, which column `%s` %s cannot hold"
              .formatted(
                  Values.shown(value),
                  Values.name(datatype),
                  schema.name(column),
                  schema.type(column)));
    }
    long own =
        metric == null || !metric.hasTimestamp()
            ? Payloads.NO_TIME
            : MetricRows.time(metric.getTimestamp());
    if (present[column]) {
      endMessage();
    }
    begun = origin;
    values[column] = fitted;
    present[column] = true;
    micros = Math.max(micros, MetadataColumns.micros(origin, own));
    isHistorical |= metric != null && metric.getIsHistorical();
  }

  @Override
  public void endMessage() {
    Origin origin = begun;
    if (origin == null) {
      return;
    }
    columns.values().forEach(column -> rows.column(column).add(values[column]));
    metadata.add(
        rows,
        origin,
        new MetadataColumns.Facts("", null, Payloads.GOOD, false, isHistorical, micros));
    rows.endRow();
    begun = null;
    Arrays.fill(values, null);
    Arrays.fill(present, false);
    micros = 0;
    isHistorical = false;
  }

  @Override
  public BatchBuilder rows() {
    return rows;
  }
}
