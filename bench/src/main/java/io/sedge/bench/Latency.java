package io.sedge.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** W4: how long results take at given rates. A quarter of the time measured warms up before. */
final class Latency {
  private static final List<Long> RATES = List.of(20_000L, 100_000L);

  private final Settings settings;
  private final ContenderProcess processes;
  private final PrintStream progress;

  Latency(Settings settings, ContenderProcess processes, PrintStream progress) {
    this.settings = settings;
    this.processes = processes;
    this.progress = progress;
  }

  void run(PrintStream out) throws IOException, InterruptedException {
    for (long rate : RATES) {
      Table table =
          new Table(
              "W4 at %,d readings/s".formatted(rate), "p50 us", "p99 us", "p99.9 us", "max us");
      for (String name : settings.contenders()) {
        List<Report> runs = new ArrayList<>();
        for (int round = 1; round <= settings.rounds(); round++) {
          progress.printf("W4 at %d/s, round %d of %d: %s%n", rate, round, settings.rounds(), name);
          long measured = rate * settings.seconds();
          String run =
              "%s:%d:%d:%d".formatted(Workload.W4, measured / 4, measured / 4 + measured, rate);
          runs.add(processes.measure(Entry.named(name), run));
        }
        table.row(
            name,
            Table.number(Report.median(runs, Report.P50)),
            Table.number(Report.median(runs, Report.P99)),
            Table.number(Report.median(runs, Report.P999)),
            Table.number(Report.median(runs, Report.MAX)));
      }
      out.println(table);
    }
  }
}
