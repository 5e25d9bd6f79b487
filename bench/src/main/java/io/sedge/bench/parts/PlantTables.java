package io.sedge.bench.parts;

import io.sedge.bench.Table;
import io.sedge.bench.outside.ProcessUse;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The tables of {@link PlantCost}. */
final class PlantTables {
  private static final int THREADS = 16;

  private PlantTables() {}

  static String of(
      List<String> devices,
      List<PlantPhase> site,
      List<PlantPhase> runs,
      PlantCost.Plan plan,
      boolean countsWrites) {
    String text =
        String.format(
            Locale.ROOT,
            "Plant: three devices, %s broker, windows of %d s of its clock, each phase measured for"
                + " %d s after %s.%n%n",
            plan.broker(),
            plan.window(),
            plan.seconds(),
            "a minute");
    text += processes(devices, site, runs) + "\n" + together(site, runs) + "\n";
    text += threads(site);
    return countsWrites
        ? text
        : text + "\nSyncs and what is written are not counted: that takes gcc and Linux\n";
  }

  private static Table processes(
      List<String> devices, List<PlantPhase> site, List<PlantPhase> runs) {
    Table table =
        new Table(
            "phase",
            "process",
            "CPU, % of a core",
            "syncs/s",
            "written, kB/s",
            "in pages, kB/s",
            "threads woken/s",
            "resident, MB");
    for (PlantPhase phase : site) {
      for (int i = 0; i < devices.size(); i++) {
        process(table, phase.name(), "device " + devices.get(i), phase.processes().get(i));
      }
    }
    for (PlantPhase phase : runs) {
      process(table, phase.name(), "sedge run", phase.processes().getFirst());
    }
    return table;
  }

  private static void process(Table table, String phase, String process, ProcessUse use) {
    table.row(
        phase,
        process,
        Table.number(use.cpu() * 100),
        Table.number(use.syncs()),
        Table.number(use.writtenBytes() / 1e3),
        Table.number(use.writtenPageBytes() / 1e3),
        Table.number(use.wakes()),
        Table.number(use.residentBytes() / 1e6));
  }

  private static Table together(List<PlantPhase> site, List<PlantPhase> runs) {
    Table table =
        new Table(
            "phase",
            "of",
            "readings/s in rows",
            "CPU of all, % of a core",
            "times sedge run",
            "disk, kB/s",
            "log entries/s",
            "moves",
            "window to row, s: p50",
            "p99",
            "longest");
    for (PlantPhase phase : site) {
      double alone =
          runs.stream()
              .filter(run -> run.name().equals(phase.name()))
              .mapToDouble(PlantPhase::cpu)
              .findFirst()
              .orElse(Double.NaN);
      row(table, phase, "site", Table.number(phase.cpu() / alone));
    }
    runs.forEach(run -> row(table, run, "sedge run", "1"));
    return table;
  }

  private static void row(Table table, PlantPhase phase, String of, String times) {
    List<Long> delays = phase.rows().delaysNanos();
    table.row(
        phase.name(),
        of,
        Table.number(phase.readingsPerSecond()),
        Table.number(phase.cpu() * 100),
        times,
        Table.number(phase.diskBytes() / 1e3),
        Table.number(phase.entries()),
        Long.toString(phase.moves()),
        Quantiles.seconds(delays, 0.5),
        Quantiles.seconds(delays, 0.99),
        Quantiles.seconds(delays, 1));
  }

  /** Of a device on the average, those first that take most in all phases. */
  private static Table threads(List<PlantPhase> site) {
    Map<String, Double> sums = new TreeMap<>();
    site.forEach(
        phase -> mean(phase).forEach((name, share) -> sums.merge(name, share, Double::sum)));
    List<String> names =
        sums.entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .limit(THREADS)
            .map(Map.Entry::getKey)
            .toList();
    String[] header = new String[site.size() + 1];
    header[0] = "threads of a device, % of a core";
    for (int i = 0; i < site.size(); i++) {
      header[i + 1] = site.get(i).name();
    }
    Table table = new Table(header);
    for (String name : names) {
      String[] cells = new String[site.size() + 1];
      cells[0] = name;
      for (int i = 0; i < site.size(); i++) {
        cells[i + 1] = Table.number(mean(site.get(i)).getOrDefault(name, 0.0) * 100);
      }
      table.row(cells);
    }
    return table;
  }

  private static Map<String, Double> mean(PlantPhase phase) {
    Map<String, Double> mean = new TreeMap<>();
    int devices = phase.processes().size();
    for (ProcessUse use : phase.processes()) {
      use.threads().forEach((name, share) -> mean.merge(name, share / devices, Double::sum));
    }
    return mean;
  }
}
