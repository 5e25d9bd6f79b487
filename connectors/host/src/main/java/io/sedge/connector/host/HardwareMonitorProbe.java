package io.sedge.connector.host;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code /sys/class/hwmon}: the temperatures, fans, voltages, currents and powers that the kernel
 * has drivers for (Documentation/hwmon/sysfs-interface.rst). Some sit behind slow buses, so they
 * are read at most at {@link #MAX_HZ}.
 */
final class HardwareMonitorProbe implements Probe {
  static final double MAX_HZ = 10;

  private static final Pattern INPUT = Pattern.compile("(temp|fan|in|curr|power)([0-9]+)_input");

  /** A sort of sensor: what a quantity of it is called, its unit, and the file's steps in one. */
  private record Sort(String kind, String unit, double perUnit) {}

  private static final Map<String, Sort> SORTS =
      Map.of(
          "temp", new Sort("temperature", "Cel", 1e3),
          "fan", new Sort("fan", "1/min", 1),
          "in", new Sort("voltage", "V", 1e3),
          "curr", new Sort("current", "A", 1e3),
          "power", new Sort("power", "W", 1e6));

  private final List<Quantity> quantities = new ArrayList<>();
  private final List<ProcFile> files = new ArrayList<>();
  private final List<Double> perUnit = new ArrayList<>();

  HardwareMonitorProbe(Path sys) throws IOException {
    Path directory = sys.resolve("class/hwmon");
    if (Files.isDirectory(directory)) {
      for (Path chip : sorted(directory)) {
        addChip(chip);
      }
    }
  }

  private void addChip(Path chip) throws IOException {
    String name = text(chip.resolve("name"));
    for (Path input : sorted(chip)) {
      Matcher matcher = INPUT.matcher(input.getFileName().toString());
      Sort sort = matcher.matches() ? SORTS.get(matcher.group(1)) : null;
      if (sort != null) {
        String label = text(chip.resolve(matcher.group(1) + matcher.group(2) + "_label"));
        String device =
            (name == null ? chip.getFileName().toString() : name)
                + "."
                + (label == null ? matcher.group(2) : label);
        add(sort, device.toLowerCase(Locale.ROOT).replaceAll("\\s+", "-"), input);
      }
    }
  }

  private void add(Sort sort, String device, Path input) throws IOException {
    String unique = device;
    for (int i = 2; isKnown(sort.kind() + "." + unique); i++) {
      unique = device + "-" + i;
    }
    quantities.add(
        Quantity.gauge(sort.kind(), sort.unit())
            .atMost(MAX_HZ)
            .of(unique, sort.kind() + "." + unique));
    files.add(new ProcFile(input));
    perUnit.add(sort.perUnit());
  }

  private boolean isKnown(String name) {
    return quantities.stream().anyMatch(quantity -> quantity.name().equals(name));
  }

  @Override
  public List<Quantity> quantities() {
    return quantities;
  }

  @Override
  public void read(double[] raw, double[] whole) {
    for (int i = 0; i < raw.length; i++) {
      raw[i] = read(files.get(i)) / perUnit.get(i);
    }
  }

  /** A sensor that is asleep or in error gives an I/O error and no reading. */
  private static double read(ProcFile file) {
    try {
      file.read();
      return file.number();
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  private static List<Path> sorted(Path directory) throws IOException {
    Map<String, Path> entries = new TreeMap<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
      stream.forEach(entry -> entries.put(entry.getFileName().toString(), entry));
    }
    return List.copyOf(entries.values());
  }

  private static @Nullable String text(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      return null;
    }
    String text = Files.readString(file).trim();
    return text.isEmpty() ? null : text;
  }

  @Override
  public void close() throws IOException {
    for (ProcFile file : files) {
      file.close();
    }
  }
}
