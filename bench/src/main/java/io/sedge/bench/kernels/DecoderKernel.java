package io.sedge.bench.kernels;

import io.sedge.bench.Readings;
import io.sedge.bench.peers.PayloadParser;
import io.sedge.connector.format.Formats;
import io.sedge.connector.format.MalformedPayloadException;
import io.sedge.connector.format.RowDecoder;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** What a payload costs: a time, an id of 25 letters, a number. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls setUp before anything else
public class DecoderKernel {
  private byte[][] json;
  private byte[][] csv;
  private BatchBuilder builder;
  private RowDecoder jsonDecoder;
  private RowDecoder csvDecoder;
  private int next;

  @Setup
  public void setUp() {
    Readings readings = new Readings();
    json = readings.payloads();
    csv = new byte[Readings.CYCLE][];
    for (int i = 0; i < csv.length; i++) {
      csv[i] =
          "%d,%s,%s"
              .formatted(Readings.timeMs(i), readings.id(i), readings.value(i))
              .getBytes(StandardCharsets.UTF_8);
    }
    Schema schema =
        Schema.builder()
            .add("ts", Type.BIGINT)
            .add("id", Type.STRING)
            .add("value", Type.DOUBLE)
            .build();
    builder = new BatchBuilder(schema);
    jsonDecoder = decoder("json", schema);
    csvDecoder = decoder("csv", schema);
  }

  private static RowDecoder decoder(String format, Schema schema) {
    Formats formats = Formats.installed(DecoderKernel.class.getClassLoader());
    return Objects.requireNonNull(formats.byName().get(format))
        .decoder(schema, List.of(0, 1, 2), Map.of());
  }

  @Benchmark
  @OperationsPerInvocation(Batch.TARGET_ROWS)
  public Batch json() throws MalformedPayloadException {
    return decode(json, jsonDecoder);
  }

  @Benchmark
  @OperationsPerInvocation(Batch.TARGET_ROWS)
  public Batch csv() throws MalformedPayloadException {
    return decode(csv, csvDecoder);
  }

  private Batch decode(byte[][] payloads, RowDecoder decoder) throws MalformedPayloadException {
    for (int i = 0; i < Batch.TARGET_ROWS; i++) {
      byte[] payload = payloads[next++ & (Readings.CYCLE - 1)];
      decoder.decode(payload, 0, payload.length, builder);
      builder.endRow();
    }
    return builder.build();
  }

  /** For comparison: fastjson2's reader, to an object per payload. */
  @Benchmark
  @OperationsPerInvocation(Batch.TARGET_ROWS)
  public void fastjson2(Blackhole blackhole) {
    for (int i = 0; i < Batch.TARGET_ROWS; i++) {
      blackhole.consume(PayloadParser.parse(json[next++ & (Readings.CYCLE - 1)]));
    }
  }
}
