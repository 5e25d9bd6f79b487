package io.sedge.simulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * A stretch of the plant's life as a CSV file with the columns {@code ts, zone, machine, quantity,
 * reading, seq}, without a header; {@code ts} is UTC as SQL writes it. The same recording always
 * gives the same bytes.
 *
 * @param seed of everything that is random
 * @param start what the plant's clock shows at the beginning
 * @param rateHz readings per second and sensor
 * @param length how long, in simulated time
 * @param faults what goes wrong when
 */
public record PlantRecording(
    long seed, Instant start, double rateHz, Duration length, List<PlannedFault> faults) {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final double STEP_SECONDS = 0.1;

  public PlantRecording {
    faults = List.copyOf(faults);
  }

  /**
   * Writes it, as fast as it can.
   *
   * @return the number of readings
   */
  public long write(Path file) throws IOException {
    Simulation simulation = new Simulation(Subject.PLANT, seed, start, rateHz);
    double end = length.toNanos() / 1e9;
    long[] count = {0};
    try (Writer writer = Files.newBufferedWriter(file)) {
      while (simulation.seconds() < end - 1e-6) {
        throwSwitches(simulation);
        simulation.step(
            Math.min(STEP_SECONDS, end - simulation.seconds()),
            reading -> {
              append(writer, reading);
              count[0]++;
            });
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return count[0];
  }

  private void throwSwitches(Simulation simulation) {
    double from = simulation.seconds();
    for (PlannedFault planned : faults) {
      if (isNow(planned.begin(), from)) {
        check(simulation.fault(planned.fault(), planned.target(), true));
      }
      if (planned.end().isPresent() && isNow(planned.end().get(), from)) {
        check(simulation.fault(planned.fault(), planned.target(), false));
      }
    }
  }

  private static boolean isNow(Duration time, double from) {
    double seconds = time.toNanos() / 1e9;
    return seconds >= from - 1e-6 && seconds < from + STEP_SECONDS - 1e-6;
  }

  private static void check(CommandOutcome outcome) {
    if (outcome instanceof CommandOutcome.Refused refused) {
      throw new IllegalArgumentException(refused.why());
    }
  }

  private static void append(Writer writer, SensorReading reading) {
    try {
      writer
          .append(TIME.format(Instant.ofEpochMilli(reading.timeMillis())))
          .append(',')
          .append(reading.sensor().replace('/', ','))
          .append(',')
          .append(Double.toString(reading.value()))
          .append(',')
          .append(Long.toString(reading.sequence()))
          .append('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
