package io.sedge.connector.sparkplug.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.tahu.message.SparkplugBPayloadEncoder;
import org.eclipse.tahu.message.model.MetricDataType;
import org.eclipse.tahu.message.model.SparkplugBPayload.SparkplugBPayloadBuilder;
import org.eclipse.tahu.protobuf.SparkplugBProto.DataType;
import org.eclipse.tahu.protobuf.SparkplugBProto.Payload.Metric;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values of every type, as Tahu writes them. */
@SuppressWarnings("JavaUtilDate") // Tahu's times are of it.
final class ValuesTest {
  private static Arguments of(MetricDataType type, Object written, Object read) {
    return Arguments.of(type, written, read);
  }

  static Stream<Arguments> values() {
    return Stream.of(
        of(MetricDataType.Int8, (byte) -8, -8L),
        of(MetricDataType.Int16, (short) -16_000, -16_000L),
        of(MetricDataType.Int32, -2_000_000_000, -2_000_000_000L),
        of(MetricDataType.Int64, Long.MIN_VALUE, Long.MIN_VALUE),
        of(MetricDataType.UInt8, (short) 200, 200L),
        of(MetricDataType.UInt16, 60_000, 60_000L),
        of(MetricDataType.UInt32, 4_000_000_000L, 4_000_000_000L),
        of(
            MetricDataType.UInt64,
            new BigInteger("18446744073709551615"),
            new BigInteger("18446744073709551615")),
        of(MetricDataType.UInt64, BigInteger.TEN, 10L),
        of(MetricDataType.Float, 1.5f, 1.5f),
        of(MetricDataType.Double, 0.1, 0.1),
        of(MetricDataType.Boolean, true, true),
        of(MetricDataType.String, "läuft", "läuft"),
        of(MetricDataType.Text, "läuft", "läuft"),
        of(MetricDataType.UUID, "0c2e1c1e", "0c2e1c1e"),
        of(MetricDataType.DateTime, new Date(1_234L), Instant.ofEpochMilli(1_234)),
        of(MetricDataType.Bytes, new byte[] {1, 2}, ByteString.copyFrom(new byte[] {1, 2})),
        of(MetricDataType.Int8Array, new Byte[] {1, -1}, List.of(1L, -1L)),
        of(MetricDataType.Int16Array, new Short[] {300, -1}, List.of(300L, -1L)),
        of(MetricDataType.Int32Array, new Integer[] {70_000, -1}, List.of(70_000L, -1L)),
        of(MetricDataType.Int64Array, new Long[] {1L << 40, -1L}, List.of(1L << 40, -1L)),
        of(MetricDataType.UInt8Array, new Short[] {200, 1}, List.of(200L, 1L)),
        of(MetricDataType.UInt16Array, new Integer[] {60_000, 1}, List.of(60_000L, 1L)),
        of(MetricDataType.UInt32Array, new Long[] {4_000_000_000L}, List.of(4_000_000_000L)),
        of(
            MetricDataType.UInt64Array,
            new BigInteger[] {BigInteger.ONE, BigInteger.TWO.pow(63)},
            List.of(1L, BigInteger.TWO.pow(63))),
        of(MetricDataType.FloatArray, new Float[] {1.5f, -2f}, List.of(1.5f, -2f)),
        of(MetricDataType.DoubleArray, new Double[] {0.1, -2.0}, List.of(0.1, -2.0)),
        of(
            MetricDataType.BooleanArray,
            new Boolean[] {true, false, false, true, true, false, true, false, true},
            List.of(true, false, false, true, true, false, true, false, true)),
        of(MetricDataType.StringArray, new String[] {"a", "", "bé"}, List.of("a", "", "bé")),
        of(
            MetricDataType.DateTimeArray,
            new Date[] {new Date(5)},
            List.of(Instant.ofEpochMilli(5))));
  }

  @ParameterizedTest
  @MethodSource("values")
  void aValueIsWhatTahuWrote(MetricDataType type, Object written, Object read) throws Exception {
    org.eclipse.tahu.message.model.Metric metric =
        new org.eclipse.tahu.message.model.Metric.MetricBuilder("m", type, written).createMetric();
    byte[] bytes =
        new SparkplugBPayloadEncoder()
            .getBytes(
                new SparkplugBPayloadBuilder()
                    .setTimestamp(new Date())
                    .addMetric(metric)
                    .createPayload(),
                false);
    Metric parsed = Payloads.parse(bytes).getMetrics(0);
    Object value = Values.of(parsed, parsed.getDatatype());
    assertThat(value).isEqualTo(read);
    assertThat(Values.fit(java.util.Objects.requireNonNull(value), Type.STRING)).isNotNull();
  }

  @Test
  void everyTypeOfSparkplugIsReadOrRefused() {
    List<String> read = new ArrayList<>();
    values().forEach(arguments -> read.add(arguments.get()[0].toString()));
    for (DataType type : DataType.values()) {
      boolean isRefused =
          List.of("Unknown", "DataSet", "Template", "PropertySet", "PropertySetList")
              .contains(type.name());
      if (!isRefused && type != DataType.File) {
        assertThat(read).contains(type.name());
      }
      Metric metric =
          Metric.newBuilder()
              .setDatatype(type.getNumber())
              .setExtensionValue(Metric.MetricValueExtension.getDefaultInstance())
              .build();
      assertThatExceptionOfType(MalformedMetricException.class)
          .as(type.name())
          .isThrownBy(() -> Values.of(metric, type.getNumber()));
    }
  }

  private static @Nullable Object fit(Object value, Type type) {
    return Values.fit(value, type);
  }

  @Test
  void aColumnTakesWhatItCanHoldWithoutLoss() {
    assertThat(fit(5L, Type.DOUBLE)).isEqualTo(5.0);
    assertThat(fit((1L << 53) + 1, Type.DOUBLE)).isNull();
    assertThat(fit(1.5f, Type.DOUBLE)).isEqualTo(1.5);
    assertThat(fit(0.1, Type.FLOAT)).isNull();
    assertThat(fit(128L, Type.TINYINT)).isNull();
    assertThat(fit(127L, Type.TINYINT)).isEqualTo(127L);
    assertThat(fit(1.0, Type.BIGINT)).isNull();
    assertThat(fit(true, Type.DOUBLE)).isNull();
    assertThat(fit("1", Type.DOUBLE)).isNull();
    assertThat(fit(new BigInteger("18446744073709551615"), Type.BIGINT)).isNull();
    assertThat(fit(new BigInteger("18446744073709551615"), Type.decimal(20, 0)))
        .isEqualTo(new BigDecimal("18446744073709551615"));
    assertThat(fit(Instant.ofEpochMilli(1_999), Type.timestampLtz(0))).isEqualTo(1_000_000L);
    assertThat(fit(Instant.ofEpochMilli(Long.MAX_VALUE), Type.timestampLtz(3))).isNull();
    assertThat(fit(List.of(1L, 2L), Type.array(Type.INT))).isEqualTo(List.of(1L, 2L));
    assertThat(fit(List.of(1L, 1L << 40), Type.array(Type.INT))).isNull();
    assertThat(fit(List.of(true, false), Type.STRING)).isEqualTo("[true, false]");
    assertThat(fit(ByteString.copyFrom(new byte[] {1, 2}), Type.STRING)).isEqualTo("AQI=");
    assertThat(fit("long", Type.varchar(3))).isNull();
  }
}
