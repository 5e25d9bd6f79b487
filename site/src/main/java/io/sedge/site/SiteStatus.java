package io.sedge.site;

import java.util.List;

/**
 * A site at one moment.
 *
 * @param site its name among all sites, a UUID
 * @param device the device that was asked
 * @param leader the device that leads; empty if none is known
 * @param makespan how busy the fullest device is; 1 is all that it can do
 * @param devices by name
 * @param jobs by name
 * @param tasks by job and shard
 */
public record SiteStatus(
    String site,
    String device,
    String leader,
    double makespan,
    List<DeviceStatus> devices,
    List<JobStatus> jobs,
    List<TaskStatus> tasks,
    LedgerStatus ledger) {
  public SiteStatus {
    devices = List.copyOf(devices);
    jobs = List.copyOf(jobs);
    tasks = List.copyOf(tasks);
  }
}
