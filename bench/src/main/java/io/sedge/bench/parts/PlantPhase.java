package io.sedge.bench.parts;

import io.sedge.bench.outside.ProcessUse;
import java.util.List;

/**
 * What devices, or one {@code sedge run}, took in one phase.
 *
 * @param name of the phase
 * @param processes of the devices in their order, or of the run alone
 * @param diskBytes that the disk took a second, for whatever runs on this machine
 * @param entries of the ledger's log a second; NaN if there is no ledger
 * @param moves of tasks from device to device
 * @param rows what came to the sink
 */
record PlantPhase(
    String name,
    List<ProcessUse> processes,
    double diskBytes,
    double entries,
    long moves,
    RowDelays.Seen rows) {
  PlantPhase {
    processes = List.copyOf(processes);
  }

  double cpu() {
    return processes.stream().mapToDouble(ProcessUse::cpu).sum();
  }

  /** Counted in rows of the sink. */
  double readingsPerSecond() {
    return rows.readings() / processes.getFirst().seconds();
  }
}
