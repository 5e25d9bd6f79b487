package io.sedge.cli.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sedge.engine.testkit.SharedData;
import io.sedge.engine.testkit.SharedData.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of real sensor data through the command, against windows that were computed in rational
 * arithmetic: count, minimum and maximum must be equal, sum, mean and variance within 1e-9 of their
 * size, in the order of the file and in any other within the lateness.
 */
class ReplayTest {
  private static final double EXACTNESS = 1e-9;

  @TempDir Path directory;

  @Test
  void hoursOfAMachineTemperatureAreExact() throws IOException {
    Path data = SharedData.path("nab/data/realKnownCause/machine_temperature_system_failure.csv");
    String script =
        """
        CREATE TABLE temperature (
          `timestamp` TIMESTAMP(3), `value` DOUBLE,
          WATERMARK FOR `timestamp` AS `timestamp` - INTERVAL '1' HOUR
        ) WITH ('connector' = 'filesystem', 'path' = '%s', 'format' = 'csv', 'csv.header' = 'true');
        CREATE VIEW readings AS
          SELECT `timestamp` AS ts, 'machine_temperature' AS sensor, `value` AS v FROM temperature;
        """;
    check(data, script, "3600", "nab_machine_temperature_tumbling_3600s.csv", 6);
  }

  @Test
  void minutesOfEightSensorsOfAValveAreExact() throws IOException {
    Path data = SharedData.path("skab/valve1/0.csv");
    List<String> sensors =
        List.of(Files.readAllLines(data).getFirst().split(";", -1)).subList(1, 9);
    String columns = sensors.stream().map("`%s` DOUBLE, "::formatted).collect(Collectors.joining());
    String each =
        sensors.stream()
            .map("SELECT `datetime` AS ts, '%1$s' AS sensor, `%1$s` AS v FROM valve"::formatted)
            .collect(Collectors.joining(" UNION ALL "));
    String script =
        """
        CREATE TABLE valve (
          `datetime` TIMESTAMP(3), %sWATERMARK FOR `datetime` AS `datetime` - INTERVAL '1' MINUTE
        ) WITH ('connector' = 'filesystem', 'path' = '%%s', 'format' = 'csv', 'csv.header' = 'true',
                'csv.field-delimiter' = ';');
        CREATE VIEW readings AS %s;
        """
            .formatted(columns, each);
    check(data, script, "60", "skab_valve1_0_tumbling_60s.csv", 30);
  }

  /**
   * @param disorder by how many lines at most a line leaves its place, within the lateness
   */
  private void check(Path data, String script, String seconds, String oracle, int disorder)
      throws IOException {
    Map<Window, double[]> expected = SharedData.windows(oracle);
    compare(run(script.formatted(data), seconds), expected, oracle);
    long seed = System.nanoTime();
    Path shuffled = directory.resolve("shuffled.csv");
    Files.write(shuffled, shuffled(Files.readAllLines(data), disorder, new Random(seed)));
    compare(run(script.formatted(shuffled), seconds), expected, oracle + ", seed " + seed);
  }

  private String run(String tables, String seconds) throws IOException {
    Files.writeString(
        directory.resolve("job.sql"),
        tables
            + """
            SELECT UNIX_TIMESTAMP(CAST(window_start AS STRING)) AS epoch, sensor, COUNT(*), SUM(v),
              MIN(v), MAX(v), AVG(v), VAR_POP(v)
            FROM TABLE(TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '%s' SECOND(4)))
            GROUP BY sensor, window_start, window_end;
            """
                .formatted(seconds));
    CommandRunner runner = new CommandRunner(directory);
    int exitCode =
        runner.run("run", "job.sql", "--output", "json", "--set", "table.local-time-zone=UTC");
    assertThat(exitCode).as(runner.err()).isZero();
    assertThat(runner.err())
        .containsPattern("late +0\n")
        .containsPattern("dropped +0\n")
        .containsPattern("malformed +0\n");
    return runner.out();
  }

  /** Blocks of lines, the header aside, each in an order of its own. */
  private static List<String> shuffled(List<String> lines, int block, Random random) {
    List<String> shuffled = new ArrayList<>(lines);
    for (int from = 1; from < lines.size(); from += block) {
      Collections.shuffle(shuffled.subList(from, Math.min(from + block, lines.size())), random);
    }
    return shuffled;
  }

  private static void compare(String json, Map<Window, double[]> expected, String what) {
    Map<Window, double[]> windows = new HashMap<>();
    json.lines()
        .map(line -> line.substring(1, line.length() - 1).split(",", -1))
        .forEach(
            fields ->
                windows.put(
                    new Window(Long.parseLong(value(fields[0])), value(fields[1])),
                    numbers(fields)));
    assertThat(json.lines().count()).as(what).isEqualTo(windows.size());
    assertThat(windows.keySet()).as(what).isEqualTo(expected.keySet());
    windows.forEach(
        (key, numbers) -> {
          for (int i = 0; i < numbers.length; i++) {
            boolean equal = i == 0 || i == 2 || i == 3;
            double right = expected.get(key)[i];
            assertThat(numbers[i])
                .as("%s: number %d of %s", what, i, key)
                .isCloseTo(right, within(equal ? 0 : Math.abs(right) * EXACTNESS));
          }
        });
  }

  private static String value(String field) {
    return field.substring(field.indexOf("\":") + 2).replace("\"", "");
  }

  private static double[] numbers(String[] fields) {
    double[] numbers = new double[fields.length - 2];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Double.parseDouble(value(fields[i + 2]));
    }
    return numbers;
  }
}
