package io.sedge.bench.peers;

import io.sedge.bench.Contender;
import io.sedge.bench.Meter;
import io.sedge.bench.Pace;
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
  private final String[] ids = new String[Readings.SENSORS];

  @Override
  public void run(Workload workload, Readings readings, Meter meter) {
    if (workload.isJson()) {
      runJson(readings, meter);
    } else {
      runNumbers(workload, readings, meter);
    }
  }

  private void runNumbers(Workload workload, Readings readings, Meter meter) {
    Windows windows = new Windows(workload, meter);
    for (int sensor = 0; sensor < ids.length; sensor++) {
      ids[sensor] = readings.idOfSensor(sensor);
    }
    for (long i = 0; i < meter.total(); i++) {
      meter.reading(i);
      double value = readings.value(i);
      windows.advance(Readings.timeMs(i));
      if (value >= Workload.THRESHOLD) {
        windows.current[readings.sensor(i)].add(value);
      }
    }
    windows.finish();
  }

  private void runJson(Readings readings, Meter meter) {
    Windows windows = new Windows(Workload.W3, meter);
    byte[][] payloads = readings.payloads();
    for (long i = 0; i < meter.total(); i++) {
      meter.reading(i);
      byte[] payload = payloads[(int) i & (Readings.CYCLE - 1)];
      Readings.stamp(payload, i);
      Reading reading = PayloadParser.parse(payload);
      windows.advance(reading.ts);
      if (reading.value >= Workload.THRESHOLD) {
        windows.current[number(reading.id)].add(reading.value);
      }
    }
    windows.finish();
  }

  private int number(String id) {
    Integer known = numbers.get(id);
    if (known != null) {
      return known;
    }
    int number = numbers.size();
    numbers.put(id, number);
    ids[number] = id;
    return number;
  }

  @Override
  public void run(Readings readings, Pace pace) {
    pace.start();
    for (long i = 0; i < pace.total(); i++) {
      pace.awaitDue(i);
      double value = readings.value(i);
      if (value >= Workload.THRESHOLD) {
        pace.result(i, value * Workload.SCALE + Workload.SHIFT);
      }
    }
  }

  /** The slices of the open windows, in a ring. */
  private final class Windows {
    private final Statistics[][] slices;
    private final Meter meter;
    private int position;
    private long sliceEnd = Readings.START_MS + Workload.SLIDE_MS;
    private Statistics[] current;

    Windows(Workload workload, Meter meter) {
      this.meter = meter;
      this.slices = new Statistics[workload.windowsPerReading()][Readings.SENSORS];
      for (Statistics[] slice : slices) {
        for (int sensor = 0; sensor < slice.length; sensor++) {
          slice[sensor] = new Statistics();
        }
      }
      current = slices[0];
    }

    void advance(long time) {
      while (time >= sliceEnd) {
        fire();
      }
    }

    void finish() {
      for (int i = 0; i < slices.length; i++) {
        fire();
      }
    }

    private void fire() {
      for (int sensor = 0; sensor < Readings.SENSORS; sensor++) {
        Statistics window = new Statistics();
        for (Statistics[] slice : slices) {
          window.merge(slice[sensor]);
        }
        if (window.count > 0) {
          meter.result(window.result(ids[sensor], sliceEnd));
        }
      }
      position = (position + 1) % slices.length;
      current = slices[position];
      for (Statistics statistics : current) {
        statistics.clear();
      }
      sliceEnd += Workload.SLIDE_MS;
    }
  }
}
