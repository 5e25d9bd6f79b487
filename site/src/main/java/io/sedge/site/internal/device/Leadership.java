package io.sedge.site.internal.device;

import io.sedge.ledger.Device;

/** Who leads the ledger, as far as this device knows. Any thread may ask. */
public interface Leadership {
  /** Whether this device leads. */
  boolean isLeader();

  /** Whether a device has led since this one was started, so that it was there. */
  boolean hasLed(Device device);
}
