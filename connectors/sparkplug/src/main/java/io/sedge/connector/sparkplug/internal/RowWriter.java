package io.sedge.connector.sparkplug.internal;

import io.sedge.engine.column.BatchBuilder;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload.Metric;
import org.jspecify.annotations.Nullable;

/** Makes rows of metrics. One thread. */
interface RowWriter {
  /** No column has the metric. */
  int NONE = -1;

  /**
   * What a message says of all its metrics.
   *
   * @param seq {@link Payloads#NO_SEQ} if it has none
   * @param micros its own time, or {@link Payloads#NO_TIME}
   * @param arrivalMicros when it came, by this device's clock
   */
  record Origin(NodeTopic topic, int seq, long micros, long arrivalMicros) {}

  /**
   * A metric as its birth defines it.
   *
   * @param column where {@link RowWriter#column} puts it
   */
  record Definition(String name, int datatype, int column) {}

  /** The column of a metric; {@link #NONE} if it is not wanted. */
  int column(String name);

  /**
   * Adds a value.
   *
   * @param definition of a metric that has a column
   * @param metric null if it is stale
   * @throws MalformedMetricException if there can be no row of it
   */
  void add(Origin origin, Definition definition, @Nullable Metric metric)
      throws MalformedMetricException;

  /** The message has no more. */
  void endMessage();

  /** The rows so far. */
  BatchBuilder rows();
}
