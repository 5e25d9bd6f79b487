package io.sedge.site.internal.device;

import io.sedge.ledger.Device;

/** What other devices' ledgers have shown, whatever the devices report. Any thread may ask. */
public interface Peers {
  /** Whether a device has led since this one was started, so that it was there. */
  boolean hasLed(Device device);

  /** Whether another device has answered this one since it was elected; false if it was not. */
  boolean answers(Device device);
}
