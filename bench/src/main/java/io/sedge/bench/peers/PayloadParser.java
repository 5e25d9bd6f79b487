package io.sedge.bench.peers;

import com.alibaba.fastjson2.JSONReader;
import io.sedge.bench.Readings;
import io.sedge.bench.Workload;
import org.jspecify.annotations.Nullable;

/** Gives row engines their readings: made, or parsed with fastjson2 for W3. One thread. */
public final class PayloadParser {
  private final Readings readings;
  private final byte @Nullable [][] payloads;

  public PayloadParser(Workload workload, Readings readings) {
    this.readings = readings;
    this.payloads = workload == Workload.W3 ? readings.payloads() : null;
  }

  public Reading reading(long i) {
    if (payloads == null) {
      return new Reading(readings.id(i), Readings.timeMs(i), readings.value(i));
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
