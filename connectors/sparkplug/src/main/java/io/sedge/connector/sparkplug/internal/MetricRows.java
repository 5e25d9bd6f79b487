package io.sedge.connector.sparkplug.internal;

import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload.Metric;
import org.jspecify.annotations.Nullable;

/** A row for each value. It goes to the first column that can hold it; the others are NULL. */
final class MetricRows implements RowWriter {
  private final Schema schema;
  private final List<Integer> values;
  private final MetadataColumns metadata;
  private final Predicate<String> wanted;
  private final BatchBuilder rows;

  /**
   * @param values the columns for values
   * @param wanted which metrics have rows
   */
  MetricRows(
      Schema schema,
      List<Integer> values,
      Map<Integer, String> metadata,
      Predicate<String> wanted) {
    this.schema = schema;
    this.values = List.copyOf(values);
    this.metadata = new MetadataColumns(schema, metadata);
    this.wanted = wanted;
    this.rows = new BatchBuilder(schema);
  }

  @Override
  public int column(String name) {
    return wanted.test(name) ? values.getFirst() : NONE;
  }

  @Override
  public void add(Origin origin, Definition definition, @Nullable Metric metric)
      throws MalformedMetricException {
    int datatype = datatype(definition, metric);
    Object value = metric == null ? null : Values.of(metric, datatype);
    int chosen = NONE;
    @Nullable Object fitted = null;
    if (value == null) {
      checkNull();
    } else {
      for (int column : values) {
        fitted = Values.fit(value, schema.type(column));
        if (fitted != null) {
          chosen = column;
          break;
        }
      }
      if (chosen == NONE) {
        throw new MalformedMetricException(
            "%s is a %s, which no column can hold: %s"
                .formatted(Values.shown(value), Values.name(datatype), columns()));
      }
    }
    long own =
        metric == null || !metric.hasTimestamp() ? Payloads.NO_TIME : time(metric.getTimestamp());
    for (int column : values) {
      if (column == chosen) {
        rows.column(column).add(fitted);
      } else {
        rows.column(column).addNull();
      }
    }
    metadata.add(
        rows,
        origin,
        new MetadataColumns.Facts(
            definition.name(),
            Values.name(datatype),
            metric == null ? Payloads.STALE : Payloads.quality(metric),
            metric != null && value == null,
            metric != null && metric.getIsHistorical(),
            MetadataColumns.micros(origin, own)));
    rows.endRow();
  }

  /** What the metric itself says, else its birth. */
  static int datatype(Definition definition, @Nullable Metric metric) {
    return metric != null && metric.getDatatype() != 0
        ? metric.getDatatype()
        : definition.datatype();
  }

  /** The time of a metric in microseconds. */
  static long time(long millis) throws MalformedMetricException {
    long micros = Payloads.micros(millis);
    if (micros == Payloads.NO_TIME) {
      throw new MalformedMetricException(
          "its time, %s ms, is after the year 9999".formatted(Long.toUnsignedString(millis)));
    }
    return micros;
  }

  private void checkNull() throws MalformedMetricException {
    int column = values.getFirst();
    if (!schema.type(column).nullable()) {
      throw new MalformedMetricException(
          "it has no value, but column `%s` is NOT NULL".formatted(schema.name(column)));
    }
  }

  private String columns() {
    return String.join(
        ", ",
        values.stream()
            .map(column -> "`%s` %s".formatted(schema.name(column), schema.type(column)))
            .toList());
  }

  @Override
  public void endMessage() {}

  @Override
  public BatchBuilder rows() {
    return rows;
  }
}
