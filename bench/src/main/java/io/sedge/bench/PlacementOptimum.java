package io.sedge.bench;

import io.sedge.bench.PlacementInstances.Kind;
import io.sedge.placement.Placement;
import io.sedge.placement.Plan;
import io.sedge.placement.Policy;
import io.sedge.placement.Site;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/**
 * How far plans from nothing are from the optimum, on sites that are small enough for an exact
 * solver: two to five devices, two to twelve shards. Needs the profile {@code exact}, which fetches
 * the solver's native library.
 *
 * <pre>
 * java io.sedge.bench.PlacementOptimum [sites of each kind] [seed]
 * </pre>
 */
final class PlacementOptimum {
  private static final int MAX_DEVICES = 5;
  private static final int MAX_SHARDS = 12;
  private static final Policy POLICY = Policy.forStreams();

  /** Nearer than this is the optimum: the solver rounds. */
  private static final double SAME = 1 + 1e-5;

  private static final double GOAL = 1.02;

  private final List<Double> ratios = new ArrayList<>();
  private final List<Double> planMs = new ArrayList<>();
  private final List<Double> exactMs = new ArrayList<>();
  private int impossible;
  private int missed;

  private PlacementOptimum() {}

  public static void main(String[] args) {
    int sites = args.length > 0 ? Integer.parseInt(args[0]) : 200;
    long seed = args.length > 1 ? Long.parseLong(args[1]) : 1;
    PrintStream out = System.out;
    out.printf(Locale.ROOT, "seed %d, %d sites of each kind%n%n", seed, sites);
    Table table =
        new Table(
            "kind",
            "sites that can be placed",
            "of them not placed by the plan",
            "plan is the optimum, %",
            "within 2 % of it, %",
            "plan/optimum p50",
            "p99",
            "most",
            "plan ms p50",
            "most",
            "exact ms p50",
            "most");
    new PlacementOptimum().measure(Kind.ONE_ALGORITHM, sites, seed + 1); // warms up
    for (Kind kind : Kind.values()) {
      PlacementOptimum optimum = new PlacementOptimum();
      optimum.measure(kind, sites, seed);
      optimum.row(table, kind);
    }
    out.println(table);
  }

  private void measure(Kind kind, int sites, long seed) {
    PlacementInstances instances = new PlacementInstances(seed);
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < sites; i++) {
      one(
          instances.site(
              kind, random.nextInt(2, MAX_DEVICES + 1), random.nextInt(2, MAX_SHARDS + 1)));
    }
  }

  private void one(Site site) {
    long begin = System.nanoTime();
    Plan plan = Placement.plan(site, POLICY);
    long planned = System.nanoTime();
    OptionalDouble least = ExactPlacement.makespan(site);
    long solved = System.nanoTime();
    boolean placed = plan.unplaced().isEmpty();
    if (least.isEmpty()) {
      if (placed) {
        throw new IllegalStateException("a plan where the solver sees none: " + site);
      }
      impossible++;
      return;
    }
    planMs.add((planned - begin) / 1e6);
    exactMs.add((solved - planned) / 1e6);
    if (!placed) {
      missed++;
      return;
    }
    double ratio = plan.makespan() / least.getAsDouble();
    if (ratio < 2 - SAME || least.getAsDouble() < plan.lowerBound() * (2 - SAME)) {
      throw new IllegalStateException(
          "optimum %s, plan %s, bound %s of %s"
              .formatted(least, plan.makespan(), plan.lowerBound(), site));
    }
    ratios.add(ratio);
  }

  private void row(Table table, Kind kind) {
    table.row(
        kind.name().toLowerCase(Locale.ROOT).replace('_', ' '),
        "%d of %d".formatted(planMs.size(), planMs.size() + impossible),
        Integer.toString(missed),
        percentage(SAME),
        percentage(GOAL),
        ratio(0.5),
        ratio(0.99),
        ratio(1),
        Table.number(at(planMs, 0.5)),
        Table.number(at(planMs, 1)),
        Table.number(at(exactMs, 0.5)),
        Table.number(at(exactMs, 1)));
  }

  private String percentage(double limit) {
    long within = ratios.stream().filter(ratio -> ratio <= limit).count();
    return String.format(Locale.ROOT, "%.1f", 100.0 * within / ratios.size());
  }

  private String ratio(double part) {
    return String.format(Locale.ROOT, "%.4f", at(ratios, part));
  }

  private static double at(List<Double> values, double part) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted[(int) Math.round(part * (sorted.length - 1))];
  }
}
