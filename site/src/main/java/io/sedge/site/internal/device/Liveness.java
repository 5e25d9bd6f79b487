package io.sedge.site.internal.device;

import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.placement.Health;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which devices are alive, as seen from this one: those whose count of reports has grown lately by
 * its own monotonic clock. A device that is seen for the first time counts as heard just now. Any
 * thread.
 */
final class Liveness {
  private final long goneNanos;
  private final Map<String, Seen> seen = new HashMap<>();

  private record Seen(long heard, long atNanos) {}

  /**
   * @param goneNanos after so long without a report a device is gone; after half of it, suspect
   */
  Liveness(long goneNanos) {
    this.goneNanos = goneNanos;
  }

  /** Looks at the devices as the ledger has them. */
  synchronized void update(List<Device> devices, long nowNanos) {
    for (Device device : devices) {
      Seen before = seen.get(device.name());
      if (before == null || before.heard() != device.heard()) {
        seen.put(device.name(), new Seen(device.heard(), nowNanos));
      }
    }
    seen.keySet().retainAll(devices.stream().map(Device::name).toList());
  }

  synchronized Health health(Device device, long nowNanos) {
    Seen last = seen.get(device.name());
    long silent = last == null ? 0 : nowNanos - last.atNanos();
    return switch (device.state()) {
      case EXPELLED -> Health.GONE;
      case ACTIVE, DRAINING -> {
        if (silent >= goneNanos) {
          yield Health.GONE;
        }
        if (device.state() == DeviceState.DRAINING) {
          yield Health.DRAINING;
        }
        yield silent >= goneNanos / 2 ? Health.SUSPECT : Health.UP;
      }
    };
  }
}
