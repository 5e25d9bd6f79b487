package io.sedge.connector.host;

import io.sedge.connector.ConnectorException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import oshi.SystemInfo;
import oshi.software.os.OSFileStore;
import oshi.software.os.OperatingSystem;
import oshi.util.GlobalConfig;

/**
 * The machine that this process runs on.
 *
 * <p>On Linux what is worth many readings per second is read from {@code /proc} at a few tens of
 * microseconds a file; OSHI, which reads the same files, takes about a millisecond per disk and
 * keeps what it has read for 300 ms. Elsewhere OSHI reads everything.
 */
final class LocalMachine implements Machine {
  /** How long OSHI may keep what it has read where it reads everything. */
  private static final int OSHI_KEEPS_MILLIS = 5;

  @Override
  public String name() {
    return new SystemInfo().getOperatingSystem().getNetworkParams().getHostName();
  }

  @Override
  public List<Probe> open() {
    List<Probe> probes = new ArrayList<>();
    boolean linux = System.getProperty("os.name", "").startsWith("Linux");
    if (!linux) {
      GlobalConfig.set(GlobalConfig.OSHI_UTIL_MEMOIZER_EXPIRATION, OSHI_KEEPS_MILLIS);
    }
    SystemInfo info = new SystemInfo();
    try {
      probes.addAll(
          linux
              ? LinuxProbes.open(Path.of("/proc"), Path.of("/sys"))
              : OshiProbe.counters(info.getHardware()));
      probes.add(new FileSystemProbe(localFileSystems(info.getOperatingSystem())));
      probes.addAll(OshiProbe.slow(info.getHardware(), info.getOperatingSystem()));
      return probes;
    } catch (IOException e) {
      throw new ConnectorException(
          ConnectorException.Kind.EXTERNAL,
          "the sensors of this machine cannot be read: %s: %s"
              .formatted(e.getClass().getSimpleName(), e.getMessage()),
          e);
    }
  }

  private static Map<String, FileStore> localFileSystems(OperatingSystem system)
      throws IOException {
    Map<String, FileStore> stores = new TreeMap<>();
    for (OSFileStore store : system.getFileSystem().getFileStores(true)) {
      Path mount = Path.of(store.getMount());
      if (Files.isDirectory(mount) && store.getTotalSpace() > 0 && !isInMemory(store)) {
        stores.put(store.getMount(), Files.getFileStore(mount));
      }
    }
    return stores;
  }

  private static boolean isInMemory(OSFileStore store) {
    return store.getType().endsWith("tmpfs");
  }
}
