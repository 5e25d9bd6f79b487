package io.sedge.bench;

import java.util.Comparator;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The program of one contender's process. A run is {@code WORKLOAD:WARMUP:TOTAL[:RATE]}; each
 * prints one line with its {@link Report}.
 *
 * <pre>
 * BenchRun CLASS RUN…            measure
 * BenchRun --rows CLASS RUN…     print all results as well, sorted
 * </pre>
 */
public final class BenchRun {
  private BenchRun() {}

  public static void main(String[] args) throws Exception {
    Logger.getLogger("").setLevel(Level.WARNING);
    boolean rows = args[0].equals("--rows");
    int first = rows ? 1 : 0;
    Class<? extends Contender> type = Class.forName(args[first]).asSubclass(Contender.class);
    Readings readings = new Readings();
    for (int i = first + 1; i < args.length; i++) {
      Contender contender = type.getConstructor().newInstance();
      System.out.println(run(contender, args[i].split(":", -1), readings, rows).line());
    }
    System.exit(0);
  }

  private static Report run(Contender contender, String[] run, Readings readings, boolean rows)
      throws Exception {
    Workload workload = Workload.valueOf(run[0]);
    long warmUp = Long.parseLong(run[1]);
    long total = Long.parseLong(run[2]);
    if (workload == Workload.W4) {
      Pace pace = new Pace(total, warmUp, Long.parseLong(run[3]));
      contender.run(readings, pace);
      return pace.report(readings);
    }
    Meter meter = new Meter(workload, readings, warmUp, total, rows);
    contender.run(workload, readings, meter);
    meter.results().stream()
        .sorted(Comparator.comparing(WindowResult::id).thenComparingLong(WindowResult::endMs))
        .forEach(result -> System.out.println("ROW " + workload + " " + result));
    return meter.report();
  }
}
