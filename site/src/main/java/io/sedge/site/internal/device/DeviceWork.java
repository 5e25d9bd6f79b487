package io.sedge.site.internal.device;

import java.util.List;

/**
 * What a device does at one moment.
 *
 * @param heardNanos when it asked the ledger what was answered last, by {@link System#nanoTime}
 * @param tasks those that the ledger gives to it
 */
public record DeviceWork(long heardNanos, List<TaskWork> tasks) {
  public DeviceWork {
    tasks = List.copyOf(tasks);
  }
}
