package io.sedge.site.internal.downlink;

import io.sedge.site.api.DeviceStatus;
import io.sedge.site.api.JobStatus;
import io.sedge.site.api.SiteStatus;
import io.sedge.uplink.SiteCondition;

/** Says in few words how the site is. */
public final class Conditions {
  private static final int UNKNOWN = -1;

  private Conditions() {}

  /** What is to be told of a status. */
  public static SiteCondition of(SiteStatus status) {
    return new SiteCondition(
        status.device(),
        status.devices().stream()
            .limit(SiteCondition.MAX_DEVICES)
            .map(Conditions::device)
            .toList(),
        status.jobs().stream().limit(SiteCondition.MAX_JOBS).map(Conditions::job).toList());
  }

  private static SiteCondition.OfDevice device(DeviceStatus device) {
    return new SiteCondition.OfDevice(
        device.name(),
        device.version(),
        device.state().name(),
        device.alive(),
        device.silentMillis(),
        UNKNOWN,
        UNKNOWN);
  }

  private static SiteCondition.OfJob job(JobStatus job) {
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
        UNKNOWN,
        UNKNOWN);
  }
}
