package io.sedge.site.internal.downlink;

import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.SiteStatus;
import io.sedge.site.internal.device.SiteNode;
import io.sedge.site.internal.device.Totals;
import io.sedge.uplink.SiteCondition;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Says in few words how the site is. */
public final class Conditions {
  private static final int UNKNOWN = -1;

  private Conditions() {}

  /**
   * What is to be told of a status.
   *
   * @param node of this device: what it has counted, and the disk of its data, is its own alone
   */
  public static SiteCondition of(SiteStatus status, SiteNode node, Path data) {
    Map<String, Totals.Job> totals = node.totals().jobs();
    Disk disk = Disk.of(data);
    return new SiteCondition(
        status.device(),
        status.devices().stream()
            .limit(SiteCondition.MAX_DEVICES)
            .map(
                device ->
                    device(device, device.name().equals(status.device()) ? disk : Disk.UNKNOWN))
            .toList(),
        status.jobs().stream()
            .limit(SiteCondition.MAX_JOBS)
            .map(job -> job(job, Optional.ofNullable(totals.get(job.name()))))
            .toList());
  }

  /** Room of a file system. */
  private record Disk(long free, long all) {
    static final Disk UNKNOWN = new Disk(Conditions.UNKNOWN, Conditions.UNKNOWN);

    static Disk of(Path data) {
      try {
        FileStore store = Files.getFileStore(data);
        return new Disk(store.getUsableSpace(), store.getTotalSpace());
      } catch (IOException _) {
        return UNKNOWN;
      }
    }
  }

  private static long malformed(Totals.Job job) {
    return job.read().values().stream().mapToLong(Totals.Read::malformed).sum();
  }

  private static SiteCondition.OfDevice device(DeviceStatus device, Disk disk) {
    return new SiteCondition.OfDevice(
        device.name(),
        device.version(),
        device.state().name(),
        device.alive(),
        device.silentMillis(),
        disk.free(),
        disk.all());
  }

  private static SiteCondition.OfJob job(JobStatus job, Optional<Totals.Job> totals) {
    String detail = job.detail();
    return new SiteCondition.OfJob(
        job.name(),
        job.version(),
        job.state().name(),
        detail.length() > SiteCondition.MAX_DETAIL
            ? detail.substring(0, SiteCondition.MAX_DETAIL)
            : detail,
        job.tasks(),
        job.runningTasks(),
        job.readingsPerSecond(),
        job.lagSeconds(),
        job.rows(),
        job.waitingRows(),
        totals.map(Conditions::malformed).orElse((long) UNKNOWN),
        totals.map(Totals.Job::failures).orElse((long) UNKNOWN),
        job.given());
  }
}
