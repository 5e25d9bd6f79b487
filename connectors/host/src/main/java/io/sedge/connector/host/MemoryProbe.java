package io.sedge.connector.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code /proc/meminfo}: memory and swap space (proc_meminfo(5)). Used is what is not available
 * without swapping.
 */
final class MemoryProbe implements Probe {
  private static final double KIBIBYTE = 1024;

  private final ProcFile file;
  private final List<Quantity> quantities = new ArrayList<>();
  private double memory;
  private double available;
  private double swap;
  private double swapFree;

  MemoryProbe(Path proc) throws IOException {
    file = new ProcFile(proc.resolve("meminfo"));
    look();
    quantities.add(Quantity.gauge("memory.used", "By"));
    quantities.add(Quantity.gauge("memory.available", "By"));
    if (swap > 0) {
      quantities.add(Quantity.gauge("swap.used", "By"));
    }
  }

  @Override
  public List<Quantity> quantities() {
    return quantities;
  }

  @Override
  public void read(double[] raw, double[] whole) throws IOException {
    look();
    raw[0] = memory - available;
    raw[1] = available;
    if (raw.length > 2) {
      raw[2] = swap - swapFree;
    }
  }

  private void look() throws IOException {
    file.read();
    for (; file.hasLine(); file.nextLine()) {
      switch (file.word()) {
        case "MemTotal" -> memory = file.number() * KIBIBYTE;
        case "MemAvailable" -> available = file.number() * KIBIBYTE;
        case "SwapTotal" -> swap = file.number() * KIBIBYTE;
        case "SwapFree" -> swapFree = file.number() * KIBIBYTE;
        default -> {}
      }
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
