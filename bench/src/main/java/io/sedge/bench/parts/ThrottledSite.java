package io.sedge.bench.parts;

import io.sedge.ledger.JobState;
import io.sedge.site.DeviceConnection;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.SiteException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Device processes of one site on this machine, each with a share of a processor. */
final class ThrottledSite implements AutoCloseable {
  private static final Duration JOB_PATIENCE = Duration.ofMinutes(20);

  /** A device answers each question with some of the time that is measured. */
  private static final long POLL_NANOS = 50_000_000;

  /** After so long a device's counters are those of the end: they are gathered once a second. */
  private static final long COUNTERS_NANOS = 2_000_000_000;

  private static final Pattern READINGS = counter("sedge_readings_total");
  private static final Pattern CPU = counter("sedge_task_cpu_seconds_total");

  private final Path directory;
  private final List<Double> shares;
  private final DeviceProcesses devices;
  private final DeviceConnection first;
  private int jobs;

  /**
   * What jobs took.
   *
   * @param secondsOfEach from the first submission to when each was FINISHED
   * @param readings that each device has read
   * @param cpuSeconds processor time that tasks of each device have used
   */
  record Run(List<Double> secondsOfEach, List<Long> readings, List<Double> cpuSeconds) {
    Run {
      secondsOfEach = List.copyOf(secondsOfEach);
      readings = List.copyOf(readings);
      cpuSeconds = List.copyOf(cpuSeconds);
    }

    /** To when all were FINISHED. */
    double seconds() {
      return Collections.max(secondsOfEach);
    }
  }

  /**
   * Starts them; returns when all are there.
   *
   * @param sedge the command
   * @param directory for their data and logs
   * @param shares of a processor, one for each device
   */
  ThrottledSite(Path sedge, Path directory, List<Double> shares) throws IOException, SiteException {
    this.directory = directory;
    this.shares = List.copyOf(shares);
    this.devices = new DeviceProcesses(sedge, Map.of(), members());
    this.first = devices.connect(0);
  }

  private List<DeviceProcesses.Member> members() {
    return IntStream.range(0, shares.size())
        .mapToObj(
            i ->
                new DeviceProcesses.Member(
                    name(i),
                    directory(i),
                    Path.of("data"),
                    List.of("--cpu", String.format(Locale.ROOT, "%.3f", shares.get(i)))))
        .toList();
  }

  static String name(int device) {
    return "device-" + (device + 1);
  }

  /** Where a device was started: what relative paths in scripts are relative to. */
  Path directory(int device) {
    return directory.resolve(name(device));
  }

  /** A connection to a device, which the caller closes. */
  DeviceConnection connect(int device) throws SiteException, IOException {
    return devices.connect(device);
  }

  /** Uses these devices alone for what comes. */
  void use(List<Integer> devices) throws SiteException {
    for (int i = 0; i < shares.size(); i++) {
      if (devices.contains(i)) {
        first.undrain(name(i));
      } else {
        first.drain(name(i));
      }
    }
  }

  /** Runs a job to its end. */
  Run run(String script) throws SiteException, IOException {
    return run(List.of(script));
  }

  /** Runs jobs at the same time, to the end of all. */
  Run run(List<String> scripts) throws SiteException, IOException {
    long begin = System.nanoTime();
    List<String> names = new ArrayList<>();
    for (String script : scripts) {
      names.add("job-" + ++jobs);
      first.submit(names.getLast(), script);
    }
    Map<String, Double> seconds = new HashMap<>();
    while (seconds.size() < names.size()) {
      for (String name : finished(names)) {
        seconds.putIfAbsent(name, (System.nanoTime() - begin) / 1e9);
      }
      if (System.nanoTime() - begin > JOB_PATIENCE.toNanos()) {
        throw new IOException("%s do not finish: %s".formatted(names, first.jobs()));
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    awaitDelivery();
    LockSupport.parkNanos(COUNTERS_NANOS);
    List<Long> readings = new ArrayList<>();
    List<Double> cpuSeconds = new ArrayList<>();
    for (int i = 0; i < shares.size(); i++) {
      String text = devices.metrics(i).text();
      readings.add((long) sum(READINGS, text, names));
      cpuSeconds.add(sum(CPU, text, names));
    }
    for (String name : names) {
      var _ = first.removeJob(name, true);
    }
    return new Run(names.stream().map(seconds::get).toList(), readings, cpuSeconds);
  }

  private List<String> finished(List<String> names) throws SiteException, IOException {
    List<String> finished = new ArrayList<>();
    for (JobStatus job : first.jobs()) {
      if (names.contains(job.name())) {
        if (job.state() == JobState.FAILED) {
          throw new IOException("%s has failed: %s".formatted(job.name(), job));
        }
        if (job.state() == JobState.FINISHED) {
          finished.add(job.name());
        }
      }
    }
    return finished;
  }

  /** Submits a job that has no end. */
  void submit(String job, String script) throws SiteException {
    first.submit(job, script);
  }

  /** Of a device's process. */
  long pid(int device) {
    return devices.pid(device);
  }

  /** The processor time that all devices have taken so far. */
  Duration cpu() {
    return devices.cpu();
  }

  private void awaitDelivery() throws SiteException {
    while (first.jobs().stream().anyMatch(job -> job.waitingRows() > 0)) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** A metric that counts for each job. */
  private static Pattern counter(String name) {
    return Pattern.compile("^" + name + "\\{.*job=\"([^\"]+)\".*} (\\S+)");
  }

  private static double sum(Pattern counter, String metrics, List<String> jobs) {
    return metrics
        .lines()
        .map(counter::matcher)
        .filter(Matcher::find)
        .filter(line -> jobs.contains(line.group(1)))
        .mapToDouble(line -> Double.parseDouble(line.group(2)))
        .sum();
  }

  @Override
  public void close() {
    first.close();
    devices.close();
  }
}
