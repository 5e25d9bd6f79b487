package io.sedge.connector.sparkplug.internal;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import io.sedge.connector.format.MalformedPayloadException;
import java.io.IOException;
import java.util.Optional;
import org.eclipse.tahu.protobuf.SparkplugBProto.DataType;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload.Metric;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload.PropertySet;

/** Reads and writes payloads (6.4). */
final class Payloads {
  static final String BD_SEQ = "bdSeq";
  static final String NODE_CONTROL = "Node Control/";
  static final int GOOD = 192;
  static final int STALE = 500;

  /** There is no sequence number. */
  static final int NO_SEQ = -1;

  /** There is no time. */
  static final long NO_TIME = Long.MIN_VALUE;

  /** The end of the year 9999. */
  private static final long LAST_MILLIS = 253_402_300_799_999L;

  /** An empty metric takes two bytes of a payload, and a hundred of memory. */
  private static final int LEAST_METRIC_BYTES = 2;

  private static final int MAX_METRICS = 65_536;

  private static final String COMPRESSED = "SPBV1.0_COMPRESSED";
  private static final int MAX_SEQ = 255;

  private Payloads() {}

  /**
   * Reads a payload. Nesting is bounded by protobuf itself, to 100.
   *
   * @throws MalformedPayloadException if it is none
   */
  static Payload parse(byte[] bytes) throws MalformedPayloadException {
    try {
      if (bytes.length > MAX_METRICS * LEAST_METRIC_BYTES) {
        checkMetrics(bytes);
      }
      Payload payload = Payload.parseFrom(bytes);
      if (payload.getUuid().equals(COMPRESSED)) {
        throw new MalformedPayloadException(
            "the payload is compressed, which cannot be read; turn that off at the edge node");
      }
      if (payload.hasSeq() && (payload.getSeq() < 0 || payload.getSeq() > MAX_SEQ)) {
        throw new MalformedPayloadException(
            "the sequence number %s is not in 0 to 255"
                .formatted(Long.toUnsignedString(payload.getSeq())));
      }
      return payload;
    } catch (InvalidProtocolBufferException e) {
      throw new MalformedPayloadException("it is no Sparkplug B payload: " + e.getMessage());
    } catch (IOException e) {
      throw new IllegalStateException("an array is read without input or output", e);
    }
  }

  private static void checkMetrics(byte[] bytes) throws IOException, MalformedPayloadException {
    CodedInputStream input = CodedInputStream.newInstance(bytes);
    int metrics = 0;
    for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == Payload.METRICS_FIELD_NUMBER
          && ++metrics > MAX_METRICS) {
        throw new MalformedPayloadException(
            "the payload has more than %d metrics".formatted(MAX_METRICS));
      }
      if (!input.skipField(tag)) {
        return;
      }
    }
  }

  static int seq(Payload payload) {
    return payload.hasSeq() ? (int) payload.getSeq() : NO_SEQ;
  }

  /** The birth and death number of a session, if there is one. */
  static Optional<Long> bdSeq(Payload payload) {
    return payload.getMetricsList().stream()
        .filter(metric -> metric.getName().equals(BD_SEQ))
        .map(metric -> metric.hasIntValue() ? metric.getIntValue() : metric.getLongValue())
        .findFirst();
  }

  /** A metric that serves the protocol and not the plant. */
  static boolean isOfProtocol(String name) {
    return name.equals(BD_SEQ) || name.startsWith(NODE_CONTROL);
  }

  /** A time in microseconds; {@link #NO_TIME} if it is not one until the year 9999. */
  static long micros(long millis) {
    return millis < 0 || millis > LAST_MILLIS ? NO_TIME : millis * 1000;
  }

  /** The quality of a value: 0 bad, 192 good, 500 stale (6.4.9); good if it is not said. */
  static int quality(Metric metric) {
    if (!metric.hasProperties()) {
      return GOOD;
    }
    PropertySet properties = metric.getProperties();
    int index = properties.getKeysList().indexOf("Quality");
    return index < 0 || index >= properties.getValuesCount()
        ? GOOD
        : properties.getValues(index).getIntValue();
  }

  /** The command that makes an edge node publish its births anew (6.4.26). */
  static byte[] rebirth(long nowMillis) {
    return Payload.newBuilder()
        .setTimestamp(nowMillis)
        .addMetrics(
            Metric.newBuilder()
                .setName(NODE_CONTROL + "Rebirth")
                .setTimestamp(nowMillis)
                .setDatatype(DataType.Boolean_VALUE)
                .setBooleanValue(true))
        .build()
        .toByteArray();
  }
}
