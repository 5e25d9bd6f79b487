package io.sedge.engine.operator.internal;

import static io.sedge.engine.operator.internal.WindowPlans.READINGS;
import static io.sedge.engine.operator.internal.WindowPlans.SECOND;
import static io.sedge.engine.operator.internal.WindowPlans.ofValue;
import static io.sedge.engine.operator.internal.WindowPlans.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.sedge.engine.aggregate.BuiltinAggregates;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BatchBuilder;
import io.sedge.engine.operator.Operator;
import io.sedge.engine.operator.Output;
import io.sedge.engine.plan.PlanNode;
import io.sedge.engine.plan.Window;
import io.sedge.engine.testkit.SharedData;
import io.sedge.engine.testkit.StateImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Real sensor data against windows that were computed in rational arithmetic: count, minimum and
 * maximum must be equal, sum, mean and variance within 1e-9 of their size, whatever the order of
 * the rows and however they are split over shards.
 */
class WindowOracleTest {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");
  private static final double EXACTNESS = 1e-9;

  private record Reading(long time, String sensor, double value) {}

  @Test
  void hoursOfAMachineTemperatureAreExactWithTheRowsThatCameTwelveTimesTwice() throws IOException {
    List<Reading> readings = new ArrayList<>();
    Path file = SharedData.path("nab/data/realKnownCause/machine_temperature_system_failure.csv");
    for (String line : SharedData.lines(file)) {
      String[] fields = line.split(",", -1);
      readings.add(
          new Reading(micros(fields[0]), "machine_temperature", Double.parseDouble(fields[1])));
    }
    check(readings, 3600 * SECOND, "nab_machine_temperature_tumbling_3600s.csv");
  }

  @Test
  void minutesOfEightSensorsOfAValveAreExact() throws IOException {
    List<Reading> readings = new ArrayList<>();
    Path file = SharedData.path("skab/valve1/0.csv");
    String[] header;
    try (var all = Files.lines(file)) {
      header = all.findFirst().orElseThrow().split(";", -1);
    }
    for (String line : SharedData.lines(file)) {
      String[] fields = line.split(";", -1);
      for (int i = 1; i <= 8; i++) {
        readings.add(new Reading(micros(fields[0]), header[i], Double.parseDouble(fields[i])));
      }
    }
    check(readings, 60 * SECOND, "skab_valve1_0_tumbling_60s.csv");
  }

  private static void check(List<Reading> readings, long size, String oracle) throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Map<SharedData.Window, double[]> expected = SharedData.windows(oracle);
    PlanNode.WindowAggregate node =
        plan(
            READINGS,
            new Window.Tumbling(size, 0),
            List.of(1),
            List.of(
                ofValue("COUNT"),
                ofValue("SUM"),
                ofValue("MIN"),
                ofValue("MAX"),
                ofValue("AVG"),
                ofValue("VAR_POP")));
    for (int shards : new int[] {1, 2, 9}) {
      List<Reading> shuffled = new ArrayList<>(readings);
      if (shards > 1) {
        Collections.shuffle(shuffled, random);
      }
      compare(run(node, shuffled, shards, random), expected, oracle + ", seed " + seed);
    }
  }

  private static void compare(
      List<List<@Nullable Object>> rows, Map<SharedData.Window, double[]> expected, String what) {
    assertThat(rows).as(what).hasSize(expected.size());
    for (List<@Nullable Object> row : rows) {
      var key = new SharedData.Window((Long) value(row, 7) / SECOND, (String) value(row, 0));
      double[] numbers = expected.get(key);
      assertThat(numbers).as("%s: %s", what, key).isNotNull();
      for (int i = 0; numbers != null && i < numbers.length; i++) {
        double actual = ((Number) value(row, i + 1)).doubleValue();
        boolean equal = i == 0 || i == 2 || i == 3;
        double allowed = equal ? 0 : Math.abs(numbers[i]) * EXACTNESS;
        assertThat(actual)
            .as("%s: number %d of %s", what, i, key)
            .isCloseTo(numbers[i], Offset.offset(allowed));
      }
    }
  }

  private static Object value(List<@Nullable Object> row, int column) {
    return Objects.requireNonNull(row.get(column));
  }

  private static List<List<@Nullable Object>> run(
      PlanNode.WindowAggregate node, List<Reading> readings, int shards, Random random) {
    List<Map.Entry<byte[], byte[]>> entries = new ArrayList<>();
    List<List<Reading>> parts = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      parts.add(new ArrayList<>());
    }
    readings.forEach(reading -> parts.get(random.nextInt(shards)).add(reading));
    for (List<Reading> part : parts) {
      Operator operator = WindowAggregates.operator(node, BuiltinAggregates.registry());
      Rows nothing = new Rows();
      for (int from = 0; from < part.size(); from += Batch.TARGET_ROWS) {
        int to = Math.min(part.size(), from + Batch.TARGET_ROWS);
        assertThat(operator.process(0, batch(part.subList(from, to)), nothing)).isTrue();
      }
      StateImage.snapshotOf(operator).entries().forEach(entries::add);
    }
    Operator merged = WindowAggregates.operator(node, BuiltinAggregates.registry());
    merged.restore(entries);
    Rows rows = new Rows();
    assertThat(merged.advance(Long.MAX_VALUE, rows)).isTrue();
    return rows.rows;
  }

  private static Batch batch(List<Reading> readings) {
    BatchBuilder builder = new BatchBuilder(READINGS);
    readings.forEach(r -> builder.addRow(r.time(), r.sensor(), r.value()));
    return builder.build();
  }

  private static final class Rows implements Output {
    private final List<List<@Nullable Object>> rows = new ArrayList<>();

    @Override
    public boolean offer(Batch batch) {
      for (int row = 0; row < batch.rows(); row++) {
        rows.add(batch.row(row));
      }
      return true;
    }

    @Override
    public boolean advance(long watermark) {
      return true;
    }
  }

  private static long micros(String time) {
    return LocalDateTime.parse(time, TIME).toEpochSecond(ZoneOffset.UTC) * SECOND;
  }
}
