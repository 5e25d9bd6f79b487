package io.sedge.bench.center;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * An hour of readings of ten machines, in order of time, dealt out to the files of sites at random:
 * each machine is read at each site. One more file has them all.
 *
 * @param count of readings
 * @param bytes of the files of the sites
 */
record FleetReadings(long count, long bytes) {
  static final String FILE = "readings.csv";

  private static final int MACHINES = 10;
  private static final int SEED = 42;
  private static final long SPAN_MILLIS = 3_600_000;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT);

  /** Where a site's file is. */
  static Path site(Path directory, int number) {
    return directory.resolve("site-" + number);
  }

  /** Where the file with all of them is. */
  static Path all(Path directory) {
    return directory.resolve("all");
  }

  /**
   * Writes the files, whose last reading is an hour old.
   *
   * @param each readings for each site, about
   */
  static FleetReadings write(Path directory, int sites, int each) throws IOException {
    long count = (long) sites * each;
    long begin = Instant.now().truncatedTo(ChronoUnit.HOURS).toEpochMilli() - 2 * SPAN_MILLIS;
    SplittableRandom random = new SplittableRandom(SEED);
    List<BufferedWriter> files = new ArrayList<>();
    try {
      for (int site = 0; site < sites; site++) {
        files.add(file(site(directory, site)));
      }
      files.add(file(all(directory)));
      for (long number = 0; number < count; number++) {
        int machine = random.nextInt(MACHINES);
        double value = 20 + 5 * machine + random.nextGaussian();
        long millis = begin + number * SPAN_MILLIS / count;
        String line =
            String.format(
                Locale.ROOT,
                "%d,%.3f,%s\n",
                machine,
                value,
                TIME.format(
                    LocalDateTime.ofEpochSecond(
                        millis / 1_000, (int) (millis % 1_000) * 1_000_000, ZoneOffset.UTC)));
        files.get(random.nextInt(sites)).write(line);
        files.getLast().write(line);
      }
    } finally {
      for (BufferedWriter file : files) {
        file.close();
      }
    }
    return new FleetReadings(count, Files.size(all(directory).resolve(FILE)));
  }

  private static BufferedWriter file(Path directory) throws IOException {
    Files.createDirectories(directory);
    return Files.newBufferedWriter(directory.resolve(FILE));
  }
}
