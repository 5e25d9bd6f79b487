package io.sedge.connector.host;

import java.io.IOException;
import java.nio.file.FileStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What is used of file systems, by their mount points. */
final class FileSystemProbe implements Probe {
  /** File systems fill slowly, and asking some of them is not cheap. */
  static final double MAX_HZ = 1;

  private final List<Quantity> quantities = new ArrayList<>();
  private final List<FileStore> stores;

  /**
   * @param byMount the file systems; only local ones, since asking a server that is away hangs
   */
  FileSystemProbe(Map<String, FileStore> byMount) {
    stores = List.copyOf(byMount.values());
    byMount
        .keySet()
        .forEach(
            mount ->
                quantities.add(
                    Quantity.gauge("fs.used", "By")
                        .atMost(MAX_HZ)
                        .of(mount, "fs.%s.used".formatted(mount))));
  }

  @Override
  public List<Quantity> quantities() {
    return quantities;
  }

  @Override
  public void read(double[] raw, double[] whole) {
    for (int i = 0; i < raw.length; i++) {
      raw[i] = used(stores.get(i));
    }
  }

  /** Unmounted file systems have no reading. */
  private static double used(FileStore store) {
    try {
      return (double) store.getTotalSpace() - store.getUnallocatedSpace();
    } catch (IOException e) {
      return Double.NaN;
    }
  }
}
