package io.sedge.bench;

import io.sedge.bench.PlacementInstances.Kind;
import io.sedge.placement.Device;
import io.sedge.placement.Health;
import io.sedge.placement.Placement;
import io.sedge.placement.Plan;
import io.sedge.placement.Policy;
import io.sedge.placement.Site;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How good plans are and how long they take: from nothing, when nothing changes, and when a device
 * loses three quarters of its speed. Times are CPU time of the one thread that plans.
 *
 * <pre>
 * java io.sedge.bench.PlacementBenchmark [sites of each kind] [seed]
 * </pre>
 */
final class PlacementBenchmark {
  private static final int[][] SIZES = {{5, 50}, {20, 200}, {20, 800}, {50, 500}, {50, 2000}};
  private static final Policy POLICY = Policy.forStreams();

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final PrintStream out;
  private final List<Double> gaps = new ArrayList<>();
  private final List<Double> firstMs = new ArrayList<>();
  private final List<Double> againMs = new ArrayList<>();
  private final List<Double> slowMs = new ArrayList<>();
  private final List<Double> slowGaps = new ArrayList<>();
  private final List<Double> slowMoves = new ArrayList<>();
  private int unplaced;
  private int againMoves;

  private PlacementBenchmark(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) {
    int sites = args.length > 0 ? Integer.parseInt(args[0]) : 50;
    long seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
    PlacementBenchmark benchmark = new PlacementBenchmark(System.out);
    benchmark.warmUp(seed);
    System.out.printf(Locale.ROOT, "seed %d, %d sites of each kind%n%n", seed, sites);
    System.out.println(
        "| devices x shards | kind | above the bound p50 / p99 / max % | unplaced | plan ms p50 /"
            + " p99 | nothing changed: ms p50 / p99, moves of all sites | 3/4 of the fastest lost:"
            + " ms p50 / p99 | then above the bound p50 / max % | shards moved p50 of |");
    System.out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for (int[] size : SIZES) {
      for (Kind kind : Kind.values()) {
        benchmark.measure(kind, size[0], size[1], sites, seed);
      }
    }
  }

  private void warmUp(long seed) {
    PlacementInstances instances = new PlacementInstances(seed + 1);
    for (int i = 0; i < 10; i++) {
      for (Kind kind : Kind.values()) {
        one(instances.site(kind, 50, 1000));
      }
    }
    clear();
  }

  private void clear() {
    List.of(gaps, firstMs, againMs, slowMs, slowGaps, slowMoves).forEach(List::clear);
    unplaced = 0;
    againMoves = 0;
  }

  private void measure(Kind kind, int devices, int shards, int sites, long seed) {
    clear();
    PlacementInstances instances = new PlacementInstances(seed);
    for (int i = 0; i < sites; i++) {
      one(instances.site(kind, devices, shards));
    }
    out.printf(
        Locale.ROOT,
        "| %d x %d | %s | %.2f / %.2f / %.2f | %d | %.1f / %.1f | %.1f / %.1f, %d | %.1f / %.1f |"
            + " %.2f / %.2f | %.0f |%n",
        devices,
        shards,
        kind.name().toLowerCase(Locale.ROOT).replace('_', ' '),
        at(gaps, 0.5),
        at(gaps, 0.99),
        at(gaps, 1),
        unplaced,
        at(firstMs, 0.5),
        at(firstMs, 0.99),
        at(againMs, 0.5),
        at(againMs, 0.99),
        againMoves,
        at(slowMs, 0.5),
        at(slowMs, 0.99),
        at(slowGaps, 0.5),
        at(slowGaps, 1),
        at(slowMoves, 0.5));
  }

  private void one(Site site) {
    long begin = THREADS.getCurrentThreadCpuTime();
    Plan plan = Placement.plan(site, POLICY);
    firstMs.add((THREADS.getCurrentThreadCpuTime() - begin) / 1e6);
    gaps.add(100 * plan.gap());
    unplaced += plan.unplaced().size();

    Site running = site.running(plan.places());
    begin = THREADS.getCurrentThreadCpuTime();
    Plan again = Placement.plan(running, POLICY);
    againMs.add((THREADS.getCurrentThreadCpuTime() - begin) / 1e6);
    againMoves += again.moves().size();

    Site slower = running.with(slower(site.devices()));
    begin = THREADS.getCurrentThreadCpuTime();
    Plan then = Placement.plan(slower, POLICY);
    slowMs.add((THREADS.getCurrentThreadCpuTime() - begin) / 1e6);
    slowGaps.add(100 * then.gap());
    slowMoves.add((double) then.moves().size());
  }

  /** The fastest device loses three quarters. */
  private static List<Device> slower(List<Device> devices) {
    List<Device> changed = new ArrayList<>(devices);
    int fastest = 0;
    for (int d = 1; d < devices.size(); d++) {
      fastest = speed(devices.get(d)) > speed(devices.get(fastest)) ? d : fastest;
    }
    Device device = devices.get(fastest);
    changed.set(
        fastest,
        new Device(
            device.name(),
            Health.UP,
            0.25,
            1,
            device.memoryBytes(),
            device.labels(),
            device.readingsPerCpuSecond()));
    return changed;
  }

  /** Its speed for the first algorithm. */
  static double speed(Device device) {
    Double speed = device.readingsPerCpuSecond().get("a0");
    return speed == null ? 0 : speed;
  }

  private static double at(List<Double> values, double part) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted[(int) Math.min(sorted.length - 1L, Math.round(part * (sorted.length - 1)))];
  }
}
