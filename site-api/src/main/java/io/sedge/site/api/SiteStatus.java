package io.sedge.site.api;

import io.sedge.alarm.AlarmCounts;
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
    LedgerStatus ledger,
    AlarmCounts alarms) {
  public SiteStatus {
    devices = List.copyOf(devices);
    jobs = List.copyOf(jobs);
    tasks = List.copyOf(tasks);
  }

  /** Devices that have the site's certificate authority, also those that are down. */
  public List<DeviceStatus> authorities() {
    return devices.stream().filter(DeviceStatus::authority).toList();
  }

  /**
   * Whether a device has the certificate authority and no other one that has it is up, so that it
   * might go with this one: others that are down may never come back.
   */
  public boolean isLastAuthority(String name) {
    List<DeviceStatus> holders = authorities();
    return holders.stream().anyMatch(device -> device.name().equals(name))
        && holders.stream().noneMatch(device -> device.alive() && !device.name().equals(name));
  }
}
