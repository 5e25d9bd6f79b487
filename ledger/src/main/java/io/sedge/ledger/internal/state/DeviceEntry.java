package io.sedge.ledger.internal.state;

import io.sedge.ledger.Device;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Measures;
import java.util.Map;

/** A device, as it changes. */
final class DeviceEntry {
  final String name;
  String address;
  DeviceState state = DeviceState.ACTIVE;
  Map<String, String> labels;
  Measures measures = Measures.NONE;
  long heard;
  long heardAtMillis;
  boolean stopped;

  DeviceEntry(String name, String address, Map<String, String> labels) {
    this.name = name;
    this.address = address;
    this.labels = labels;
  }

  Device view() {
    return new Device(name, address, state, labels, measures, heard, heardAtMillis, stopped);
  }
}
