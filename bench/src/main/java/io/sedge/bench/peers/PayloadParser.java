package io.sedge.bench.peers;

import com.alibaba.fastjson2.JSONReader;
import io.sedge.bench.Readings;
import io.sedge.bench.Workload;
import org.jspecify.annotations.Nullable;

/**
 * Gives row engines their readings: made, or parsed with fastjson2 for W3. For W4 the time is the
 * reading's number. One thread.
 */
public final class PayloadParser {
  private final Workload workload;
  private final Readings readings;
  private final byte @Nullable [][] payloads;

  public PayloadParser(Workload workload, Readings readings) {
    this.workload = workload;
    this.readings = readings;
    this.payloads = workload.isJson() ? readings.payloads() : null;
  }

  public Reading reading(long i) {
    if (payloads == null) {
      long time = workload == Workload.W4 ? i : Readings.timeMs(i);
      return new Reading(readings.id(i), time, readings.value(i));
    }
    byte[] payload = payloads[(int) i & (Readings.CYCLE - 1)];
    Readings.stamp(payload, i);
    return parse(payload);
  }

  public static Reading parse(byte[] payload) {
    Reading reading = new Reading();
    try (JSONReader json = JSONReader.of(payload)) {
      json.nextIfObjectStart();
      while (!json.nextIfObjectEnd()) {
        switch (json.readFieldName()) {
          case "ts" -> reading.ts = json.readInt64Value();
          case "id" -> reading.id = json.readString();
          case "value" -> reading.value = json.readDoubleValue();
          default -> json.skipValue();
        }
      }
    }
    return reading;
  }
}
