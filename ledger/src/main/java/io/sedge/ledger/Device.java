package io.sedge.ledger;

import java.util.Map;

/**
 * A device as the ledger knows it.
 *
 * @param address where others reach it, for example {@code 10.0.0.7:7410}
 * @param measures what it last said of itself
 * @param heard how often it has reported. Who watches whether a device is alive compares this with
 *     what it was, by a monotonic clock of its own: wall clocks jump
 * @param heardAtMillis its wall clock when it last reported, for people to read
 * @param stopped whether that report was its last: it was stopped, and has not been started again
 */
public record Device(
    String name,
    String address,
    DeviceState state,
    Map<String, String> labels,
    Measures measures,
    long heard,
    long heardAtMillis,
    boolean stopped) {
  public Device {
    labels = Map.copyOf(labels);
  }
}
