package io.sedge.bench.peers;

import io.sedge.bench.Contender;
import io.sedge.bench.Meter;
import io.sedge.bench.Readings;
import io.sedge.bench.Workload;
import java.util.HashMap;
import java.util.Map;

/**
 * What somebody would write for this one query: arrays by sensor number, slices of 10 s that
 * hopping windows add up. W3 parses with fastjson2's reader, the fastest library measured.
 */
public final class HandWrittenLoop implements Contender {
  private final Map<String, Integer> numbers = new HashMap<>();

  @Override
  public void run(Workload workload, Readings readings, Meter meter) {
    int slicesPerWindow = (int) (workload.sizeMs() / Workload.SLIDE_MS);
    Statistics[][] slices = new Statistics[slicesPerWindow][Readings.SENSORS];
    for (Statistics[] slice : slices) {
      for (int sensor = 0; sensor < slice.length; sensor++) {
        slice[sensor] = new Statistics();
      }
    }
    byte[][] payloads = workload == Workload.W3 ? readings.payloads() : new byte[0][];
    long sliceEnd = Readings.START_MS + Workload.SLIDE_MS;
    int current = 0;
    for (long i = 0; i < meter.total(); i++) {
      meter.reading(i);
      long time;
      int sensor;
      double value;
      if (workload == Workload.W3) {
        byte[] payload = payloads[(int) i & (Readings.CYCLE - 1)];
        Readings.stamp(payload, i);
        Reading parsed = PayloadParser.parse(payload);
        time = parsed.ts;
        sensor = numbers.computeIfAbsent(parsed.id, id -> numbers.size());
        value = parsed.value;
      } else {
        time = Readings.timeMs(i);
        sensor = readings.sensor(i);
        value = readings.value(i);
      }
      while (time >= sliceEnd) {
        fire(slices, meter);
        current = (current + 1) % slicesPerWindow;
        for (Statistics statistics : slices[current]) {
          statistics.clear();
        }
        sliceEnd += Workload.SLIDE_MS;
      }
      if (value >= Workload.THRESHOLD) {
        slices[current][sensor].add(value);
      }
    }
    for (int i = 0; i < slicesPerWindow; i++) {
      fire(slices, meter);
      current = (current + 1) % slicesPerWindow;
      for (Statistics statistics : slices[current]) {
        statistics.clear();
      }
    }
  }

  private static void fire(Statistics[][] slices, Meter meter) {
    for (int sensor = 0; sensor < Readings.SENSORS; sensor++) {
      Statistics window = new Statistics();
      for (Statistics[] slice : slices) {
        window.merge(slice[sensor]);
      }
      if (window.count > 0) {
        meter.result(window.count, window.deviation());
      }
    }
  }
}
