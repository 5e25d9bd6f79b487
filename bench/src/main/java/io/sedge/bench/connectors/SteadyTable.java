package io.sedge.bench.connectors;

import io.sedge.bench.Table;
import io.sedge.bench.parts.Rounds;
import io.sedge.bench.parts.SedgeProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Contenders that read the same at the same steady rate, in turns; the first is Sedge. */
final class SteadyTable {
  private final String title;
  private final String unit;
  private final SteadyRun.Plan plan;
  private final Map<String, Contender> contenders = new LinkedHashMap<>();
  private double sedgeMicros = Double.NaN;

  /** Starts a contender's process. */
  interface Contender {
    /**
     * @param name of the process, which its log has
     */
    SedgeProcess start(String name) throws IOException;
  }

  /**
   * @param unit what is counted, one
   */
  SteadyTable(String title, String unit, SteadyRun.Plan plan) {
    this.title = title;
    this.unit = unit;
    this.plan = plan;
  }

  SteadyTable with(String name, Contender contender) {
    contenders.put(name, contender);
    return this;
  }

  /** What a value takes of Sedge; to be asked after {@link #measure}. */
  double sedgeMicros() {
    return sedgeMicros;
  }

  /** Measures all, several rounds. */
  Table measure(Programs programs, int rounds, PrintStream progress) throws IOException {
    Map<String, List<SteadyRun>> runs = new LinkedHashMap<>();
    for (int round = 1; round <= rounds; round++) {
      for (Map.Entry<String, Contender> each : contenders.entrySet()) {
        progress.printf("%s, round %d of %d: %s%n", title, round, rounds, each.getKey());
        String process = each.getKey().replace(' ', '-');
        try (SedgeProcess running = each.getValue().start(process)) {
          SteadyRun run = SteadyRun.of(running, programs.log(process), plan);
          runs.computeIfAbsent(each.getKey(), _ -> new ArrayList<>()).add(run);
        }
      }
    }
    return table(runs);
  }

  private Table table(Map<String, List<SteadyRun>> runs) {
    Table table =
        new Table(
            title,
            "% of a core",
            "CPU us/" + unit,
            unit + "s/s a core",
            "Sedge takes",
            "peak RSS MB");
    sedgeMicros = micros(runs.values().iterator().next());
    runs.forEach(
        (name, all) ->
            table.row(
                name,
                Table.number(micros(all) * plan.perSecond() / 1e4),
                Table.number(micros(all)),
                Table.number(1e6 / micros(all)),
                Table.number(sedgeMicros / micros(all)) + "x",
                Table.number(Rounds.median(all.stream().map(SteadyRun::residentMb).toList()))));
    return table;
  }

  private static double micros(List<SteadyRun> runs) {
    return Rounds.median(runs.stream().map(SteadyRun::cpuMicrosPerValue).toList());
  }
}
