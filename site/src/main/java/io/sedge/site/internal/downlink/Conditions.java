package io.sedge.site.internal.downlink;

import io.sedge.ledger.Device;
import io.sedge.ledger.JobTroubles;
import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.SiteStatus;
import io.sedge.uplink.SiteCondition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Says in few words how the site is. */
public final class Conditions {
  private Conditions() {}

  /**
   * What is to be told of a status.
   *
   * @param devices with what they have measured
   */
  public static SiteCondition of(SiteStatus status, List<Device> devices) {
    Map<String, JobTroubles> troubles = new HashMap<>();
    devices.forEach(
        device ->
            device
                .measures()
                .troubles()
                .forEach((job, own) -> troubles.merge(job, own, JobTroubles::plus)));
    return new SiteCondition(
        status.device(),
        status.devices().stream().limit(SiteCondition.MAX_DEVICES).map(Conditions::device).toList(),
        status.jobs().stream()
            .limit(SiteCondition.MAX_JOBS)
            .map(job -> job(job, troubles.getOrDefault(job.name(), JobTroubles.NONE)))
            .toList());
  }

  private static SiteCondition.OfDevice device(DeviceStatus device) {
    return new SiteCondition.OfDevice(
        device.name(),
        device.version(),
        device.state().name(),
        device.alive(),
        device.silentMillis(),
        device.use().diskFreeBytes(),
        device.use().diskBytes());
  }

  private static SiteCondition.OfJob job(JobStatus job, JobTroubles troubles) {
    String detail = job.detail();
    return new SiteCondition.OfJob(
        job.name(),
        job.version(),
        job.state().name(),
        detail.substring(0, Math.min(detail.length(), SiteCondition.MAX_DETAIL)),
        job.tasks(),
        job.runningTasks(),
        job.readingsPerSecond(),
        job.lagSeconds(),
        job.rows(),
        job.waitingRows(),
        troubles.malformed(),
        troubles.failures(),
        job.given());
  }
}
