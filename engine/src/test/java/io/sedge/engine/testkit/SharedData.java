package io.sedge.engine.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * Public data sets and what is known of them, in {@code ../shared/data} beside the project's root.
 * Where that is absent a test that asks for them is skipped.
 */
public final class SharedData {
  /** A window of a sensor: its start in seconds since 1970, and the sensor. */
  public record Window(long start, String sensor) {}

  private static final int NUMBERS = 6;

  private SharedData() {}

  /** A file or directory, by its name below {@code ../shared/data}. */
  public static Path path(String name) {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path path = at.resolve("../shared/data").resolve(name).normalize();
      if (Files.exists(path)) {
        return path;
      }
    }
    return Assumptions.abort("there is no ../shared/data/" + name + " beside the project");
  }

  /** The lines of a file, its header aside. */
  public static List<String> lines(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    return lines.subList(1, lines.size());
  }

  /**
   * The exact windows of a file of readings: count, sum, minimum, maximum, mean and population
   * variance.
   *
   * @param name of the file below {@code windows}
   */
  public static Map<Window, double[]> windows(String name) throws IOException {
    Map<Window, double[]> windows = new HashMap<>();
    for (String line : lines(path("windows/" + name))) {
      String[] fields = line.split(",", -1);
      double[] numbers = new double[NUMBERS];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = Double.parseDouble(fields[3 + i]);
      }
      windows.put(new Window(Long.parseLong(fields[0]), fields[2]), numbers);
    }
    return windows;
  }
}
