package io.sedge.bench.parts;

import io.sedge.bench.Directories;
import io.sedge.bench.outside.Disk;
import io.sedge.bench.outside.Metrics;
import io.sedge.bench.outside.ProcessReading;
import io.sedge.bench.outside.ProcessUse;
import io.sedge.bench.outside.WriteCounter;
import io.sedge.ledger.JobState;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.SiteException;
import io.sedge.sql.ScriptVariables;
import io.sedge.sql.SqlException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * What a site takes at the rate of a plant: README's site of three with {@code examples/site.sql}
 * and the simulated plant, without a job, with the job and no readings, at 260 readings a second
 * and at 26,000; and {@code sedge run} of the same script beside the same plant. Everything is
 * measured from outside, see {@link io.sedge.bench.outside}; entries of the log and moves are what
 * the devices count, who are asked before and after.
 */
public final class PlantCost {
  private static final String IDLE = "idle";
  private static final String SILENT = "silent";

  /** What can be measured: without a job, with one that gets nothing, and readings a second. */
  public static final List<String> PHASES = List.of(IDLE, SILENT, "260", "26000");

  /** Seconds of the windows that {@code examples/site.sql} has. */
  public static final int EXAMPLE_WINDOW = 5;

  private static final List<String> DEVICES = List.of("a", "b", "c");

  /** Of the plant, ten times as fast as real time, as in README's tour. */
  private static final int SPEED = 10;

  private static final int SENSORS = 26;

  /** The compiler has most of its work behind it then; the goals count from the first minute on. */
  private static final long WARM_UP_NANOS = 60_000_000_000L;

  private final Path sedge;
  private final Path example;
  private final Path directory;
  private final Plan plan;
  private final PrintStream progress;

  /**
   * What is to be measured.
   *
   * @param phases of {@link #PHASES}
   * @param broker of {@link MeasuredBroker#KINDS}
   * @param window seconds of the plant's clock that the window of a machine has
   * @param seconds for which each phase is measured
   */
  public record Plan(List<String> phases, String broker, int window, int seconds) {
    public Plan {
      phases = List.copyOf(phases);
    }
  }

  /**
   * @param project where {@code sedge} and the examples are
   * @param directory is made and removed
   */
  public PlantCost(Path project, Path directory, Plan plan, PrintStream progress) {
    this.sedge = project.resolve("sedge").toAbsolutePath();
    this.example = project.resolve("examples/site.sql");
    this.directory = directory.toAbsolutePath();
    this.plan = plan;
    this.progress = progress;
  }

  /** Measures, and prints tables. */
  public void run(PrintStream out) throws IOException {
    Directories.remove(directory);
    Files.createDirectories(directory);
    try {
      WriteCounter writes = WriteCounter.in(directory.resolve("writes"));
      List<PlantPhase> runs = new ArrayList<>();
      List<PlantPhase> site = new ArrayList<>();
      try (MeasuredBroker broker = MeasuredBroker.start(plan.broker(), sedge, directory)) {
        String script = withWindow(withBroker(Files.readString(example), broker.url()));
        for (String phase : plan.phases()) {
          if (rate(phase) > 0) {
            runs.add(runAlone(broker, script, writes, phase));
          }
        }
        measureSite(broker, script, writes, site);
      }
      out.println(PlantTables.of(DEVICES, site, runs, plan, writes.works()));
    } catch (SiteException e) {
      throw new IOException(e);
    } finally {
      Directories.remove(directory);
    }
  }

  /** With the script's variable {@code BROKER} set, as the command line does it. */
  private static String withBroker(String script, String url) throws IOException {
    try {
      return ScriptVariables.resolve(
              script, name -> name.equals("BROKER") ? Optional.of(url) : Optional.empty())
          .text();
    } catch (SqlException e) {
      throw new IOException(e);
    }
  }

  private String withWindow(String script) throws IOException {
    String given = "INTERVAL '%d' SECOND)".formatted(EXAMPLE_WINDOW);
    if (!script.contains(given)) {
      throw new IOException("%s has no window of %d s".formatted(example, EXAMPLE_WINDOW));
    }
    return script.replace(given, "INTERVAL '%d' SECOND)".formatted(plan.window()));
  }

  /** Readings a second that a phase is to have. */
  private static int rate(String phase) {
    return phase.equals(IDLE) || phase.equals(SILENT) ? 0 : Integer.parseInt(phase);
  }

  private SedgeProcess plant(MeasuredBroker broker, String phase) throws IOException {
    return new SedgeProcess(
        sedge,
        Map.of(),
        directory,
        directory.resolve("plant-%s.log".formatted(phase)),
        "simulate",
        "plant",
        "--broker",
        broker.url(),
        "--speed",
        Integer.toString(SPEED),
        "--rate",
        Double.toString((double) rate(phase) / SENSORS / SPEED));
  }

  private PlantPhase runAlone(
      MeasuredBroker broker, String script, WriteCounter writes, String phase) throws IOException {
    progress.printf("plant: sedge run, %s readings/s%n", phase);
    Path own = Files.createDirectories(directory.resolve("run-" + phase));
    Files.writeString(own.resolve("site.sql"), script);
    try (SedgeProcess _ = plant(broker, phase);
        SedgeProcess run =
            new SedgeProcess(
                sedge, environment(writes), own, own.resolve("log"), "run", "site.sql");
        RowDelays rows = new RowDelays(broker.port(), machines(own))) {
      LockSupport.parkNanos(WARM_UP_NANOS);
      long diskBefore = Disk.writtenBytes(directory);
      ProcessReading before = ProcessReading.of(run.pid(), writes);
      LockSupport.parkNanos(plan.seconds() * 1_000_000_000L);
      ProcessReading after = ProcessReading.of(run.pid(), writes);
      ProcessUse use = ProcessUse.between(before, after);
      return new PlantPhase(
          phase,
          List.of(use),
          (Disk.writtenBytes(directory) - diskBefore) / use.seconds(),
          Double.NaN,
          0,
          rows.between(before.nanos(), after.nanos()));
    }
  }

  private void measureSite(
      MeasuredBroker broker, String script, WriteCounter writes, List<PlantPhase> results)
      throws IOException, SiteException {
    Path own = Files.createDirectories(directory.resolve("site"));
    List<DeviceProcesses.Member> members =
        DEVICES.stream()
            .map(name -> new DeviceProcesses.Member(name, own, Path.of(name), List.of()))
            .toList();
    try (DeviceProcesses devices = new DeviceProcesses(sedge, environment(writes), members);
        RowDelays rows = new RowDelays(broker.port(), machines(own))) {
      for (String phase : plan.phases()) {
        progress.printf("plant: site of three, %s%n", phase);
        if (!phase.equals(IDLE)) {
          begin(devices, script, phase);
        }
        if (rate(phase) == 0) {
          results.add(measure(devices, rows, writes, phase));
        } else {
          try (SedgeProcess _ = plant(broker, phase)) {
            results.add(measure(devices, rows, writes, phase));
          }
        }
      }
    }
  }

  /**
   * Each phase has a job of its own, and a plant whose clock begins anew: to the job of the phase
   * before all its readings would be late. Nor has it the name of that job, whose sessions at the
   * broker hold its last messages.
   */
  private static void begin(DeviceProcesses devices, String script, String phase)
      throws IOException, SiteException {
    try (DeviceConnection first = devices.connect(0)) {
      for (JobStatus before : first.status().jobs()) {
        if (before.state() == JobState.RUNNING) {
          first.stop(before.name());
        }
      }
      first.submit("plant-" + phase, script);
    }
  }

  private PlantPhase measure(
      DeviceProcesses devices, RowDelays rows, WriteCounter writes, String phase)
      throws IOException {
    LockSupport.parkNanos(WARM_UP_NANOS);
    List<Metrics> countsBefore = metrics(devices);
    long diskBefore = Disk.writtenBytes(directory);
    List<ProcessReading> before = readings(devices, writes);
    LockSupport.parkNanos(plan.seconds() * 1_000_000_000L);
    List<ProcessReading> after = readings(devices, writes);
    long diskAfter = Disk.writtenBytes(directory);
    List<Metrics> countsAfter = metrics(devices);
    List<ProcessUse> uses = new ArrayList<>();
    for (int i = 0; i < devices.count(); i++) {
      uses.add(ProcessUse.between(before.get(i), after.get(i)));
    }
    String applied = "sedge_ledger_applied_index";
    double entries = countsAfter.getFirst().sum(applied) - countsBefore.getFirst().sum(applied);
    return new PlantPhase(
        phase,
        uses,
        (diskAfter - diskBefore) / uses.getFirst().seconds(),
        entries / uses.getFirst().seconds(),
        moves(countsAfter) - moves(countsBefore),
        rows.between(before.getFirst().nanos(), after.getLast().nanos()));
  }

  /** Each device counts what it has moved while it led. */
  private static long moves(List<Metrics> counts) {
    return Math.round(
        counts.stream().mapToDouble(count -> count.sum("sedge_task_moves_total")).sum());
  }

  private static List<Metrics> metrics(DeviceProcesses devices) throws IOException {
    List<Metrics> all = new ArrayList<>();
    for (int i = 0; i < devices.count(); i++) {
      all.add(devices.metrics(i));
    }
    return all;
  }

  private static List<ProcessReading> readings(DeviceProcesses devices, WriteCounter writes)
      throws IOException {
    List<ProcessReading> all = new ArrayList<>();
    for (int i = 0; i < devices.count(); i++) {
      all.add(ProcessReading.of(devices.pid(i), writes));
    }
    return all;
  }

  /** Times in rows are read as UTC. */
  private static Map<String, String> environment(WriteCounter writes) {
    Map<String, String> environment = new HashMap<>(writes.environment());
    environment.put("TZ", "UTC");
    return environment;
  }

  private static Path machines(Path directory) {
    return directory.resolve("results/machines");
  }
}
