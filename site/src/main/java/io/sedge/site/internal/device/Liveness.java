package io.sedge.site.internal.device;

import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.placement.Health;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which devices are alive, as seen from this one: those whose count of reports has grown lately. A
 * device that is seen for the first time counts as heard just now. Any thread.
 *
 * <p>Time passes with this device's own reports, which go the same way: while the ledger stands
 * still nobody can report, and nobody is taken for dead because of it.
 */
final class Liveness {
  private final String self;
  private final long goneNanos;
  private final long reportNanos;
  private final Map<String, Seen> seen = new HashMap<>();
  private long elapsed;
  private long reportedNanos;

  /**
   * @param at how much time had passed
   */
  private record Seen(long heard, long at) {}

  /**
   * @param self the name of this device
   * @param goneNanos after so long without a report a device is gone; after half of it, suspect
   * @param reportNanos between two reports of a device that is well
   */
  Liveness(String self, long goneNanos, long reportNanos) {
    this.self = self;
    this.goneNanos = goneNanos;
    this.reportNanos = reportNanos;
  }

  /**
   * Looks at the devices as the ledger has them.
   *
   * @param nowNanos a monotonic clock
   */
  synchronized void update(List<Device> devices, long nowNanos) {
    for (Device device : devices) {
      if (device.name().equals(self) && isNew(device)) {
        if (seen.containsKey(self)) {
          elapsed += Math.min(nowNanos - reportedNanos, 2 * reportNanos);
        }
        reportedNanos = nowNanos;
      }
    }
    for (Device device : devices) {
      if (isNew(device)) {
        seen.put(device.name(), new Seen(device.heard(), elapsed));
      }
    }
    seen.keySet().retainAll(devices.stream().map(Device::name).toList());
  }

  private boolean isNew(Device device) {
    Seen before = seen.get(device.name());
    return before == null || before.heard() != device.heard();
  }

  /** What can be expected of a device. */
  synchronized Health health(Device device) {
    Seen last = seen.get(device.name());
    long silent = last == null ? 0 : elapsed - last.at();
    if (device.state() == DeviceState.EXPELLED || silent >= goneNanos) {
      return Health.GONE;
    }
    if (device.state() == DeviceState.DRAINING) {
      return Health.DRAINING;
    }
    return silent >= goneNanos / 2 ? Health.SUSPECT : Health.UP;
  }
}
