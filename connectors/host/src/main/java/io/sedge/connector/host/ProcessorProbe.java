package io.sedge.connector.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code /proc/stat}: the load of the processors, context switches and interrupts (proc_stat(5)).
 *
 * <p>Busy is all but idle and waiting for input or output; time stolen by the hypervisor counts as
 * busy. The time of guests is contained in that of their user and is not counted again.
 */
final class ProcessorProbe implements Probe {
  private static final int IDLE = 3;
  private static final int IOWAIT = 4;
  private static final int STEAL = 7;

  private final ProcFile file;
  private final List<Quantity> quantities = new ArrayList<>();
  private final Map<String, Integer> positions = new HashMap<>();
  private final double[] ticks = new double[STEAL + 1];

  ProcessorProbe(Path proc) throws IOException {
    file = new ProcFile(proc.resolve("stat"));
    file.read();
    for (; file.hasLine(); file.nextLine()) {
      String key = file.word();
      if (key.startsWith("cpu")) {
        String number = key.substring("cpu".length());
        Quantity load = Quantity.share("cpu.load");
        add(key, number.isEmpty() ? load : load.of(number, "cpu.load." + number));
      } else if (key.equals("ctxt")) {
        add(key, Quantity.rate("context.switches", "1/s"));
      } else if (key.equals("intr")) {
        add(key, Quantity.rate("interrupts", "1/s"));
      }
    }
  }

  private void add(String key, Quantity quantity) {
    positions.put(key, quantities.size());
    quantities.add(quantity);
  }

  @Override
  public List<Quantity> quantities() {
    return quantities;
  }

  @Override
  public void read(double[] raw, double[] whole) throws IOException {
    Arrays.fill(raw, Double.NaN);
    file.read();
    for (; file.hasLine(); file.nextLine()) {
      String key = file.word();
      Integer position = positions.get(key);
      if (position == null) {
        continue;
      }
      if (key.startsWith("cpu")) {
        file.numbers(ticks);
        double total = Arrays.stream(ticks).sum();
        raw[position] = total - ticks[IDLE] - ticks[IOWAIT];
        whole[position] = total;
      } else {
        raw[position] = file.number();
      }
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
