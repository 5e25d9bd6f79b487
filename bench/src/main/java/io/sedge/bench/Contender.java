package io.sedge.bench;

/** A program that computes a workload. One instance runs once, in a process of its own. */
public interface Contender {
  /** Computes the workload over {@code meter.total()} readings and tells the meter. */
  void run(Workload workload, Readings readings, Meter meter) throws Exception;
}
