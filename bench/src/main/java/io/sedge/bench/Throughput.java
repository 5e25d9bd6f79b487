package io.sedge.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * W1, W2 and W3: every contender in turn, several rounds. A run is laps over the readings, at least
 * two, and as many as fill {@link #LEAST_SECONDS} (shorter runs tell how many that are); the first
 * half warms up, the second is measured.
 */
final class Throughput {
  private static final double LEAST_SECONDS = 6;
  private static final int MAX_LAPS = 100;

  /** A run is long enough if no more than this many times its laps would fill the time. */
  private static final double ENOUGH = 1.3;

  private final Settings settings;
  private final ContenderProcess processes;
  private final PrintStream progress;

  Throughput(Settings settings, ContenderProcess processes, PrintStream progress) {
    this.settings = settings;
    this.processes = processes;
    this.progress = progress;
  }

  void run(PrintStream out) throws IOException, InterruptedException {
    for (String name : settings.workloads()) {
      run(Workload.valueOf(name), out);
    }
  }

  private void run(Workload workload, PrintStream out) throws IOException, InterruptedException {
    Map<String, Integer> laps = new LinkedHashMap<>();
    Map<String, List<Report>> reports = new LinkedHashMap<>();
    for (String name : settings.contenders()) {
      progress.printf("%s, how many laps: %s%n", workload, name);
      laps.put(name, laps(Entry.named(name), workload));
    }
    for (int round = 1; round <= settings.rounds(); round++) {
      for (String name : settings.contenders()) {
        progress.printf("%s, round %d of %d: %s%n", workload, round, settings.rounds(), name);
        Report report = measure(Entry.named(name), workload, laps.getOrDefault(name, 2));
        reports.computeIfAbsent(name, _ -> new ArrayList<>()).add(report);
      }
    }
    print(workload, reports, laps, out);
  }

  /** A run that was too short was cold as well, and is done again with more laps. */
  private int laps(Entry entry, Workload workload) throws IOException, InterruptedException {
    long readings = Math.max(1, settings.readings() / 4);
    Report report =
        processes.measure(entry, "%s:%d:%d".formatted(workload, readings / 2, readings));
    int laps = lapsAt(report);
    while (laps > 2 && laps < MAX_LAPS) {
      int more = lapsAt(measure(entry, workload, laps));
      if (more < laps * ENOUGH) {
        return laps;
      }
      laps = more;
    }
    return laps;
  }

  private int lapsAt(Report report) {
    double laps = LEAST_SECONDS * report.figure(Report.PER_SECOND) / settings.readings();
    return Math.clamp(Math.round(laps / 2) * 2, 2, MAX_LAPS);
  }

  private Report measure(Entry entry, Workload workload, int laps)
      throws IOException, InterruptedException {
    long total = settings.readings() * laps;
    return processes.measure(entry, "%s:%d:%d".formatted(workload, total / 2, total));
  }

  private static void print(
      Workload workload,
      Map<String, List<Report>> reports,
      Map<String, Integer> laps,
      PrintStream out) {
    Table table =
        new Table(
            workload.toString(),
            "M readings/s",
            "CPU ns/reading",
            "M readings/CPU s",
            "Sedge is",
            "RSS MB",
            "laps");
    double sedge = perCpuSecond(reports.getOrDefault(Entry.SEDGE, List.of()));
    reports.forEach(
        (name, runs) -> {
          double own = perCpuSecond(runs);
          table.row(
              name,
              Table.number(Report.median(runs, Report.PER_SECOND) / 1e6),
              Table.number(Report.median(runs, Report.CPU_NANOS)),
              Table.number(own / 1e6),
              String.format(Locale.ROOT, "%.2fx", sedge / own),
              Table.number(Report.median(runs, Report.RESIDENT_MB)),
              Integer.toString(laps.getOrDefault(name, 0)));
        });
    out.println(table);
  }

  private static double perCpuSecond(List<Report> runs) {
    return 1e9 / Report.median(runs, Report.CPU_NANOS);
  }
}
