package io.sedge.ledger.internal.state;

import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import java.util.Map;

/** A device, as it changes. */
final class DeviceEntry {
  final String name;
  String address;
  DeviceState state = DeviceState.ACTIVE;
  Map<String, String> labels;
  Map<String, Double> speeds = Map.of();
  long heard;
  long heardAtMillis;

  DeviceEntry(String name, String address, Map<String, String> labels) {
    this.name = name;
    this.address = address;
    this.labels = labels;
  }

  Device view() {
    return new Device(name, address, state, labels, speeds, heard, heardAtMillis);
  }
}
