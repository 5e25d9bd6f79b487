package io.sedge.connector.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** {@code /proc/loadavg}: load averages and the number of threads (proc_loadavg(5)). */
final class LoadProbe implements Probe {
  private static final List<Quantity> QUANTITIES =
      List.of(
          Quantity.gauge("load.1m", "1"),
          Quantity.gauge("load.5m", "1"),
          Quantity.gauge("load.15m", "1"),
          Quantity.gauge("thread.running", "1"),
          Quantity.gauge("thread.count", "1"));

  private final ProcFile file;

  LoadProbe(Path proc) throws IOException {
    file = new ProcFile(proc.resolve("loadavg"));
  }

  @Override
  public List<Quantity> quantities() {
    return QUANTITIES;
  }

  @Override
  public void read(double[] raw, double[] whole) throws IOException {
    file.read();
    file.numbers(raw);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
