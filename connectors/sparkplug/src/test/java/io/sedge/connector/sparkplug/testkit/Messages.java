package io.sedge.connector.sparkplug.testkit;

import org.eclipse.tahu.protobuf.SparkplugBProto.DataType;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload.Metric;

/** Payloads as edge nodes write them, and as they should not. */
public final class Messages {
  /** The time of every message, unless it says another. */
  public static final long MILLIS = 1_767_225_600_000L;

  private Messages() {}

  /** A metric of a birth, with an alias. */
  public static Metric defined(String name, long alias, double value) {
    return Metric.newBuilder()
        .setName(name)
        .setAlias(alias)
        .setTimestamp(MILLIS)
        .setDatatype(DataType.Double_VALUE)
        .setDoubleValue(value)
        .build();
  }

  /** A value as data has it: by its alias alone. */
  public static Metric value(long alias, double value) {
    return Metric.newBuilder().setAlias(alias).setTimestamp(MILLIS).setDoubleValue(value).build();
  }

  /** The number that ties a death to its birth. */
  public static Metric bdSeq(long number) {
    return Metric.newBuilder()
        .setName("bdSeq")
        .setDatatype(DataType.Int64_VALUE)
        .setLongValue(number)
        .build();
  }

  public static byte[] message(int seq, Metric... metrics) {
    return builder(metrics).setSeq(seq).build().toByteArray();
  }

  /** A death, which has no sequence number. */
  public static byte[] death(long number) {
    return builder(bdSeq(number)).build().toByteArray();
  }

  private static Payload.Builder builder(Metric... metrics) {
    Payload.Builder builder = Payload.newBuilder().setTimestamp(MILLIS);
    for (Metric metric : metrics) {
      builder.addMetrics(metric);
    }
    return builder;
  }
}
