package io.sedge.tensor.resolver;

import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import io.sedge.tensor.DeviceName;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The cores of a TPU.
 *
 * @param coresByHost the numbers of the cores of each task
 */
record TpuCores(SortedMap<Integer, List<Integer>> coresByHost) {
  /** The cores among devices; all other devices are passed over. */
  static TpuCores of(List<String> deviceNames) {
    SortedMap<Integer, List<Integer>> coresByHost = new TreeMap<>();
    for (String text : deviceNames) {
      DeviceName name = DeviceName.of(text);
      if ("TPU".equals(name.type()) && name.task() != null && name.id() != null) {
        coresByHost.computeIfAbsent(name.task(), task -> new ArrayList<>()).add(name.id());
      }
    }
    return new TpuCores(coresByHost);
  }

  int total() {
    return coresByHost.values().stream().mapToInt(List::size).sum();
  }

  /** How many cores each host has; 0 without any. */
  int perHost() {
    SortedSet<Integer> counts = new TreeSet<>();
    coresByHost.values().forEach(cores -> counts.add(cores.size()));
    if (counts.size() > 1) {
      throw new ClusterResolutionException(
          Reason.NOT_READY, "TPU cores on each device is not the same: " + coresByHost);
    }
    return counts.isEmpty() ? 0 : counts.first();
  }
}
