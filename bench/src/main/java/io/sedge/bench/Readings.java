package io.sedge.bench;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * The input of all contenders: reading i is of sensor {@link #sensor}, has value {@link #value} and
 * time {@link #timeMs}; 100 readings a millisecond. Sensors and values repeat every 2^17 readings,
 * times go on.
 */
public final class Readings {
  public static final int SENSORS = 1000;
  public static final int CYCLE = 1 << 17;

  /** A Monday at midnight, so windows are aligned. */
  public static final long START_MS = 1_767_571_200_000L;

  private static final int PER_MS = 100;
  private static final int TIME_DIGITS = 13;

  private final int[] sensors = new int[CYCLE];
  private final double[] values = new double[CYCLE];
  private final String[] ids = new String[SENSORS];

  public Readings() {
    SplittableRandom random = new SplittableRandom(42);
    for (int i = 0; i < SENSORS; i++) {
      ids[i] = String.format(Locale.ROOT, "plant/hall-%d/sensor-%04d", i % 7, i);
    }
    for (int i = 0; i < CYCLE; i++) {
      sensors[i] = random.nextInt(SENSORS);
      values[i] = Math.round(random.nextDouble() * 10_000) / 100.0;
    }
  }

  public int sensor(long i) {
    return sensors[(int) i & (CYCLE - 1)];
  }

  public String id(long i) {
    return ids[sensor(i)];
  }

  public String idOfSensor(int sensor) {
    return ids[sensor];
  }

  public double value(long i) {
    return values[(int) i & (CYCLE - 1)];
  }

  /** How many of the first {@code count} readings pass the filter of the workloads. */
  public long passing(long count) {
    long perCycle = passingOfCycle(CYCLE);
    return count / CYCLE * perCycle + passingOfCycle((int) (count % CYCLE));
  }

  private long passingOfCycle(int count) {
    long passing = 0;
    for (int i = 0; i < count; i++) {
      passing += values[i] >= Workload.THRESHOLD ? 1 : 0;
    }
    return passing;
  }

  public static long timeMs(long i) {
    return START_MS + i / PER_MS;
  }

  /** The first reading after i that has another time. */
  public static long nextTime(long i) {
    return (i / PER_MS + 1) * PER_MS;
  }

  /** The payloads of a cycle, with the times of the first. {@link #stamp} sets later ones. */
  public byte[][] payloads() {
    byte[][] payloads = new byte[CYCLE][];
    for (int i = 0; i < CYCLE; i++) {
      payloads[i] =
          "{\"ts\":%d,\"id\":\"%s\",\"value\":%s}"
              .formatted(timeMs(i), id(i), Double.toString(values[i]))
              .getBytes(StandardCharsets.UTF_8);
    }
    return payloads;
  }

  /** Writes the time of reading i into its payload. */
  public static void stamp(byte[] payload, long i) {
    long time = timeMs(i);
    for (int digit = "{\"ts\":".length() + TIME_DIGITS - 1; digit >= "{\"ts\":".length(); digit--) {
      payload[digit] = (byte) ('0' + time % 10);
      time /= 10;
    }
  }
}
