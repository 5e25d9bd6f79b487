package io.sedge.bench.parts;

import io.sedge.bench.Directories;
import io.sedge.bench.Table;
import io.sedge.bench.outside.Stutter;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.SiteException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * A device of a site of equal ones loses three quarters of its speed: how long until the fullest
 * device is within 10 % of what is possible then, and with how many moves.
 *
 * <p>Its process is stopped for three quarters of the time, again and again ({@link Stutter}), as
 * in a virtual machine whose host has other work: the device is told nothing. A competitor would
 * not do: the devices share this machine, so it would slow all of them. Each shard is a job of its
 * own with made-up readings at a fixed pace, so what each device has to do is known, whatever the
 * site believes. A shard has moved once its new device has committed some of it.
 */
public final class Slowdown {
  private static final int DEVICES = 3;
  private static final int SHARDS = 12;

  /** That each device may use; all together far less than the machine has. */
  private static final double CPUS = 0.2;

  /** Of what they can do with one shard each and nothing else; with all it is more. */
  private static final double BUSY = 0.45;

  private static final double LEFT = 0.25;
  private static final double WITHIN = 1.1;
  private static final long PERIOD_NANOS = 80_000_000;

  /** More than any device can do, so that all show what they can. */
  private static final int TRIAL_RATE = 1_000_000_000;

  private static final long TRIAL_NANOS = 30_000_000_000L;

  /** A site in which nothing has moved for so long is settled: what gains little waits for 30 s. */
  private static final long SETTLED_NANOS = 35_000_000_000L;

  private static final long PATIENCE_NANOS = 180_000_000_000L;
  private static final long WATCH_NANOS = 45_000_000_000L;
  private static final long LOOK_NANOS = 50_000_000;

  private final Path sedge;
  private final Path directory;
  private final int rounds;
  private final PrintStream progress;
  private final List<Double> times = new ArrayList<>();

  /**
   * @param sedge the command
   * @param directory is made and removed
   */
  public Slowdown(Path sedge, Path directory, int rounds, PrintStream progress) {
    this.sedge = sedge.toAbsolutePath();
    this.directory = directory.toAbsolutePath();
    this.rounds = rounds;
    this.progress = progress;
  }

  /** Measures, and prints a table. */
  public void run(PrintStream out) throws IOException {
    Directories.remove(directory);
    Files.createDirectories(directory);
    try (ThrottledSite site =
        new ThrottledSite(sedge, directory, Collections.nCopies(DEVICES, CPUS))) {
      begin(site);
      Table table =
          new Table(
              "round",
              "device",
              "busy before, %",
              "its shards before",
              "after",
              "ideal",
              "within 10 % of the ideal after, s",
              "shards moved",
              "needed");
      for (int round = 1; round <= rounds; round++) {
        measure(site, round, table);
      }
      out.println(table);
    } catch (SiteException e) {
      throw new IOException(e);
    } finally {
      Directories.remove(directory);
    }
    out.printf(
        Locale.ROOT,
        "Within 10 %% of the new ideal after %s s (median of %d), %s s at most.%n%n",
        seconds(Rounds.median(times)),
        rounds,
        seconds(Collections.max(times)));
  }

  private static String seconds(double seconds) {
    return Double.isInfinite(seconds)
        ? "over %d".formatted(WATCH_NANOS / 1_000_000_000)
        : Table.number(seconds);
  }

  /** Learns what the devices can do, and gives them a part of it to do. */
  private void begin(ThrottledSite site) throws IOException, SiteException {
    submit(site, "trial", DEVICES, TRIAL_RATE);
    LockSupport.parkNanos(TRIAL_NANOS);
    try (DeviceConnection connection = site.connect(0)) {
      double speed = connection.status().devices().stream().mapToDouble(DeviceStatus::speed).sum();
      for (int i = 0; i < DEVICES; i++) {
        connection.stop(job("trial", i));
      }
      long rate = Math.round(speed * BUSY / SHARDS);
      progress.printf(Locale.ROOT, "%,.0f readings/s are possible; a shard has %,d%n", speed, rate);
      submit(site, "shard", SHARDS, rate);
    }
  }

  private void measure(ThrottledSite site, int round, Table table)
      throws IOException, SiteException {
    int slow = round % DEVICES;
    try (DeviceConnection observer = site.connect((slow + 1) % DEVICES)) {
      ShardPlaces places = new ShardPlaces("shard", DEVICES);
      settle(observer, places);
      double busy = busy(observer);
      int[] before = places.counts();
      progress.printf(
          Locale.ROOT,
          "round %d: %s, of %s; %s slows%n",
          round,
          Arrays.toString(before),
          speeds(observer),
          ThrottledSite.name(slow));
      int moved = places.moves();
      double time;
      try (Stutter _ = new Stutter(site.pid(slow), PERIOD_NANOS, LEFT)) {
        time = watch(observer, places, slow);
      }
      times.add(time);
      int[] ideal = ideal(slow);
      table.row(
          Integer.toString(round),
          Integer.toString(slow + 1),
          Table.number(busy * 100),
          Integer.toString(before[slow]),
          Integer.toString(places.counts()[slow]),
          Integer.toString(ideal[slow]),
          seconds(time),
          Integer.toString(places.moves() - moved),
          Integer.toString(before[slow] - ideal[slow]));
    }
  }

  private static void settle(DeviceConnection observer, ShardPlaces places)
      throws IOException, SiteException {
    long begin = System.nanoTime();
    long moved = begin;
    while (System.nanoTime() - moved < SETTLED_NANOS || places.working() < SHARDS) {
      if (places.update(observer.status().tasks())) {
        moved = System.nanoTime();
      }
      if (System.nanoTime() - begin > PATIENCE_NANOS) {
        throw new IOException(
            "%d of %d shards run, and places change: %s; %s"
                .formatted(
                    places.working(),
                    SHARDS,
                    Arrays.toString(places.counts()),
                    observer.status().devices()));
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private static String speeds(DeviceConnection observer) throws SiteException {
    return observer.status().devices().stream()
        .map(device -> "%,.0f/%,.0f".formatted(device.load(), device.speed()))
        .collect(Collectors.joining(" "));
  }

  private static double busy(DeviceConnection observer) throws SiteException {
    return observer.status().devices().stream()
        .mapToDouble(DeviceStatus::busy)
        .average()
        .orElseThrow();
  }

  /**
   * Watches the places.
   *
   * @return seconds until the fullest device was within a tenth of the ideal, for good; infinite if
   *     that was not seen
   */
  private double watch(DeviceConnection observer, ShardPlaces places, int slow)
      throws SiteException {
    double most = WITHIN * fullest(ideal(slow), slow);
    double within = Double.POSITIVE_INFINITY;
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < WATCH_NANOS) {
      boolean changed = places.update(observer.status().tasks());
      double elapsed = (System.nanoTime() - begin) / 1e9;
      if (fullest(places.counts(), slow) > most) {
        within = Double.POSITIVE_INFINITY;
      } else if (places.working() == SHARDS) {
        within = Math.min(within, elapsed);
      }
      if (changed) {
        progress.printf(
            Locale.ROOT,
            "  %.2f s: %s, %d at work; %s%n",
            elapsed,
            Arrays.toString(places.counts()),
            places.working(),
            speeds(observer));
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return within;
  }

  /** How many shards each device has when the fullest is least full. */
  private static int[] ideal(int slow) {
    int[] counts = new int[DEVICES];
    for (int shard = 0; shard < SHARDS; shard++) {
      int best = 0;
      for (int i = 1; i < DEVICES; i++) {
        best = withOneMore(counts, i, slow) < withOneMore(counts, best, slow) ? i : best;
      }
      counts[best]++;
    }
    return counts;
  }

  private static double withOneMore(int[] counts, int device, int slow) {
    return (counts[device] + 1) / speed(device, slow);
  }

  /** Shards over speed, in shards of a device at its full speed. */
  private static double fullest(int[] counts, int slow) {
    double most = 0;
    for (int i = 0; i < counts.length; i++) {
      most = Math.max(most, counts[i] / speed(i, slow));
    }
    return most;
  }

  private static double speed(int device, int slow) {
    return device == slow ? LEFT : 1;
  }

  private static String job(String name, int number) {
    return "%s-%02d".formatted(name, number);
  }

  private static void submit(ThrottledSite site, String name, int count, long rate)
      throws SiteException {
    for (int i = 0; i < count; i++) {
      site.submit(
          job(name, i),
          """
          CREATE TABLE readings (sensor BIGINT, v DOUBLE) WITH (
            'connector' = 'datagen', 'rows-per-second' = '%d',
            'fields.v.min' = '0', 'fields.v.max' = '100'
          );
          CREATE TABLE peaks (sensor BIGINT, peak DOUBLE) WITH ('connector' = 'blackhole');
          INSERT INTO peaks SELECT sensor, v FROM readings
            WHERE EXP(SIN(v)) + EXP(SIN(2 * v)) + EXP(SIN(3 * v)) + EXP(SIN(5 * v)) > 11;
          """
              .formatted(rate));
    }
  }
}
