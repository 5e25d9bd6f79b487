package io.sedge.connector.modbus.internal;

import java.time.Duration;
import java.util.List;

/**
 * What is polled, and how often.
 *
 * @param units the unit ids of each endpoint
 * @param plan the requests at first
 * @param narrow the requests to a unit that does not let gaps be read over
 */
record PollSettings(
    List<Endpoint> endpoints,
    List<Integer> units,
    Duration interval,
    ReadPlan plan,
    ReadPlan narrow,
    LinkSettings link) {
  PollSettings {
    endpoints = List.copyOf(endpoints);
    units = List.copyOf(units);
  }

  int devices() {
    return endpoints.size() * units.size();
  }

  /** How many arrivals there may be until all lines have been asked whether there is room. */
  int mostArrivals() {
    return devices() + endpoints.size();
  }

  Endpoint endpointOf(int device) {
    return endpoints.get(device / units.size());
  }

  int unitOf(int device) {
    return units.get(device % units.size());
  }

  /** The name of a device for people: {@code plc-1:502 unit 2}. */
  String nameOf(int device) {
    return "%s unit %d".formatted(endpointOf(device).name(), unitOf(device));
  }
}
