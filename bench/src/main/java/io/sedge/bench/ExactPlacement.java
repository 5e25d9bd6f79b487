package io.sedge.bench;

import com.google.ortools.Loader;
import com.google.ortools.sat.BoolVar;
import com.google.ortools.sat.CpModel;
import com.google.ortools.sat.CpSolver;
import com.google.ortools.sat.CpSolverStatus;
import com.google.ortools.sat.IntVar;
import com.google.ortools.sat.LinearExpr;
import com.google.ortools.sat.LinearExprBuilder;
import com.google.ortools.sat.Literal;
import io.sedge.placement.Device;
import io.sedge.placement.Shard;
import io.sedge.placement.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The least makespan that a site can have, by OR-tools' CP-SAT solver: written apart from what it
 * is compared with. Every speed must be measured, every load be known, every device be up.
 *
 * <p>The solver counts in whole numbers: a share of the processor's time is rounded to one part in
 * ten million of what the site would take on its slowest device, and the makespan of what it finds
 * is then taken from the true figures.
 */
final class ExactPlacement {
  private static final double UNITS = 1e7;
  private static final double MAX_SECONDS = 60;

  static {
    Loader.loadNativeLibraries();
  }

  private final Site site;
  private final CpModel model = new CpModel();

  /** By shard, then by device; null where it cannot run. */
  private final BoolVar[][] places;

  private final double unit;

  private ExactPlacement(Site site) {
    this.site = site;
    this.places = new BoolVar[site.shards().size()][site.devices().size()];
    double most = 0;
    for (Shard shard : site.shards()) {
      most += site.devices().stream().mapToDouble(device -> time(shard, device)).max().orElse(0);
    }
    this.unit = most / UNITS;
  }

  /**
   * The least makespan of a site with all shards placed; empty if they cannot all be.
   *
   * @throws IllegalStateException if the solver gives up after a minute
   */
  static OptionalDouble makespan(Site site) {
    return new ExactPlacement(site).solve();
  }

  private OptionalDouble solve() {
    for (int s = 0; s < places.length; s++) {
      List<Literal> where = new ArrayList<>();
      for (int d = 0; d < places[s].length; d++) {
        if (suits(site.shards().get(s), site.devices().get(d))) {
          places[s][d] = model.newBoolVar("");
          where.add(places[s][d]);
        }
      }
      model.addExactlyOne(where);
    }
    IntVar makespan = model.newIntVar(0, (long) UNITS, "");
    for (int d = 0; d < site.devices().size(); d++) {
      model.addLessOrEqual(busy(d), makespan);
      model.addLessOrEqual(memory(d), site.devices().get(d).memoryBytes());
    }
    model.minimize(makespan);
    CpSolver solver = new CpSolver();
    solver.getParameters().setNumWorkers(1).setMaxTimeInSeconds(MAX_SECONDS);
    CpSolverStatus status = solver.solve(model);
    return switch (status) {
      case OPTIMAL -> OptionalDouble.of(makespan(solver));
      case INFEASIBLE -> OptionalDouble.empty();
      case FEASIBLE, UNKNOWN, MODEL_INVALID, UNRECOGNIZED ->
          throw new IllegalStateException("the solver ended with " + status);
    };
  }

  private LinearExprBuilder busy(int device) {
    LinearExprBuilder busy = LinearExpr.newBuilder();
    for (int s = 0; s < places.length; s++) {
      if (places[s][device] != null) {
        double time = time(site.shards().get(s), site.devices().get(device));
        busy.addTerm(places[s][device], Math.round(time / unit));
      }
    }
    return busy;
  }

  private LinearExprBuilder memory(int device) {
    LinearExprBuilder memory = LinearExpr.newBuilder();
    for (int s = 0; s < places.length; s++) {
      if (places[s][device] != null) {
        memory.addTerm(places[s][device], site.shards().get(s).memoryBytes());
      }
    }
    return memory;
  }

  private double makespan(CpSolver solver) {
    double most = 0;
    for (int d = 0; d < site.devices().size(); d++) {
      double busy = 0;
      for (int s = 0; s < places.length; s++) {
        if (places[s][d] != null && solver.booleanValue(places[s][d])) {
          busy += time(site.shards().get(s), site.devices().get(d));
        }
      }
      most = Math.max(most, busy);
    }
    return most;
  }

  private static boolean suits(Shard shard, Device device) {
    return device.labels().entrySet().containsAll(shard.requiredLabels().entrySet());
  }

  private static double time(Shard shard, Device device) {
    Double speed = device.readingsPerCpuSecond().get(shard.algorithm());
    if (speed == null) {
      throw new IllegalArgumentException(
          "%s has no speed for %s".formatted(device.name(), shard.algorithm()));
    }
    return shard.load() / (speed * device.cpuShare() * device.limitFactor());
  }
}
