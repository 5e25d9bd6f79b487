package io.sedge.bench;

/** A program that computes the workloads. One instance runs once. */
public interface Contender {
  /** Computes W1, W2 or W3 over {@code meter.total()} readings and tells the meter. */
  void run(Workload workload, Readings readings, Meter meter) throws Exception;

  /** Computes W4: takes each reading when it is due, and tells when its result is there. */
  void run(Readings readings, Pace pace) throws Exception;
}
