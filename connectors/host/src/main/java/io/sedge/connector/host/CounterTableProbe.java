package io.sedge.connector.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A file of {@code /proc} with a line of counters for each device: disks and network interfaces.
 * Which devices there are is settled when it is opened; one that goes away is not read, one that
 * comes is seen by the next job.
 */
final class CounterTableProbe implements Probe {
  /** Of so many devices at most the counters are read. */
  static final int MAX_DEVICES = 64;

  private static final int MAX_FIELDS = 24;

  /**
   * A column of such a file.
   *
   * @param field its position after the device's name, from 0
   * @param suffix of the quantity's name: {@code read}
   * @param unit of the quantity
   * @param scale from the counter's unit
   */
  record Counter(int field, String suffix, String unit, double scale) {}

  /**
   * The form of such a file.
   *
   * @param file its name in {@code /proc}
   * @param prefix of the quantities' names: {@code disk}
   * @param headerLines lines before the first device
   * @param wordsBefore words before the device's name
   */
  record Form(
      String file, String prefix, int headerLines, int wordsBefore, List<Counter> counters) {
    Form {
      counters = List.copyOf(counters);
    }
  }

  /** Sectors of /proc/diskstats are of 512 bytes, whatever the disk's own are. */
  private static final double SECTOR_BYTES = 512;

  /** See the kernel's Documentation/admin-guide/iostats.rst. */
  static final Form DISKS =
      new Form(
          "diskstats",
          "disk",
          0,
          2,
          List.of(
              new Counter(0, "reads", "1/s", 1),
              new Counter(2, "read", "By/s", SECTOR_BYTES),
              new Counter(4, "writes", "1/s", 1),
              new Counter(6, "written", "By/s", SECTOR_BYTES),
              // Milliseconds per second, as a percentage.
              new Counter(9, "busy", "%", 0.1)));

  /** See proc_pid_net(5). */
  static final Form NETWORK =
      new Form(
          "net/dev",
          "net",
          2,
          0,
          List.of(
              new Counter(0, "received", "By/s", 1),
              new Counter(2, "received.errors", "1/s", 1),
              new Counter(8, "sent", "By/s", 1),
              new Counter(10, "sent.errors", "1/s", 1)));

  private final ProcFile file;
  private final Form form;
  private final List<Quantity> quantities = new ArrayList<>();
  private final Map<String, Integer> positions = new HashMap<>();
  private final double[] fields = new double[MAX_FIELDS];

  /**
   * @param wanted whether a device of that name and with those counters is one to read
   */
  CounterTableProbe(Path proc, Form form, BiPredicate<String, double[]> wanted) throws IOException {
    this.form = form;
    file = new ProcFile(proc.resolve(form.file()));
    toFirstLine();
    while (file.hasLine() && positions.size() < MAX_DEVICES) {
      String device = nextDevice();
      if (device != null && wanted.test(device, fields)) {
        positions.put(device, quantities.size());
        form.counters().forEach(counter -> quantities.add(quantity(counter, device)));
      }
    }
  }

  private Quantity quantity(Counter counter, String device) {
    return Quantity.rate(form.prefix() + "." + counter.suffix(), counter.unit())
        .scaled(counter.scale())
        .of(device, "%s.%s.%s".formatted(form.prefix(), device, counter.suffix()));
  }

  @Override
  public List<Quantity> quantities() {
    return quantities;
  }

  @Override
  public void read(double[] raw, double[] whole) throws IOException {
    Arrays.fill(raw, Double.NaN);
    toFirstLine();
    while (file.hasLine()) {
      String device = nextDevice();
      Integer position = device == null ? null : positions.get(device);
      if (position != null) {
        for (int i = 0; i < form.counters().size(); i++) {
          raw[position + i] = fields[form.counters().get(i).field()];
        }
      }
    }
  }

  private void toFirstLine() throws IOException {
    file.read();
    for (int i = 0; i < form.headerLines(); i++) {
      file.nextLine();
    }
  }

  /** Reads a line into the fields and gives the device's name; null for an empty line. */
  private @Nullable String nextDevice() throws IOException {
    String device = null;
    if (file.hasWord()) {
      file.skip(form.wordsBefore());
      device = file.word();
      file.numbers(fields);
    }
    file.nextLine();
    return device;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
